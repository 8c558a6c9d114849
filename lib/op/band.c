/*
 * band.c - a band of diagonals of a batch of matrices, and the same packed
 */
#include "band.h"

#include "lib/base/minmax.h"

static enum tsl_status
check_k(const struct tsl_band *b, int64_t k, struct tsl_error *err)
{
	/* 0 is allowed even where there is nothing. */
	if (k == 0 || (k > -b->nrows && k < b->ncols))
		return TSL_OK;
	return tsl_fail_item(err, TSL_EK_OUT_OF_RANGE, 0,
			     "matrices of %lld x %lld have no diagonal %lld",
			     (long long)b->nrows, (long long)b->ncols,
			     (long long)k);
}

enum tsl_status
tsl_band_init(struct tsl_band *b, const struct tsl_array *matrices,
	      const struct tsl_band_options *o, struct tsl_error *err)
{
	enum tsl_status status;

	if (matrices->ndim < 2)
		return tsl_fail_item(err, TSL_EBAD_RANK, 0,
				     "the input must have at least two "
				     "dimensions");
	*b = (struct tsl_band){ .options = *o };
	b->nrows = matrices->dim[matrices->ndim - 2];
	b->ncols = matrices->dim[matrices->ndim - 1];
	status = check_k(b, o->lower, err);
	if (!status)
		status = check_k(b, o->upper, err);
	if (status)
		return status;
	if (o->lower > o->upper)
		return tsl_fail(
			err, TSL_EK_ORDER,
			"k: the lower end, %lld, is above the upper, %lld",
			(long long)o->lower, (long long)o->upper);
	b->ndiags = o->upper - o->lower + 1;
	b->max_len = tsl_min(b->nrows + tsl_min(o->upper, 0),
			     b->ncols - tsl_max(o->lower, 0));
	return TSL_OK;
}

int64_t
tsl_band_length(const struct tsl_band *b, int64_t d)
{
	return tsl_min(b->ncols - tsl_max(d, 0), b->nrows + tsl_min(d, 0));
}

int64_t
tsl_band_padding(const struct tsl_band *b, int64_t d)
{
	enum tsl_align align = b->options.align;
	bool right = d > 0 ? align == TSL_ALIGN_RIGHT_LEFT ||
				     align == TSL_ALIGN_RIGHT_RIGHT
			   : align == TSL_ALIGN_LEFT_RIGHT ||
				     align == TSL_ALIGN_RIGHT_RIGHT;

	/* The main diagonal is as long as any: it has no padding. */
	return right && d != 0 ? b->max_len - tsl_band_length(b, d) : 0;
}

struct tsl_shape
tsl_band_shape(const struct tsl_band *b, const struct tsl_array *matrices)
{
	struct tsl_shape shape = tsl_shape_of(matrices);

	shape.ndim -= 2;
	if (b->ndiags > 1)
		shape.dim[shape.ndim++] = b->ndiags;
	shape.dim[shape.ndim++] = b->max_len;
	return shape;
}

/* The batch dims of 'a', the first n, and one of 'length', all to be moved. */
static void
init_view(struct tsl_view *v, const struct tsl_array *a, int n, int64_t length,
	  int64_t step, const int64_t stride[])
{
	*v = (struct tsl_view){ .ndim = n + 1, .width = a->dtype.size };
	for (int i = 0; i < n; i++) {
		v->dim[i] = a->dim[i];
		v->stride[i] = stride[i];
	}
	v->dim[n] = length;
	v->stride[n] = step;
}

void
tsl_band_select(const struct tsl_band *b, const struct tsl_array *matrices,
		const struct tsl_array *packed, int64_t d,
		struct tsl_view *in_matrices, struct tsl_view *in_packed)
{
	int n = matrices->ndim - 2;
	int64_t length = tsl_band_length(b, d);
	int64_t of[TSL_MAX_DIMS], to[TSL_MAX_DIMS];
	const int64_t *row = &of[n], *column = &of[n + 1];

	tsl_array_strides(matrices, of);
	tsl_array_strides(packed, to);
	init_view(in_matrices, matrices, n, length, *row + *column, of);
	in_matrices->offset = tsl_array_offset(matrices) +
			      tsl_max(-d, 0) * *row + tsl_max(d, 0) * *column;
	init_view(in_packed, packed, n, length, to[packed->ndim - 1], to);
	in_packed->offset = tsl_array_offset(packed) +
			    tsl_band_padding(b, d) * to[packed->ndim - 1];
	if (b->ndiags > 1)
		in_packed->offset += (b->options.upper - d) * to[n];
}

/* ---- by rows ------------------------------------------------------------- */

void
tsl_band_part_init(const struct tsl_band *b, int64_t lower, int64_t upper,
		   struct tsl_band_part *part)
{
	int64_t last;

	part->lower = tsl_max(lower, b->options.lower);
	part->upper = tsl_min(upper, b->options.upper);
	part->first = tsl_max(-part->upper, 0);
	last = tsl_min(b->nrows, b->ncols - part->lower) - 1;
	part->nrows = part->lower > part->upper
			      ? 0
			      : tsl_max(last - part->first + 1, 0);
}

/*
 * From the lowest diagonal on they grow longer, then all of them are as long as
 * the matrix is wide or high, then they grow shorter.
 */
int
tsl_band_parts(const struct tsl_band *b,
	       struct tsl_band_part part[TSL_BAND_PARTS])
{
	int64_t longest[] = { tsl_min(b->ncols - b->nrows, 0),
			      tsl_max(b->ncols - b->nrows, 0) };
	int64_t lower[] = { b->options.lower, longest[0], longest[1] + 1 };
	int64_t upper[] = { longest[0] - 1, longest[1], b->options.upper };
	int n = 0;

	for (int i = 0; i < TSL_BAND_PARTS; i++) {
		tsl_band_part_init(b, lower[i], upper[i], &part[n]);
		n += part[n].nrows > 0;
	}
	return n;
}

/* Where in the packed array of strides 'to' row 'row' has its element of d. */
static int64_t
place_of(const struct tsl_band *b, int64_t row, int64_t d, const int64_t to[2])
{
	int64_t along = row - tsl_max(-d, 0);

	return (b->options.upper - d) * to[0] +
	       (tsl_band_padding(b, d) + along) * to[1];
}

void
tsl_band_select_row(const struct tsl_band *b, const struct tsl_array *matrices,
		    const struct tsl_array *packed,
		    const struct tsl_band_part *part, int64_t row,
		    struct tsl_view *in_matrices, struct tsl_view *in_packed)
{
	int n = matrices->ndim - 2;
	int64_t lower = tsl_max(part->lower, -row);
	int64_t upper = tsl_min(part->upper, b->ncols - 1 - row);
	int64_t of[TSL_MAX_DIMS], to[TSL_MAX_DIMS];
	int64_t first, step;

	tsl_array_strides(matrices, of);
	tsl_array_strides(packed, to);
	first = place_of(b, row, lower, &to[n]);
	step = lower < upper ? place_of(b, row, lower + 1, &to[n]) - first : 0;
	init_view(in_matrices, matrices, n, upper - lower + 1, of[n + 1], of);
	in_matrices->offset = tsl_array_offset(matrices) + row * of[n] +
			      (row + lower) * of[n + 1];
	init_view(in_packed, packed, n, upper - lower + 1, step, to);
	in_packed->offset = first;
}
