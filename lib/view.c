/*
 * view.c - an array seen through a shape, byte strides and an offset
 */
#include "view.h"

/* An index into each dim of a view. */
typedef int64_t tsl_index[TSL_MAX_DIMS + 1];

static bool
selects_nothing(const struct tsl_selection *sel)
{
	for (int i = 0; i < sel->naxes; i++)
		if (sel->axis[i].count == 0)
			return true;
	return false;
}

void
tsl_view_select(struct tsl_view *v, const struct tsl_array *a,
		const struct tsl_selection *sel)
{
	bool empty = selects_nothing(sel);
	int64_t stride[TSL_MAX_DIMS];

	tsl_array_strides(a, stride);
	*v = (struct tsl_view){ .width = a->dtype.size };
	for (int i = 0; i < sel->naxes; i++) {
		const struct tsl_axis *axis = &sel->axis[i];
		int64_t step = 0;

		/*
		 * Only now is |step| < dim, so that the product fits; and
		 * begin is a position only if something is selected.
		 */
		if (axis->source >= 0 && !empty) {
			v->offset += axis->begin * stride[axis->source];
			if (axis->count > 1)
				step = axis->step * stride[axis->source];
		}
		if (!axis->shrunk) {
			v->dim[v->ndim] = axis->count;
			v->stride[v->ndim++] = step;
		}
	}
}

int64_t
tsl_view_count(const struct tsl_view *v)
{
	int64_t n = 1;

	for (int i = 0; i < v->ndim; i++)
		if (v->dim[i] == 0)
			return 0;
	for (int i = 0; i < v->ndim; i++)
		n *= v->dim[i];
	return n;
}

/* Dense when the axes from 'last' down by 'step' are walked outwards? */
static bool
is_contiguous(const struct tsl_view *v, int last, int step)
{
	int64_t dense = v->width;

	if (tsl_view_count(v) == 0)
		return true;
	for (int i = 0, d = last; i < v->ndim; i++, d -= step) {
		if (v->dim[d] == 1)
			continue;
		if (v->stride[d] != dense)
			return false;
		dense *= v->dim[d];
	}
	return true;
}

bool
tsl_view_is_c(const struct tsl_view *v)
{
	return is_contiguous(v, v->ndim - 1, 1);
}

bool
tsl_view_is_f(const struct tsl_view *v)
{
	return is_contiguous(v, 0, -1);
}

static void
swap(int64_t *a, int64_t *b)
{
	int64_t t = *a;

	*a = *b;
	*b = t;
}

void
tsl_view_reverse_axes(struct tsl_view *v)
{
	for (int i = 0, j = v->ndim - 1; i < j; i++, j--) {
		swap(&v->dim[i], &v->dim[j]);
		swap(&v->stride[i], &v->stride[j]);
	}
}

/* Elements that no typed kernel moves are rows of bytes. */
static void
split_odd_width(struct tsl_view *v)
{
	int64_t w = v->width;

	if (w == 1 || w == 2 || w == 4 || w == 8 || w == 16)
		return;
	v->dim[v->ndim] = w;
	v->stride[v->ndim++] = 1;
	v->width = 1;
}

void
tsl_view_coalesce(struct tsl_view *v)
{
	int ndim = 0;

	split_odd_width(v);
	for (int i = 0; i < v->ndim; i++) {
		if (v->dim[i] == 1)
			continue;
		if (ndim > 0 &&
		    v->stride[ndim - 1] == v->dim[i] * v->stride[i]) {
			v->dim[ndim - 1] *= v->dim[i];
			v->stride[ndim - 1] = v->stride[i];
			continue;
		}
		v->dim[ndim] = v->dim[i];
		v->stride[ndim++] = v->stride[i];
	}
	v->ndim = ndim;
}

static void
unravel(const struct tsl_view *v, int64_t element, tsl_index index)
{
	for (int i = v->ndim - 1; i >= 0; i--) {
		index[i] = element % v->dim[i];
		element /= v->dim[i];
	}
}

/*
 * Widens [*lo, *hi) by the box of all elements whose first d indices are
 * those of 'index' and whose index d is in [from, to].
 */
static void
add_box(const struct tsl_view *v, const tsl_index index, int d, int64_t from,
	int64_t to, int64_t *lo, int64_t *hi)
{
	int64_t first = v->offset;
	int64_t last;

	if (from > to)
		return;
	for (int i = 0; i < d; i++)
		first += index[i] * v->stride[i];
	first += from * v->stride[d];
	last = first + v->width;
	for (int i = d; i < v->ndim; i++) {
		int64_t extent =
			(i == d ? to - from : v->dim[i] - 1) * v->stride[i];

		if (extent < 0)
			first += extent;
		else
			last += extent;
	}
	if (first < *lo)
		*lo = first;
	if (last > *hi)
		*hi = last;
}

/*
 * A range of elements is a union of boxes: below the first dim d in which its
 * ends differ, what is left of the first row, the rows between, and what has
 * begun of the last one; and so on inwards for the two that are not whole.
 */
void
tsl_view_span(const struct tsl_view *v, int64_t first, int64_t n, int64_t *lo,
	      int64_t *hi)
{
	int inner = v->ndim - 1;
	tsl_index a = { 0 }, b = { 0 };
	int d = 0;

	*lo = INT64_MAX;
	*hi = 0;
	if (v->ndim == 0) {
		*lo = v->offset;
		*hi = v->offset + v->width;
		return;
	}
	unravel(v, first, a);
	unravel(v, first + n - 1, b);
	while (d < inner && a[d] == b[d])
		d++;
	if (d == inner) {
		add_box(v, a, d, a[d], b[d], lo, hi);
		return;
	}
	add_box(v, a, d, a[d] + 1, b[d] - 1, lo, hi);
	for (int k = d + 1; k <= inner; k++) {
		add_box(v, a, k, a[k] + (k < inner), v->dim[k] - 1, lo, hi);
		add_box(v, b, k, 0, b[k] - (k < inner), lo, hi);
	}
}
