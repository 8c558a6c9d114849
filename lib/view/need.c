/*
 * need.c - the bytes that a view is made of, as ranges in ascending order
 */
#include "need.h"

#include "lib/base/minmax.h"

/* Dims that lead anywhere, by how far apart their elements are. */
static int
sort_dims(const struct tsl_view *v, int order[])
{
	int n = 0;

	for (int i = 0; i < v->ndim; i++) {
		int64_t stride = tsl_magnitude(v->stride[i]);
		int j = n;

		if (v->dim[i] == 1 || stride == 0)
			continue;
		while (j > 0 &&
		       tsl_magnitude(v->stride[order[j - 1]]) > stride) {
			order[j] = order[j - 1];
			j--;
		}
		order[j] = i;
		n++;
	}
	return n;
}

/*
 * Inner dims with small gaps are one block.  A dim whose elements lie among
 * those of the ones within it, as none of an array does, is one as well: then
 * the order of the dims is the order of the bytes.
 */
void
tsl_need_init(struct tsl_need *need, const struct tsl_view *v, int64_t gap)
{
	int order[TSL_MAX_DIMS + 1];
	struct tsl_view *blocks = &need->blocks;
	int64_t span = v->width;
	int n, first = 0;

	*need = (struct tsl_need){ .gap = gap };
	need->ended = v->width == 0 || tsl_view_count(v) == 0;
	if (need->ended)
		return;
	n = sort_dims(v, order);
	blocks->width = span;
	for (int i = 0; i < n; i++) {
		int64_t stride = tsl_magnitude(v->stride[order[i]]);
		int64_t between = stride - span;

		span += stride * (v->dim[order[i]] - 1);
		if (between < 0 || (first == i && between < gap)) {
			blocks->width = span;
			first = i + 1;
		}
	}
	tsl_view_span(v, &need->at, &span);
	blocks->ndim = n - first;
	for (int i = first; i < n; i++) {
		int d = n - 1 - i;

		blocks->dim[d] = v->dim[order[i]];
		blocks->stride[d] = tsl_magnitude(v->stride[order[i]]);
	}
}

/* Moves on to the next block. */
static void
next_block(struct tsl_need *need)
{
	const struct tsl_view *b = &need->blocks;

	for (int d = b->ndim - 1; d >= 0; d--) {
		need->at += b->stride[d];
		if (++need->index[d] < b->dim[d])
			return;
		need->at -= b->dim[d] * b->stride[d];
		need->index[d] = 0;
	}
	need->ended = true;
}

bool
tsl_need_next(struct tsl_need *need, int64_t *lo, int64_t *hi)
{
	if (need->ended)
		return false;
	*lo = need->at;
	do {
		*hi = need->at + need->blocks.width;
		next_block(need);
	} while (!need->ended && need->at - *hi < need->gap);
	return true;
}
