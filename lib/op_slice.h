/*
 * op_slice.h - strided_slice: a box of elements, in steps, as an array
 */
#ifndef TSL_OP_SLICE_H
#define TSL_OP_SLICE_H

#include "job.h"
#include "kernel.h"
#include "resolve.h"
#include "view.h"

struct tsl_slice_job {
	struct tsl_job job; /* first: op functions are handed this */
	struct tsl_view view; /* the input, coalesced, in order of output */
	tsl_kernel *kernel; /* moves rows of the two innermost dims */
};

/*
 * tsl_slice_job_init() makes the job that writes the elements 'sel' selects
 * of the checked array 'in', in the order asked for.  'sel' was resolved
 * against in's own shape.  Cannot fail.
 */
void tsl_slice_job_init(struct tsl_slice_job *slice, const struct tsl_array *in,
			const struct tsl_selection *sel, enum tsl_order order);

#endif /* TSL_OP_SLICE_H */
