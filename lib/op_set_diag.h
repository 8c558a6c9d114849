/*
 * op_set_diag.h - matrix_set_diag (V3): a band of diagonals replaced
 *
 * The input is a batch of matrices, [..., nrows, ncols].  Diagonal d holds the
 * elements with column - row = d; the band is diagonals lower to upper.  The
 * new values come packed, a diagonal a row, the highest first, padded to the
 * length of the longest; align says at which end the padding is.
 *
 * Source: TensorFlow, core/kernels/linalg/matrix_set_diag_op.cc.
 */
#ifndef TSL_OP_SET_DIAG_H
#define TSL_OP_SET_DIAG_H

#include "op_slice.h"

/* Superdiagonals first, then subdiagonals. */
enum tsl_align {
	TSL_ALIGN_RIGHT_LEFT,
	TSL_ALIGN_LEFT_RIGHT,
	TSL_ALIGN_LEFT_LEFT,
	TSL_ALIGN_RIGHT_RIGHT,
};

struct tsl_set_diag_options {
	int64_t lower, upper; /* int32 in range; lower <= upper */
	enum tsl_align align;
	enum tsl_order order; /* keep: C */
};

struct tsl_set_diag_job {
	struct tsl_slice_job base; /* first: a copy of the input */
	struct tsl_set_diag_options options;
	int64_t nbatch; /* matrices */
	int64_t nrows, ncols; /* of a matrix */
	int64_t ndiags;
	int64_t max_len; /* of a diagonal */
	int64_t width; /* bytes per element */
	const char *diagonal; /* all of it, in the output's order */
};

/*
 * tsl_set_diag_job_init() checks shapes and dtypes and fills all but
 * 'diagonal': the caller sets it to the diagonals' elements, in the order and
 * the byte order of job.out, before the job is used.
 *
 * Returns TSL_OK; in this order TSL_EDTYPE_MISMATCH, TSL_EBAD_RANK,
 * TSL_EK_OUT_OF_RANGE, TSL_EK_ORDER, TSL_EDIAG_SHAPE_MISMATCH.
 */
enum tsl_status TSL_MUST_USE tsl_set_diag_job_init(
	struct tsl_set_diag_job *set, const struct tsl_array *in,
	const struct tsl_array *diagonal,
	const struct tsl_set_diag_options *options, struct tsl_error *err);

#endif /* TSL_OP_SET_DIAG_H */
