/*
 * op_set_diag.c - matrix_set_diag as a job
 *
 * The output is a copy of the input, a slice of all of it, in which the band
 * is overwritten while the block is still in the cache.
 */
#include "op_set_diag.h"

#include "shape.h"

#include <string.h>

static const struct tsl_set_diag_job *
set_diag_of(const struct tsl_job *job)
{
	return (const struct tsl_set_diag_job *)(const void *)job;
}

static int64_t
min(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t
max(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* ---- where a diagonal's elements stand ----------------------------------- */

static int64_t
diagonal_length(const struct tsl_set_diag_job *s, int64_t d)
{
	return min(s->ncols - max(d, 0), s->nrows + min(d, 0));
}

/* How far into its padded row diagonal d begins. */
static int64_t
padding_before(const struct tsl_set_diag_job *s, int64_t d)
{
	enum tsl_align align = s->options.align;
	bool right = d > 0 ? align == TSL_ALIGN_RIGHT_LEFT ||
				     align == TSL_ALIGN_RIGHT_RIGHT
			   : align == TSL_ALIGN_LEFT_RIGHT ||
				     align == TSL_ALIGN_RIGHT_RIGHT;

	/* The main diagonal is as long as any: it has no padding. */
	return right && d != 0 ? s->max_len - diagonal_length(s, d) : 0;
}

/* Position among the packed diagonals of one matrix, [ndiags, max_len]. */
static int64_t
packed_row(const struct tsl_set_diag_job *s, int64_t d)
{
	return s->options.upper - d;
}

static int64_t
packed_column(const struct tsl_set_diag_job *s, int64_t d, int64_t column)
{
	return column - max(d, 0) + padding_before(s, d);
}

/* ---- patching ------------------------------------------------------------ */

/* A range of output bytes that is being patched. */
struct window {
	int64_t first, end; /* bytes of the output */
	char *dst; /* byte 'first' */
};

/* Copies n bytes to output byte 'at', or what of them is in the window. */
static void
put(const struct window *w, int64_t at, const char *src, int64_t n)
{
	int64_t from = max(at, w->first);
	int64_t to = min(at + n, w->end);

	if (from < to)
		memcpy(w->dst + (from - w->first), src + (from - at),
		       (size_t)(to - from));
}

/* The band's elements in row 'row' of the matrix number 'batch'. */
static void
patch_row(const struct tsl_set_diag_job *s, const struct window *w,
	  int64_t batch, int64_t row)
{
	const char *packed =
		s->diagonal + batch * s->ndiags * s->max_len * s->width;
	int64_t begin = (batch * s->nrows + row) * s->ncols;
	int64_t from = max(0, row + s->options.lower);
	int64_t to = min(s->ncols - 1, row + s->options.upper);

	for (int64_t column = from; column <= to; column++) {
		int64_t d = column - row;
		int64_t e = packed_row(s, d) * s->max_len +
			    packed_column(s, d, column);

		put(w, (begin + column) * s->width, packed + e * s->width,
		    s->width);
	}
}

static void
patch_c(const struct tsl_job *job, int64_t first, int64_t n, char *dst)
{
	const struct tsl_set_diag_job *s = set_diag_of(job);
	const struct window w = { first, first + n, dst };
	int64_t row_nbytes = s->ncols * s->width;
	int64_t last = (w.end - 1) / row_nbytes;

	for (int64_t i = first / row_nbytes; i <= last; i++)
		patch_row(s, &w, i / s->nrows, i % s->nrows);
}

/*
 * In Fortran order the matrices of the batch are interleaved, in the output
 * and in the diagonals alike: an element of all of them is copied at once.
 */
static void
patch_f(const struct tsl_job *job, int64_t first, int64_t n, char *dst)
{
	const struct tsl_set_diag_job *s = set_diag_of(job);
	const struct window w = { first, first + n, dst };
	int64_t cell = s->nbatch * s->width;
	int64_t last = (w.end - 1) / cell;

	for (int64_t i = first / cell; i <= last; i++) {
		int64_t column = i / s->nrows;
		int64_t d = column - i % s->nrows;
		int64_t e;

		if (d < s->options.lower || d > s->options.upper)
			continue;
		e = packed_column(s, d, column) * s->ndiags + packed_row(s, d);
		put(&w, i * cell, s->diagonal + e * cell, cell);
	}
}

static const struct tsl_op c_op = { "matrix_set_diag", tsl_slice_need,
				    tsl_slice_fill, patch_c };
static const struct tsl_op f_op = { "matrix_set_diag", tsl_slice_need,
				    tsl_slice_fill, patch_f };

/* ---- making the job ------------------------------------------------------ */

static enum tsl_status
check_k(const struct tsl_set_diag_job *s, int64_t k, struct tsl_error *err)
{
	/* 0 is allowed even where there is nothing. */
	if (k == 0 || (k > -s->nrows && k < s->ncols))
		return TSL_OK;
	return tsl_fail_item(err, TSL_EK_OUT_OF_RANGE, 0,
			     "matrices of %lld rows and %lld columns have no "
			     "diagonal %lld",
			     (long long)s->nrows, (long long)s->ncols,
			     (long long)k);
}

/* batch + [max_len] for one diagonal, batch + [ndiags, max_len] for a band. */
static enum tsl_status
check_diagonal_shape(const struct tsl_set_diag_job *s,
		     const struct tsl_array *in,
		     const struct tsl_array *diagonal, struct tsl_error *err)
{
	char want[TSL_SHAPE_TEXT], got[TSL_SHAPE_TEXT];
	struct tsl_shape shape = tsl_shape_of(in);
	struct tsl_shape other = tsl_shape_of(diagonal);
	bool same;

	shape.ndim -= 2;
	if (s->ndiags > 1)
		shape.dim[shape.ndim++] = s->ndiags;
	shape.dim[shape.ndim++] = s->max_len;
	same = shape.ndim == other.ndim;
	for (int i = 0; same && i < shape.ndim; i++)
		same = shape.dim[i] == other.dim[i];
	if (same)
		return TSL_OK;
	tsl_shape_format(&shape, want);
	tsl_shape_format(&other, got);
	return tsl_fail_item(
		err, TSL_EDIAG_SHAPE_MISMATCH, 1,
		"the diagonal's shape is %.100s; it should be %.100s", got,
		want);
}

static enum tsl_status
check_inputs(struct tsl_set_diag_job *s, const struct tsl_array *in,
	     const struct tsl_array *diagonal, struct tsl_error *err)
{
	const struct tsl_set_diag_options *o = &s->options;
	enum tsl_status status;

	if (!tsl_dtype_equal(&in->dtype, &diagonal->dtype))
		return tsl_fail(err, TSL_EDTYPE_MISMATCH,
				"input and diagonal are of different dtypes, "
				"%.80s and %.80s",
				in->dtype.descr, diagonal->dtype.descr);
	if (in->ndim < 2 || diagonal->ndim < 1)
		return tsl_fail_item(
			err, TSL_EBAD_RANK, in->ndim >= 2,
			"%s must have at least %s",
			in->ndim < 2 ? "the input" : "the diagonal",
			in->ndim < 2 ? "two dimensions" : "one dimension");
	s->nrows = in->dim[in->ndim - 2];
	s->ncols = in->dim[in->ndim - 1];
	status = check_k(s, o->lower, err);
	if (!status)
		status = check_k(s, o->upper, err);
	if (status)
		return status;
	if (o->lower > o->upper)
		return tsl_fail(err, TSL_EK_ORDER, "k: %lld is above %lld",
				(long long)o->lower, (long long)o->upper);
	s->ndiags = o->upper - o->lower + 1;
	s->max_len =
		min(s->nrows + min(o->upper, 0), s->ncols - max(o->lower, 0));
	return check_diagonal_shape(s, in, diagonal, err);
}

enum tsl_status
tsl_set_diag_job_init(struct tsl_set_diag_job *set, const struct tsl_array *in,
		      const struct tsl_array *diagonal,
		      const struct tsl_set_diag_options *options,
		      struct tsl_error *err)
{
	struct tsl_shape shape = tsl_shape_of(in);
	struct tsl_job *job = &set->base.job;
	struct tsl_selection sel;
	enum tsl_status status;

	*set = (struct tsl_set_diag_job){ .options = *options,
					  .width = in->dtype.size };
	status = check_inputs(set, in, diagonal, err);
	if (status)
		return status;
	tsl_select_all(&sel, &shape);
	tsl_slice_job_init(&set->base, in, &sel,
			   options->order == TSL_ORDER_F ? TSL_ORDER_F
							 : TSL_ORDER_C);
	job->op = job->out.fortran_order ? &f_op : &c_op;
	set->nbatch = 1;
	for (int i = 0; i < in->ndim - 2; i++)
		set->nbatch *= in->dim[i];
	return TSL_OK;
}
