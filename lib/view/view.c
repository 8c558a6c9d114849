/*
 * view.c - an array seen through a shape, byte strides and an offset
 */
#include "view.h"

#include "lib/base/overflow.h"

void
tsl_view_select(struct tsl_view *v, const struct tsl_array *a,
		const struct tsl_selection *sel)
{
	bool empty = tsl_selection_is_empty(sel);
	int64_t stride[TSL_MAX_DIMS];

	tsl_array_strides(a, stride);
	*v = (struct tsl_view){ .width = a->dtype.size };
	/* Of what has no elements there is no place. */
	v->offset = empty ? 0 : tsl_array_offset(a);
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

void
tsl_view_swap_dims(struct tsl_view *v, int i, int j)
{
	int64_t dim = v->dim[i], stride = v->stride[i];

	v->dim[i] = v->dim[j];
	v->stride[i] = v->stride[j];
	v->dim[j] = dim;
	v->stride[j] = stride;
}

void
tsl_view_reverse_axes(struct tsl_view *v)
{
	for (int i = 0, j = v->ndim - 1; i < j; i++, j--)
		tsl_view_swap_dims(v, i, j);
}

void
tsl_view_to_bytes(struct tsl_view *v)
{
	if (v->width == 1)
		return;
	v->dim[v->ndim] = v->width;
	v->stride[v->ndim++] = 1;
	v->width = 1;
}

void
tsl_view_split(struct tsl_view *v)
{
	int64_t w = v->width;

	if (w != 2 && w != 4 && w != 8 && w != 16)
		tsl_view_to_bytes(v);
}

/* Does a step of dim d-1 go as far as all of the dim (n, stride)? */
static bool
continues(const struct tsl_view *v, int d, int64_t n, int64_t stride)
{
	int64_t all;

	/* A step across half of all there can be, twice, is too far. */
	return d > 0 && tsl_mul(n, stride, &all) && v->stride[d - 1] == all;
}

/* Does it in all views, of which dim i is the next that has not merged? */
static bool
all_continue(struct tsl_view *const v[], int n, int d, int i)
{
	for (int k = 0; k < n; k++)
		if (!continues(v[k], d, v[k]->dim[i], v[k]->stride[i]))
			return false;
	return true;
}

void
tsl_views_merge(struct tsl_view *const v[], int n)
{
	int ndim = 0;

	for (int i = 0; i < v[0]->ndim; i++) {
		bool merges = all_continue(v, n, ndim, i);

		if (v[0]->dim[i] == 1)
			continue;
		for (int k = 0; k < n; k++) {
			int d = merges ? ndim - 1 : ndim;
			int64_t before = merges ? v[k]->dim[d] : 1;

			v[k]->dim[d] = before * v[k]->dim[i];
			v[k]->stride[d] = v[k]->stride[i];
		}
		ndim += !merges;
	}
	for (int k = 0; k < n; k++)
		v[k]->ndim = ndim;
}

void
tsl_view_merge(struct tsl_view *v)
{
	tsl_views_merge(&v, 1);
}

void
tsl_view_coalesce(struct tsl_view *v)
{
	tsl_view_split(v);
	tsl_view_merge(v);
}

void
tsl_view_span(const struct tsl_view *v, int64_t *lo, int64_t *hi)
{
	*lo = v->offset;
	*hi = v->offset + v->width;
	for (int i = 0; i < v->ndim; i++) {
		int64_t extent = (v->dim[i] - 1) * v->stride[i];

		if (extent < 0)
			*lo += extent;
		else
			*hi += extent;
	}
}

bool
tsl_view_is_forward(const struct tsl_view *v)
{
	int64_t span = v->width;

	for (int i = v->ndim - 1; i >= 0; i--) {
		if (v->dim[i] == 1)
			continue;
		if (v->stride[i] < span)
			return false;
		span += (v->dim[i] - 1) * v->stride[i];
	}
	return true;
}

void
tsl_view_box(const struct tsl_view *v, const int64_t start[],
	     const int64_t extent[], struct tsl_view *box)
{
	*box = *v;
	for (int i = 0; i < v->ndim; i++) {
		box->offset += start[i] * v->stride[i];
		box->dim[i] = extent[i];
	}
}

int64_t
tsl_view_head(const struct tsl_view *v, int64_t first, int64_t n,
	      struct tsl_view *box)
{
	int64_t start[TSL_MAX_DIMS + 1], extent[TSL_MAX_DIMS + 1];
	int64_t inner = 1; /* elements of the whole dims further in */
	bool whole = true;

	for (int i = v->ndim - 1; i >= 0; i--) {
		start[i] = first % v->dim[i];
		first /= v->dim[i];
		extent[i] = 1;
		if (!whole)
			continue;
		extent[i] = v->dim[i] - start[i];
		if (extent[i] > n / inner)
			extent[i] = n / inner;
		whole = extent[i] == v->dim[i] && n / inner > extent[i];
		inner *= extent[i];
	}
	tsl_view_box(v, start, extent, box);
	return inner;
}
