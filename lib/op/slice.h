/*
 * slice.h - strided_slice: a box of elements, in steps, as an array
 */
#ifndef TSL_OP_SLICE_H
#define TSL_OP_SLICE_H

#include "job.h"
#include "lib/spec/resolve.h"

/*
 * tsl_slice_job_init() makes the job that writes the elements 'sel' selects
 * of the checked array 'in', in the order asked for.  'sel' was resolved
 * against in's own shape.  Cannot fail.
 */
void tsl_slice_job_init(struct tsl_job *job, const struct tsl_array *in,
			const struct tsl_selection *sel, enum tsl_order order);

/* tsl_slice_all_init() makes the job that writes all elements. */
void tsl_slice_all_init(struct tsl_job *job, const struct tsl_array *in,
			enum tsl_order order);

#endif /* TSL_OP_SLICE_H */
