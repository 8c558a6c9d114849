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

/* tsl_slice_need() and tsl_slice_fill() serve jobs that begin with a slice. */
void tsl_slice_need(const struct tsl_job *job, int64_t first, int64_t n,
		    int64_t *lo, int64_t *hi);
void tsl_slice_fill(const struct tsl_job *job, int64_t first, int64_t n,
		    const char *in, int64_t lo, char *dst);

#endif /* TSL_OP_SLICE_H */
