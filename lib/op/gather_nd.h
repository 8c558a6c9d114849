/*
 * gather_nd.h - gather_nd: rows of an array named by index tuples
 *
 *	out[i..., j...] = params[indices[i..., :], j...]
 *
 * Source: TensorFlow, core/kernels/gather_nd_op.h; batch_dims from
 * python/ops/array_ops.py.
 */
#ifndef TSL_OP_GATHER_ND_H
#define TSL_OP_GATHER_ND_H

#include "job.h"
#include "lib/view/view.h"

struct tsl_gather_options {
	int64_t batch_dims; /* leading dims that params and indices share */
	bool zero_bad; /* a row of zeros where an index is out of range */
	bool empty_later; /* TSL_EEMPTY_PARAMS is not looked for */
};

/*
 * Params are tables one behind the other, and the tuples name rows of each of
 * them in turn.  Of gather_nd there is one; of take, see take.h, one for each
 * place in the dims in front of the axis.
 */
struct tsl_gather_job {
	struct tsl_job job; /* first; gather_nd's output is in C order */
	struct tsl_gather_options options;
	struct tsl_array indices;
	int number_dims; /* of the indices, whose places number the tuples */
	int depth; /* indices in a tuple */
	int axis; /* of params, that the first of them is for */
	int64_t ntables;
	int64_t table_nbytes;
	int64_t ntuples; /* and rows of the output, of each table */
	int64_t row_nbytes; /* of a row */
	int64_t run_nbytes; /* that are side by side in params */
	int64_t runs_per_row;
	struct tsl_view runs; /* where they begin, from a row's first byte */
	bool by_run; /* the first run of all rows first, then the second */
};

/*
 * tsl_gather_job_init() checks shapes and dtypes and makes the job.
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
 * tsl_gather_check_params() returns TSL_EEMPTY_PARAMS if there are tuples, but
 * no elements for them, or TSL_OK.
 */
enum tsl_status TSL_MUST_USE tsl_gather_check_params(
	const struct tsl_gather_job *gather, struct tsl_error *err);

/*
 * tsl_gather_check_indices() returns TSL_OK for integers, or
 * TSL_EBAD_INDEX_DTYPE.
 */
enum tsl_status TSL_MUST_USE tsl_gather_check_indices(
	const struct tsl_array *indices, struct tsl_error *err);

/*
 * tsl_gather_init_row() finds what a row is, all of params behind the first
 * 'skip' axes: runs, and where they begin, from the row's first byte on.
 */
void tsl_gather_init_row(struct tsl_gather_job *gather, int skip);

/*
 * tsl_gather_job_lay() has params in the order given: rows, and runs in them,
 * begin elsewhere then.
 */
void tsl_gather_job_lay(struct tsl_gather_job *gather, bool fortran_order);

/*
 * tsl_gather_job_lay_by_run() has them run by run, the runs of a row in the
 * order of params' bytes: of params in Fortran order, which are no field and
 * more than one row, all rows then begin in one piece of the table, of the same
 * size for each run, and runs are elements.
 */
void tsl_gather_job_lay_by_run(struct tsl_gather_job *gather);

/*
 * tsl_gather_job_has_indices() says whether there are tuples to be looked at.
 * If not, there are none, or they are empty and each names all of params.
 */
bool tsl_gather_job_has_indices(const struct tsl_gather_job *gather);

/*
 * tsl_gather_job_rows() takes tuples [first, first + n), in the order in which
 * the job has the indices, from 'bytes' in their dtype, and stores at which
 * byte of a table the row of each begins, or -1 for a row of zeros.  Every
 * index is proved; as the file may change, only what is stored here may be
 * used.
 *
 * Returns TSL_OK; TSL_EINDEX_OUT_OF_RANGE for the first bad tuple.
 */
enum tsl_status TSL_MUST_USE tsl_gather_job_rows(
	const struct tsl_gather_job *gather, const char *bytes, int64_t first,
	int64_t n, int64_t row[], struct tsl_error *err);

/*
 * tsl_gather_unit() is the largest power of two, 16 at the most, of which the
 * size of a run and the offsets of all runs are multiples.
 */
int64_t tsl_gather_unit(const struct tsl_gather_job *gather);

/* tsl_gather_run_offset() is where run number 'run' of a row begins in it. */
int64_t tsl_gather_run_offset(const struct tsl_gather_job *gather, int64_t run);

#endif /* TSL_OP_GATHER_ND_H */
