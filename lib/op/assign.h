/*
 * assign.h - strided_slice_assign: a copy with a slice replaced
 *
 *	out = in.copy(); out[slice] = value
 *
 * The value is broadcast as NumPy does in an assignment: its leading dims of 1
 * that are too many are dropped, those that are missing are added.
 *
 * Source: TensorFlow, core/kernels/strided_slice_op.cc
 *(TensorStridedSliceUpdate).
 */
#ifndef TSL_ASSIGN_H
#define TSL_ASSIGN_H

#include "job.h"
#include "lib/spec/resolve.h"

struct tsl_assign_job {
	struct tsl_job job; /* first: a copy of the input */
	struct tsl_selection sel; /* of it */
	struct tsl_array value; /* input 1, where there is no fill */
};

/*
 * tsl_assign_job_init() checks shapes and dtypes and makes the job.  'sel' was
 * resolved against in's own shape; 'order' is that of the output.
 *
 *	value		the array that is assigned; NULL: one element,
 *	element		in in's dtype, which must outlive the job
 *
 * Returns TSL_OK; in this order TSL_EDTYPE_MISMATCH, TSL_ESHAPE_MISMATCH.
 */
enum tsl_status TSL_MUST_USE tsl_assign_job_init(
	struct tsl_assign_job *assign, const struct tsl_array *in,
	const struct tsl_selection *sel, const struct tsl_array *value,
	const char *element, enum tsl_order order, struct tsl_error *err);

#endif /* TSL_ASSIGN_H */
