/*
 * op_gather_nd.h - gather_nd: rows of an array named by index tuples
 *
 *	out[i..., j...] = params[indices[i..., :], j...]
 *
 * Source: TensorFlow, core/kernels/gather_nd_op.h; batch_dims from
 * python/ops/array_ops.py.
 */
#ifndef TSL_OP_GATHER_ND_H
#define TSL_OP_GATHER_ND_H

#include "job.h"
#include "kernel.h"
#include "view.h"

struct tsl_gather_options {
	int64_t batch_dims; /* leading dims that params and indices share */
	bool zero_bad; /* a row of zeros where an index is out of range */
	enum tsl_order order; /* keep: C */
};

struct tsl_gather_job {
	struct tsl_job job; /* first: op functions are handed this */
	struct tsl_gather_options options;
	struct tsl_array indices;
	int depth; /* indices in a tuple */
	int64_t ntuples; /* and rows of the output */
	int64_t *row; /* byte offset of each in params, or -1: zeros */
	struct tsl_view inner; /* a row of params, from its first byte */
	tsl_kernel *kernel; /* for inner */
	int64_t row_nbytes; /* of a row */
	int64_t row_span; /* bytes of params that a row lies among */
	bool contiguous; /* a row stands in params as in the output */
	bool tuples_fastest; /* Fortran order: the rows are interleaved */
};

/*
 * tsl_gather_job_init() checks shapes and dtypes, and fills all but 'row'.
 *
 * Returns TSL_OK; in this order TSL_EBAD_INDEX_DTYPE, TSL_EBAD_RANK,
 * TSL_EBAD_BATCH_DIMS, TSL_EBATCH_MISMATCH, TSL_EINDEX_DEPTH,
 * TSL_ERANK_LIMIT, TSL_ETOO_LARGE, TSL_EEMPTY_PARAMS.
 */
enum tsl_status TSL_MUST_USE tsl_gather_job_init(
	struct tsl_gather_job *gather, const struct tsl_array *params,
	const struct tsl_array *indices,
	const struct tsl_gather_options *options, struct tsl_error *err);

/*
 * tsl_gather_job_has_rows() says whether there are tuples to take.  If not,
 * there are none, or they are empty and each names all of params; the job is
 * ready as it is, and 'row' stays NULL however many there are.
 */
bool tsl_gather_job_has_rows(const struct tsl_gather_job *gather);

/*
 * tsl_gather_job_index() takes tuples [first, first + n), in C order, from
 * 'bytes' in the dtype of the indices, proves them and stores their rows in
 * gather->row, memory for ntuples that the caller provides.  The job is ready
 * when all tuples were given, in order.  Only what is stored here is used
 * later: the file may change.
 *
 * Returns TSL_OK; TSL_EINDEX_OUT_OF_RANGE for the first bad tuple.
 */
enum tsl_status TSL_MUST_USE tsl_gather_job_index(struct tsl_gather_job *gather,
						  const char *bytes,
						  int64_t first, int64_t n,
						  struct tsl_error *err);

#endif /* TSL_OP_GATHER_ND_H */
