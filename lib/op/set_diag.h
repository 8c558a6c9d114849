/*
 * set_diag.h - matrix_set_diag (V3): a band of diagonals replaced
 *
 * The new values come packed; see band.h.
 *
 * Source: TensorFlow, core/kernels/linalg/matrix_set_diag_op.cc.
 */
#ifndef TSL_OP_SET_DIAG_H
#define TSL_OP_SET_DIAG_H

#include "band.h"
#include "job.h"

struct tsl_set_diag_job {
	struct tsl_job job; /* first: a copy of the input, in C order; its fill,
			       if there is one, is all of the diagonals */
	struct tsl_band band;
	struct tsl_array diagonal; /* the packed diagonals */
	int64_t width; /* bytes per element */
};

/*
 * tsl_set_diag_job_init() checks shapes and dtypes and makes the job.  Its
 * 'side', which patch() is given, is the band by matrix row: see below.
 * 'diagonal' may be NULL, for an element that all of them are: it is the job's
 * fill, which the caller sets.
 *
 * Returns TSL_OK; in this order TSL_EDTYPE_MISMATCH, TSL_EBAD_RANK,
 * TSL_EK_OUT_OF_RANGE, TSL_EK_ORDER, TSL_EDIAG_SHAPE_MISMATCH,
 * TSL_ETOO_LARGE.
 */
enum tsl_status TSL_MUST_USE tsl_set_diag_job_init(
	struct tsl_set_diag_job *set, const struct tsl_array *in,
	const struct tsl_array *diagonal,
	const struct tsl_band_options *options, struct tsl_error *err);

/* A piece of one diagonal; all in ELEMENTS. */
struct tsl_set_diag_run {
	int64_t batch, d; /* the matrix; the diagonal */
	int64_t count;
	int64_t source; /* of the first, in the packed diagonals, in C order */
	int64_t to, step; /* of the first, and from each to the next, in side */
};

/*
 * The side of output bytes [first, first + n) is, for each matrix row they
 * touch, the elements of the band in that row: of a band narrower than the
 * matrix ndiags, from column row + lower on, and anything where there is no
 * such column; of another ncols, from column 0 on.  Of a range within one row
 * it is the elements of the band that the range touches, and no others.
 *
 * tsl_set_diag_part() is how many of these bytes, from the first on, can be
 * patched with a side of at most 'room' bytes, or of one element.
 *
 * tsl_set_diag_next() moves on to the next piece of a diagonal that it is made
 * of; 'run' begins with .batch = -1.  Returns false after the last.
 * tsl_set_diag_lay() puts the elements of one into their places.
 */
int64_t tsl_set_diag_part(const struct tsl_set_diag_job *set, int64_t first,
			  int64_t n, int64_t room);
bool tsl_set_diag_next(const struct tsl_set_diag_job *set, int64_t first,
		       int64_t n, struct tsl_set_diag_run *run);
void tsl_set_diag_lay(const struct tsl_set_diag_job *set,
		      const struct tsl_set_diag_run *run, const char *elements,
		      char *side);

#endif /* TSL_OP_SET_DIAG_H */
