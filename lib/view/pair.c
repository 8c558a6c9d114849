/*
 * pair.c - elements of one array, and their places in another
 */
#include "pair.h"

#include "lib/base/minmax.h"
#include "lib/kernel/kernel.h"
#include "walk.h"

#include <string.h>

/* ---- settling ------------------------------------------------------------ */

static void
drop_dim(struct tsl_view *v, int d)
{
	v->ndim--;
	for (int i = d; i < v->ndim; i++) {
		v->dim[i] = v->dim[i + 1];
		v->stride[i] = v->stride[i + 1];
	}
}

/* Walks dim d the other way round. */
static void
turn_dim(struct tsl_view *v, int d)
{
	v->offset += (v->dim[d] - 1) * v->stride[d];
	v->stride[d] = -v->stride[d];
}

static void
drop_ones(struct tsl_pair *p)
{
	for (int d = p->to.ndim - 1; d >= 0; d--) {
		if (p->to.dim[d] != 1)
			continue;
		drop_dim(&p->from, d);
		drop_dim(&p->to, d);
	}
}

/* Forward in what they go to, the furthest apart outermost. */
static void
sort_dims(struct tsl_pair *p)
{
	for (int i = 0; i < p->to.ndim; i++) {
		if (p->to.stride[i] < 0) {
			turn_dim(&p->from, i);
			turn_dim(&p->to, i);
		}
		for (int j = i; j > 0 && p->to.stride[j - 1] < p->to.stride[j];
		     j--) {
			tsl_view_swap_dims(&p->from, j - 1, j);
			tsl_view_swap_dims(&p->to, j - 1, j);
		}
	}
}

static bool
continues(const struct tsl_view *v, int d)
{
	return v->stride[d] == v->dim[d + 1] * v->stride[d + 1];
}

/* Dim d takes in the next. */
static void
merge_dim(struct tsl_view *v, int d)
{
	v->dim[d + 1] *= v->dim[d];
	drop_dim(v, d);
}

static void
merge_dims(struct tsl_pair *p)
{
	for (int d = p->to.ndim - 2; d >= 0; d--) {
		if (!continues(&p->from, d) || !continues(&p->to, d))
			continue;
		merge_dim(&p->from, d);
		merge_dim(&p->to, d);
	}
}

void
tsl_pair_settle(struct tsl_pair *p)
{
	tsl_view_split(&p->from);
	tsl_view_split(&p->to);
	drop_ones(p);
	sort_dims(p);
	merge_dims(p);
}

/* ---- parts --------------------------------------------------------------- */

int64_t
tsl_pair_before(const struct tsl_pair *p, int64_t offset)
{
	const struct tsl_view *to = &p->to;
	int64_t inner = tsl_view_count(to);
	int64_t left = offset - to->offset;
	int64_t n = 0;

	for (int d = 0; d < to->ndim && left > 0; d++) {
		int64_t whole = left / to->stride[d];

		if (whole >= to->dim[d])
			return n + inner;
		inner /= to->dim[d];
		n += whole * inner;
		left -= whole * to->stride[d];
	}
	return left > 0 ? n + 1 : n;
}

int64_t
tsl_pair_head(const struct tsl_pair *p, int64_t first, int64_t n,
	      struct tsl_pair *box)
{
	tsl_view_head(&p->from, first, n, &box->from);
	return tsl_view_head(&p->to, first, n, &box->to);
}

void
tsl_pair_halve(const struct tsl_pair *p, const struct tsl_view *by,
	       struct tsl_pair half[2])
{
	int64_t most = -1, n;
	int widest = 0;

	for (int d = 0; d < by->ndim; d++) {
		int64_t reach = (by->dim[d] - 1) * tsl_magnitude(by->stride[d]);

		if (by->dim[d] > 1 && reach > most) {
			most = reach;
			widest = d;
		}
	}
	n = by->dim[widest] / 2;
	half[0] = half[1] = *p;
	half[0].from.dim[widest] = half[0].to.dim[widest] = n;
	half[1].from.dim[widest] -= n;
	half[1].to.dim[widest] -= n;
	half[1].from.offset += n * p->from.stride[widest];
	half[1].to.offset += n * p->to.stride[widest];
}

