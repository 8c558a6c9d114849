/*
 * get_diag.h - matrix_diag_part (V3): a band of diagonals, packed
 *
 * The inverse of set_diag; see band.h.  What a diagonal that is shorter than
 * the longest leaves of its row is padding.
 *
 * Source: TensorFlow, core/kernels/linalg/matrix_diag_op.cc.
 */
#ifndef TSL_GET_DIAG_H
#define TSL_GET_DIAG_H

#include "band.h"
#include "job.h"

struct tsl_get_diag_job {
	struct tsl_job job; /* first; the output is in C order */
	struct tsl_band band;
	bool padded; /* a diagonal is shorter than the longest */
	int nparts; /* of the band, painted by rows; 0: by diagonals */
	struct tsl_band_part part[TSL_BAND_PARTS];
};

/*
 * tsl_get_diag_job_init() checks the shape and makes the job.  'padding' is an
 * element in in's dtype, which must outlive the job.
 *
 * Returns TSL_OK; what tsl_band_init() does; TSL_ETOO_LARGE.
 */
enum tsl_status TSL_MUST_USE
tsl_get_diag_job_init(struct tsl_get_diag_job *get, const struct tsl_array *in,
		      const struct tsl_band_options *options,
		      const char *padding, struct tsl_error *err);

#endif /* TSL_GET_DIAG_H */
