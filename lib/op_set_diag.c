/*
 * op_set_diag.c - matrix_set_diag as a job
 *
 * The output is a copy of the input, a slice of all of it, in which the band
 * is overwritten while the piece is still in the cache.
 */
#include "op_set_diag.h"

#include "minmax.h"
#include "op_slice.h"
#include "shape.h"

#include <string.h>

static const struct tsl_set_diag_job *
set_diag_of(const struct tsl_job *job)
{
	return (const struct tsl_set_diag_job *)(const void *)job;
}

/* ---- where a diagonal's elements stand ----------------------------------- */

static int64_t
diagonal_length(const struct tsl_set_diag_job *s, int64_t d)
{
	return tsl_min(s->ncols - tsl_max(d, 0), s->nrows + tsl_min(d, 0));
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
	return column - tsl_max(d, 0) + padding_before(s, d);
}

/* ---- the band as rows ---------------------------------------------------- */

/*
 * The new values that a range of the output needs are laid out by matrix row,
 * so that patching a row is one copy.  A narrow band begins in each row with
 * diagonal 'lower', in whatever column that is; one as wide as the matrix
 * with column 0.  Of a range within one row it is only what the range touches.
 */
static bool
is_wide(const struct tsl_set_diag_job *s)
{
	return s->ndiags >= s->ncols;
}

static int64_t
row_nbytes(const struct tsl_set_diag_job *s)
{
	return s->ncols * s->width;
}

/* Matrix rows, counted over all matrices of the batch. */
struct rows {
	int64_t first, last;
	int64_t from, to; /* columns: of one row those touched, else all */
};

static struct rows
rows_of(const struct tsl_set_diag_job *s, int64_t first, int64_t n)
{
	int64_t nbytes = row_nbytes(s);
	struct rows rows = { first / nbytes, (first + n - 1) / nbytes, 0,
			     s->ncols };

	if (rows.first == rows.last) {
		rows.from = first % nbytes / s->width;
		rows.to = (first + n - 1) % nbytes / s->width + 1;
	}
	return rows;
}

/* The columns [*from, *to) of the band in the only row of 'rows'. */
static void
columns_of_one(const struct tsl_set_diag_job *s, const struct rows *rows,
	       int64_t *from, int64_t *to)
{
	int64_t row = rows->first % s->nrows;

	*from = tsl_max(rows->from, row + s->options.lower);
	*to = tsl_max(*from, tsl_min(rows->to, row + s->options.upper + 1));
}

/* Elements of one row of the band. */
static int64_t
band_width(const struct tsl_set_diag_job *s, const struct rows *rows)
{
	int64_t from, to;

	if (rows->first < rows->last)
		return is_wide(s) ? s->ncols : s->ndiags;
	columns_of_one(s, rows, &from, &to);
	return to - from;
}

/* The column of the band's first element in row 'row' of a matrix. */
static int64_t
band_column(const struct tsl_set_diag_job *s, const struct rows *rows,
	    int64_t row)
{
	int64_t from, to;

	if (rows->first < rows->last)
		return is_wide(s) ? 0 : row + s->options.lower;
	columns_of_one(s, rows, &from, &to);
	return from;
}

static int64_t
side_nbytes(const struct tsl_job *job, int64_t first, int64_t n)
{
	const struct tsl_set_diag_job *s = set_diag_of(job);
	struct rows rows = rows_of(s, first, n);

	return (rows.last - rows.first + 1) * band_width(s, &rows) * s->width;
}

int64_t
tsl_set_diag_part(const struct tsl_set_diag_job *s, int64_t first, int64_t n,
		  int64_t room)
{
	int64_t per_row = tsl_min(s->ndiags, s->ncols) * s->width;
	int64_t row = first / row_nbytes(s);

	if (side_nbytes(&s->job, first, n) <= room)
		return n;
	n = tsl_min(n,
		    (row + tsl_max(room / per_row, 1)) * row_nbytes(s) - first);
	if (side_nbytes(&s->job, first, n) <= room)
		return n;
	return tsl_min(n, (first / s->width + tsl_max(room / s->width, 1)) *
					  s->width -
				  first);
}

/* The rows of matrix 'batch' that are among 'rows', from 0 on. */
static void
rows_in_matrix(const struct tsl_set_diag_job *s, int64_t batch,
	       const struct rows *rows, int64_t *from, int64_t *to)
{
	int64_t begin = batch * s->nrows;

	*from = tsl_max(rows->first - begin, 0);
	*to = tsl_min(rows->last + 1 - begin, s->nrows);
}

/* The highest diagonal of the band that has an element in row 'from'. */
static int64_t
highest(const struct tsl_set_diag_job *s, const struct rows *rows, int64_t from)
{
	return tsl_min(s->options.upper, rows->to - 1 - from);
}

/* The lowest that has one in a row before 'to'. */
static int64_t
lowest(const struct tsl_set_diag_job *s, const struct rows *rows, int64_t to)
{
	return tsl_max(s->options.lower, rows->from + 1 - to);
}