/* ---- copying ------------------------------------------------------------- */

static bool
has_inner_of(const struct tsl_view *v, int64_t stride)
{
	return v->ndim > 0 && v->stride[v->ndim - 1] == stride;
}

/* Rows that are side by side on both sides, and as long as an element can be.
 */
static void
widen(struct tsl_pair *p)
{
	int64_t w = p->to.width;
	int64_t row = p->to.ndim > 0 ? w * p->to.dim[p->to.ndim - 1] : 0;

	if (!has_inner_of(&p->from, w) || !has_inner_of(&p->to, w) ||
	    (row != 2 && row != 4 && row != 8 && row != 16))
		return;
	p->from.ndim--;
	p->to.ndim--;
	p->from.width = p->to.width = row;
}

/* The planes of the two innermost dims, one after the other. */
struct walk {
	const struct tsl_pair *p;
	int64_t index[TSL_MAX_DIMS + 1];
	int64_t from, to; /* from those of the first plane */
};

static bool
next_plane(struct walk *w)
{
	const struct tsl_view *from = &w->p->from, *to = &w->p->to;

	for (int d = to->ndim - 3; d >= 0; d--) {
		w->from += from->stride[d];
		w->to += to->stride[d];
		if (++w->index[d] < to->dim[d])
			return true;
		w->from -= to->dim[d] * from->stride[d];
		w->to -= to->dim[d] * to->stride[d];
		w->index[d] = 0;
	}
	return false;
}

/* The dim that is 'up' dims out from the innermost; a dim of 1 if none is. */
static int64_t
stride_of(const struct tsl_view *v, int up)
{
	return v->ndim > up ? v->stride[v->ndim - 1 - up] : 0;
}

static int64_t
dim_of(const struct tsl_view *v, int up)
{
	return v->ndim > up ? v->dim[v->ndim - 1 - up] : 1;
}

static void
spread(const struct tsl_pair *p, const char *src, char *dst)
{
	tsl_spread *kernel = tsl_spread_for(p->to.width);
	struct walk w = { .p = p };

	do
		kernel(dst + w.to, stride_of(&p->to, 1), stride_of(&p->to, 0),
		       src + w.from, stride_of(&p->from, 1),
		       stride_of(&p->from, 0), dim_of(&p->to, 1),
		       dim_of(&p->to, 0));
	while (next_plane(&w));
}

/* Rows that are side by side on both sides. */
static void
copy_rows(const struct tsl_pair *p, const char *src, char *dst)
{
	size_t row = (size_t)(dim_of(&p->to, 0) * p->to.width);
	struct walk w = { .p = p };

	do
		for (int64_t r = 0; r < dim_of(&p->to, 1); r++)
			memcpy(dst + w.to + r * stride_of(&p->to, 1),
			       src + w.from + r * stride_of(&p->from, 1), row);
	while (next_plane(&w));
}

/* The kernels of views read no element twice. */
static bool
repeats(const struct tsl_view *v)
{
	for (int d = 0; d < v->ndim; d++)
		if (v->stride[d] == 0 && v->dim[d] > 1)
			return true;
	return false;
}

bool
tsl_pair_is_dense(const struct tsl_pair *p)
{
	return has_inner_of(&p->to, p->to.width) && !repeats(&p->from);
}

void
tsl_pair_copy(const struct tsl_pair *p, const char *src, int64_t src_lo,
	      char *dst, int64_t dst_lo)
{
	struct tsl_pair wide = *p;
	int64_t from = p->from.offset - src_lo;
	int64_t to = p->to.offset - dst_lo;

	widen(&wide);
	if (has_inner_of(&wide.to, wide.to.width) &&
	    has_inner_of(&wide.from, wide.to.width))
		copy_rows(&wide, src + from, dst + to);
	else if (tsl_pair_is_dense(&wide))
		tsl_view_fill(&wide.from, wide.to.stride, src, src_lo,
			      dst + to);
	else
		spread(&wide, src + from, dst + to);
}
