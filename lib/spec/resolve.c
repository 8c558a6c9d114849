/*
 * resolve.c - an encoding applied to a shape
 *
 * Indices are int64 over their whole range.  Nothing here negates a stride
 * (-INT64_MIN is undefined) or forms begin + count * stride: a loop over the
 * result goes by count.  TensorFlow Lite had a heap overflow from a loop that
 * went by address (tensorflow pull request 124643).
 */
#include "resolve.h"

/* How many input axes each item takes, with an ellipsis filled in. */
struct layout {
	int nitems;
	enum tsl_item_kind kind[TSL_MAX_ITEMS + 1];
	int ellipsis; /* the item that takes what the others leave */
	int taken; /* axes taken by all the other items */
};

static void
lay_out(struct layout *lay, const struct tsl_encoding *e)
{
	*lay = (struct layout){ .nitems = e->nitems, .ellipsis = -1 };
	for (int i = 0; i < e->nitems; i++) {
		lay->kind[i] = tsl_encoding_kind(e, i);
		if (lay->kind[i] == TSL_ITEM_ELLIPSIS)
			lay->ellipsis = i;
		else if (lay->kind[i] != TSL_ITEM_NEWAXIS)
			lay->taken++;
	}
	if (lay->ellipsis < 0) {
		lay->ellipsis = lay->nitems;
		lay->kind[lay->nitems++] = TSL_ITEM_ELLIPSIS;
	}
}

static enum tsl_status
too_many(const struct layout *lay, int ndim, struct tsl_error *err)
{
	int left = ndim;
	int i = 0;

	for (; i < lay->nitems; i++)
		if (lay->kind[i] == TSL_ITEM_INDEX ||
		    lay->kind[i] == TSL_ITEM_RANGE)
			if (left-- == 0)
				break;
	return tsl_fail_item(err, TSL_ETOO_MANY_INDICES, i,
			     "too many indices: %d for an array of %d "
			     "dimension%s",
			     lay->taken, ndim, ndim == 1 ? "" : "s");
}

static enum tsl_status
resolve_index(struct tsl_axis *axis, int item, int64_t index, int64_t dim,
	      struct tsl_error *err)
{
	int64_t x = index;

	axis->shrunk = true;
	axis->count = 1;
	axis->step = 1;
	if (dim == TSL_UNKNOWN)
		return TSL_OK;
	if (x < 0)
		x += dim;
	if (x < 0 || x >= dim)
		return tsl_fail_item(err, TSL_EINDEX_OUT_OF_RANGE, item,
				     "index %lld is out of range for axis %d "
				     "of size %lld",
				     (long long)index, axis->source,
				     (long long)dim);
	axis->begin = x;
	return TSL_OK;
}

static int64_t
clamp(int64_t x, int64_t lo, int64_t hi)
{
	return x < lo ? lo : x > hi ? hi : x;
}

/* begin, begin + step, ... before end; both already within [-1, dim]. */
static int64_t
count_steps(int64_t begin, int64_t end, int64_t step)
{
	if (step > 0)
		return begin < end ? (end - begin - 1) / step + 1 : 0;
	if (begin <= end)
		return 0;
	return (int64_t)((uint64_t)(begin - end - 1) / (0 - (uint64_t)step)) +
	       1;
}

static void
resolve_range(struct tsl_axis *axis, const struct tsl_encoding *e, int item,
	      int64_t dim)
{
	int64_t step = e->strides[item];
	bool masked_begin = e->begin_mask >> item & 1;
	bool masked_end = e->end_mask >> item & 1;
	int64_t lo = step > 0 ? 0 : -1;
	int64_t hi = step > 0 ? dim : dim - 1;
	int64_t begin = e->begin[item];
	int64_t end = e->end[item];

	axis->step = step;
	axis->count = TSL_UNKNOWN;
	if (dim == TSL_UNKNOWN)
		return;
	begin = clamp(begin < 0 ? begin + dim : begin, lo, hi);
	end = clamp(end < 0 ? end + dim : end, lo, hi);
	if (masked_begin)
		begin = step > 0 ? lo : hi;
	if (masked_end)
		end = step > 0 ? hi : lo;
	axis->begin = begin;
	axis->count = count_steps(begin, end, step);
}

static void
take_whole(struct tsl_selection *sel, const struct tsl_shape *shape, int source,
	   int n)
{
	for (int i = source; i < source + n; i++)
		sel->axis[sel->naxes++] = (struct tsl_axis){
			.source = i,
			.count = shape->dim[i],
			.step = 1,
		};
}

static enum tsl_status
check_rank(const struct tsl_selection *sel, struct tsl_error *err)
{
	int ndim = 0;

	for (int i = 0; i < sel->naxes; i++)
		ndim += !sel->axis[i].shrunk;
	if (ndim > TSL_MAX_DIMS)
		return tsl_array_fail_rank(ndim, err);
	return TSL_OK;
}

static enum tsl_status
resolve_items(struct tsl_selection *sel, const struct layout *lay,
	      const struct tsl_encoding *e, const struct tsl_shape *shape,
	      struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;
	int source = 0;

	for (int i = 0; i < lay->nitems && !status; i++) {
		struct tsl_axis *axis = &sel->axis[sel->naxes];

		if (lay->kind[i] == TSL_ITEM_ELLIPSIS) {
			take_whole(sel, shape, source,
				   shape->ndim - lay->taken);
			source += shape->ndim - lay->taken;
			continue;
		}
		sel->naxes++;
		if (lay->kind[i] == TSL_ITEM_NEWAXIS) {
			*axis = (struct tsl_axis){ -1, false, 0, 1, 1 };
			continue;
		}
		*axis = (struct tsl_axis){ .source = source };
		if (lay->kind[i] == TSL_ITEM_INDEX)
			status = resolve_index(axis, i, e->begin[i],
					       shape->dim[source], err);
		else
			resolve_range(axis, e, i, shape->dim[source]);
		source++;
	}
	return status;
}

enum tsl_status
tsl_resolve(struct tsl_selection *sel, const struct tsl_encoding *e,
	    const struct tsl_shape *shape, struct tsl_error *err)
{
	struct layout lay;
	enum tsl_status status;

	sel->naxes = 0;
	sel->known_rank = shape->ndim != TSL_UNKNOWN;
	if (!sel->known_rank)
		return TSL_OK;
	lay_out(&lay, e);
	if (lay.taken > shape->ndim)
		return too_many(&lay, shape->ndim, err);
	status = resolve_items(sel, &lay, e, shape, err);
	return status ? status : check_rank(sel, err);
}

void
tsl_select_all(struct tsl_selection *sel, const struct tsl_shape *shape)
{
	sel->known_rank = true;
	sel->naxes = 0;
	take_whole(sel, shape, 0, shape->ndim);
}

bool
tsl_selection_is_empty(const struct tsl_selection *sel)
{
	for (int i = 0; i < sel->naxes; i++)
		if (sel->axis[i].count == 0)
			return true;
	return false;
}

struct tsl_shape
tsl_selection_shape(const struct tsl_selection *sel)
{
	struct tsl_shape s = { .ndim = sel->known_rank ? 0 : TSL_UNKNOWN };

	for (int i = 0; i < sel->naxes; i++)
		if (!sel->axis[i].shrunk)
			s.dim[s.ndim++] = sel->axis[i].count;
	return s;
}
