/*
 * take.h - take: the places along one axis that indices name
 *
 *	out[h..., i..., j...] = params[h..., indices[i...], j...]
 *
 * Source: numpy.take, and for what is out of range TensorFlow's gather.
 */
#ifndef TSL_OP_TAKE_H
#define TSL_OP_TAKE_H

#include "gather_nd.h"

/*
 * tsl_take_job_init() makes the job of a gather of which each number in
 * 'indices' is a tuple, along 'axis', which counts from the end if it is
 * negative.  The output has the order of params, and wants the indices in it.
 *
 * Returns TSL_OK; in this order TSL_EBAD_INDEX_DTYPE, TSL_EBAD_AXIS,
 * TSL_ERANK_LIMIT, TSL_ETOO_LARGE.
 */
enum tsl_status TSL_MUST_USE tsl_take_job_init(struct tsl_gather_job *take,
					       const struct tsl_array *params,
					       const struct tsl_array *indices,
					       int64_t axis, bool zero_bad,
					       struct tsl_error *err);

/*
 * tsl_take_find_axis() has '*axis' count from the front.  Returns TSL_OK;
 * TSL_EBAD_AXIS.
 */
enum tsl_status TSL_MUST_USE tsl_take_find_axis(int64_t *axis,
						const struct tsl_array *params,
						struct tsl_error *err);

/* tsl_take_init_tables() finds the tables and rows of the axis. */
void tsl_take_init_tables(struct tsl_gather_job *take);

#endif /* TSL_OP_TAKE_H */