/* Moves on to the next matrix and diagonal; false after the last. */
static bool
next_diagonal(const struct tsl_set_diag_job *s, const struct rows *rows,
	      struct tsl_set_diag_run *run, int64_t *from, int64_t *to)
{
	bool begins = run->batch < 0;

	if (begins)
		run->batch = rows->first / s->nrows;
	while (run->batch <= rows->last / s->nrows) {
		rows_in_matrix(s, run->batch, rows, from, to);
		run->d = begins ? highest(s, rows, *from) : run->d - 1;
		if (run->d >= lowest(s, rows, *to))
			return true;
		run->batch++;
		begins = true;
	}
	return false;
}

bool
tsl_set_diag_next(const struct tsl_set_diag_job *s, int64_t first, int64_t n,
		  struct tsl_set_diag_run *run)
{
	const struct rows rows = rows_of(s, first, n);
	int64_t width = band_width(s, &rows);
	int64_t from, to, row;

	do {
		if (!next_diagonal(s, &rows, run, &from, &to))
			return false;
		from = tsl_max(from, -run->d);
		to = tsl_min(to, s->ncols - run->d);
	} while (from >= to);
	row = run->batch * s->nrows + from - rows.first;
	run->count = to - from;
	run->source =
		(run->batch * s->ndiags + packed_row(s, run->d)) * s->max_len +
		packed_column(s, run->d, from + run->d);
	run->to = row * width + (from + run->d - band_column(s, &rows, from));
	run->step = is_wide(s) ? width + 1 : width;
	return true;
}

void
tsl_set_diag_lay(const struct tsl_set_diag_job *s,
		 const struct tsl_set_diag_run *run, const char *elements,
		 char *side)
{
	char *to = side + run->to * s->width;

	if (run->step == 1) {
		memcpy(to, elements, (size_t)(run->count * s->width));
		return;
	}
	for (int64_t i = 0; i < run->count; i++)
		memcpy(to + i * run->step * s->width, elements + i * s->width,
		       (size_t)s->width);
}

/* ---- patching ------------------------------------------------------------ */

/*
 * The band's elements in one row, or what of them is in [first, first + n):
 * the ends may lie within an element.
 */
static void
patch_row(const struct tsl_set_diag_job *s, const struct rows *rows,
	  int64_t row, const char *band, int64_t first, int64_t n, char *dst)
{
	int64_t at = row % s->nrows;
	int64_t column = tsl_max(at + s->options.lower, 0);
	int64_t end = tsl_min(at + s->options.upper + 1, s->ncols);
	int64_t begin = row * row_nbytes(s);
	int64_t from = tsl_max(begin + column * s->width, first);
	int64_t to = tsl_min(begin + end * s->width, first + n);

	if (from < to)
		memcpy(dst + (from - first),
		       band + (from - begin) -
			       band_column(s, rows, at) * s->width,
		       (size_t)(to - from));
}

static void
patch(const struct tsl_job *job, int64_t first, int64_t n, const char *side,
      char *dst)
{
	const struct tsl_set_diag_job *s = set_diag_of(job);
	const struct rows rows = rows_of(s, first, n);
	int64_t band = band_width(s, &rows) * s->width;

	for (int64_t row = rows.first; row <= rows.last; row++)
		patch_row(s, &rows, row, side + (row - rows.first) * band,
			  first, n, dst);
}

static const struct tsl_op set_diag_op = { .kind = TSL_OP_SET_DIAG,
					   .name = "matrix_set_diag",
					   .side_nbytes = side_nbytes,
					   .patch = patch };

/* ---- making the job ------------------------------------------------------ */

static enum tsl_status
check_k(const struct tsl_set_diag_job *s, int64_t k, struct tsl_error *err)
{
	/* 0 is allowed even where there is nothing. */
	if (k == 0 || (k > -s->nrows && k < s->ncols))
		return TSL_OK;
	return tsl_fail_item(err, TSL_EK_OUT_OF_RANGE, 0,
			     "matrices of %lld x %lld have no diagonal %lld",
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
				"input and diagonal have different dtypes, "
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
		return tsl_fail(
			err, TSL_EK_ORDER,
			"k: the lower end, %lld, is above the upper, %lld",
			(long long)o->lower, (long long)o->upper);
	s->ndiags = o->upper - o->lower + 1;
	s->max_len = tsl_min(s->nrows + tsl_min(o->upper, 0),
			     s->ncols - tsl_max(o->lower, 0));
	return check_diagonal_shape(s, in, diagonal, err);
}

enum tsl_status
tsl_set_diag_job_init(struct tsl_set_diag_job *set, const struct tsl_array *in,
		      const struct tsl_array *diagonal,
		      const struct tsl_set_diag_options *options,
		      struct tsl_error *err)
{
	enum tsl_status status;

	*set = (struct tsl_set_diag_job){ .options = *options,
					  .width = in->dtype.size };
	status = check_inputs(set, in, diagonal, err);
	if (status)
		return status;
	tsl_slice_all_init(&set->job, in, TSL_ORDER_C);
	set->job.op = &set_diag_op;
	return TSL_OK;
}
