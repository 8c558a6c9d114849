/*
 * slice.h - strided_slice: a box of elements, in steps, as an array
 */
#ifndef TSL_OP_SLICE_H
#define TSL_OP_SLICE_H

#include "arrange.h"
#include "job.h"
#include "lib/spec/resolve.h"

/*
 * tsl_slice_job_init() makes the job that writes the elements which 'sel'
 * selects of the checked array 'in', in the order asked for; arranged, unless
 * 'a' is NULL.  'sel' was resolved against in's own shape, and 'a' made for
 * what it selects.  Cannot fail.
 *
 * A shape that overlaps the axes can be written in C order alone: then the
 * job's op does not say any_order.
 */
void tsl_slice_job_init(struct tsl_job *job, const struct tsl_array *in,
			const struct tsl_selection *sel,
			const struct tsl_arrangement *a, enum tsl_order order);

/* tsl_slice_all_init() makes the job that writes all elements. */
void tsl_slice_all_init(struct tsl_job *job, const struct tsl_array *in,
			enum tsl_order order);

#endif /* TSL_OP_SLICE_H */
