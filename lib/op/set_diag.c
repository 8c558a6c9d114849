/*
 * set_diag.c - matrix_set_diag as a job
 *
 * The output is a copy of the input, a slice of all of it, in which the band
 * is overwritten while the piece is still in the cache.
 */
#include "set_diag.h"

#include "lib/base/minmax.h"
#include "lib/base/shape.h"
#include "slice.h"

#include <string.h>

static const struct tsl_set_diag_job *
set_diag_of(const struct tsl_job *job)
{
	return (const struct tsl_set_diag_job *)(const void *)job;
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
	return s->band.ndiags >= s->band.ncols;
}

static int64_t
row_nbytes(const struct tsl_set_diag_job *s)
{
	return s->band.ncols * s->width;
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
			     s->band.ncols };

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
	int64_t row = rows->first % s->band.nrows;

	*from = tsl_max(rows->from, row + s->band.options.lower);
	*to = tsl_max(*from,
		      tsl_min(rows->to, row + s->band.options.upper + 1));
}

/* Elements of one row of the band. */
static int64_t
band_width(const struct tsl_set_diag_job *s, const struct rows *rows)
{
	int64_t from, to;

	if (rows->first < rows->last)
		return is_wide(s) ? s->band.ncols : s->band.ndiags;
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
		return is_wide(s) ? 0 : row + s->band.options.lower;
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
	int64_t per_row = tsl_min(s->band.ndiags, s->band.ncols) * s->width;
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
	int64_t begin = batch * s->band.nrows;

	*from = tsl_max(rows->first - begin, 0);
	*to = tsl_min(rows->last + 1 - begin, s->band.nrows);
}

/* The highest diagonal of the band that has an element in row 'from'. */
static int64_t
highest(const struct tsl_set_diag_job *s, const struct rows *rows, int64_t from)
{
	return tsl_min(s->band.options.upper, rows->to - 1 - from);
}

/* The lowest that has one in a row before 'to'. */
static int64_t
lowest(const struct tsl_set_diag_job *s, const struct rows *rows, int64_t to)
{
	return tsl_max(s->band.options.lower, rows->from + 1 - to);
}

/* Moves on to the next matrix and diagonal; false after the last. */
static bool
next_diagonal(const struct tsl_set_diag_job *s, const struct rows *rows,
	      struct tsl_set_diag_run *run, int64_t *from, int64_t *to)
{
	bool begins = run->batch < 0;

	if (begins)
		run->batch = rows->first / s->band.nrows;
	while (run->batch <= rows->last / s->band.nrows) {
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
		to = tsl_min(to, s->band.ncols - run->d);
	} while (from >= to);
	row = run->batch * s->band.nrows + from - rows.first;
	run->count = to - from;
	run->source =
		(run->batch * s->band.ndiags + s->band.options.upper - run->d) *
			s->band.max_len +
		from + tsl_min(run->d, 0) + tsl_band_padding(&s->band, run->d);
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
	int64_t at = row % s->band.nrows;
	int64_t column = tsl_max(at + s->band.options.lower, 0);
	int64_t end = tsl_min(at + s->band.options.upper + 1, s->band.ncols);
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

/* ---- making the job ------------------------------------------------------ */

static int
layer(const struct tsl_job *job, int64_t i, struct tsl_pair *pair)
{
	const struct tsl_set_diag_job *s = set_diag_of(job);
	struct tsl_array target = tsl_job_target(job);

	tsl_band_select(&s->band, &target, &s->diagonal,
			s->band.options.upper - i, &pair->to, &pair->from);
	/* Of a fill there is but one element. */
	if (job->fill)
		for (int k = 0; k < pair->from.ndim; k++)
			pair->from.stride[k] = 0;
	if (job->fill)
		pair->from.offset = 0;
	tsl_job_settle_layer(job, pair);
	return job->fill ? TSL_FILL : 1;
}

static const struct tsl_op set_diag_op = { .name = "matrix_set_diag",
					   .side_nbytes = side_nbytes,
					   .patch = patch,
					   .layer = layer };

/* In records no two elements are side by side: there are no rows to patch. */
static const struct tsl_op set_field_op = { .name = "matrix_set_diag",
					    .layer = layer };

static enum tsl_status
check_shape(const struct tsl_set_diag_job *s, const struct tsl_array *in,
	    struct tsl_error *err)
{
	char want[TSL_SHAPE_TEXT], got[TSL_SHAPE_TEXT];
	struct tsl_shape shape = tsl_band_shape(&s->band, in);
	struct tsl_shape other = tsl_shape_of(&s->diagonal);
	bool same = shape.ndim == other.ndim;

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
	     const struct tsl_array *diagonal,
	     const struct tsl_band_options *options, struct tsl_error *err)
{
	enum tsl_status status;

	if (!diagonal)
		return tsl_band_init(&s->band, in, options, err);
	s->diagonal = *diagonal;
	if (!tsl_dtype_equal(&in->dtype, &s->diagonal.dtype))
		return tsl_fail(err, TSL_EDTYPE_MISMATCH,
				"input and diagonal have different dtypes, "
				"%.80s and %.80s",
				tsl_dtype_text(&in->dtype),
				tsl_dtype_text(&s->diagonal.dtype));
	if (in->ndim >= 2 && s->diagonal.ndim < 1)
		return tsl_fail_item(
			err, TSL_EBAD_RANK, 1,
			"the diagonal must have at least one dimension");
	status = tsl_band_init(&s->band, in, options, err);
	return status ? status : check_shape(s, in, err);
}

/* As many elements as the diagonals would have. */
static struct tsl_array
packed_array(const struct tsl_band *band, const struct tsl_array *in)
{
	struct tsl_shape shape = tsl_band_shape(band, in);
	struct tsl_array packed = { .dtype = in->dtype, .ndim = shape.ndim };

	memcpy(packed.dim, shape.dim, (size_t)shape.ndim * sizeof(int64_t));
	return packed;
}

enum tsl_status
tsl_set_diag_job_init(struct tsl_set_diag_job *set, const struct tsl_array *in,
		      const struct tsl_array *diagonal,
		      const struct tsl_band_options *options,
		      struct tsl_error *err)
{
	struct tsl_array records = tsl_array_records(in);
	enum tsl_status status;

	*set = (struct tsl_set_diag_job){ .width = in->dtype.size };
	status = check_inputs(set, in, diagonal, options, err);
	if (status)
		return status;
	if (!diagonal) {
		set->diagonal = packed_array(&set->band, in);
		status = tsl_array_check(&set->diagonal, err);
		if (status)
			return status;
	}
	/* As they are handed over. */
	set->diagonal.fortran_order = false;
	tsl_slice_all_init(&set->job, &records, TSL_ORDER_C);
	set->job.op = in->field ? &set_field_op : &set_diag_op;
	set->job.field = *in;
	set->job.source = diagonal ? 1 : 0;
	if (set->job.nbytes > 0)
		set->job.nlayers = set->band.ndiags;
	return TSL_OK;
}
