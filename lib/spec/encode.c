/*
 * encode.c - a slice as TensorFlow's strided_slice takes it
 */
#include "encode.h"

static uint32_t
bit(int i)
{
	return UINT32_C(1) << i;
}

enum tsl_item_kind
tsl_encoding_kind(const struct tsl_encoding *e, int i)
{
	if (e->ellipsis_mask & bit(i))
		return TSL_ITEM_ELLIPSIS;
	if (e->new_axis_mask & bit(i))
		return TSL_ITEM_NEWAXIS;
	if (e->shrink_axis_mask & bit(i))
		return TSL_ITEM_INDEX;
	return TSL_ITEM_RANGE;
}

/* TensorFlow's encoder writes v + 1; at INT64_MAX there is no such number. */
static int64_t
end_of_index(int64_t begin)
{
	return begin == INT64_MAX ? begin : begin + 1;
}

static void
encode_range(struct tsl_encoding *e, int i, const struct tsl_item *item)
{
	e->begin[i] = item->value[TSL_BEGIN];
	e->end[i] = item->value[TSL_END];
	e->strides[i] = item->value[TSL_STEP];
	if (!item->given[TSL_BEGIN])
		e->begin_mask |= bit(i);
	if (!item->given[TSL_END])
		e->end_mask |= bit(i);
}

static void
encode_item(struct tsl_encoding *e, int i, const struct tsl_item *item)
{
	e->strides[i] = 1;
	switch (item->kind) {
	case TSL_ITEM_ELLIPSIS:
		e->ellipsis_mask |= bit(i);
		break;
	case TSL_ITEM_NEWAXIS:
		e->new_axis_mask |= bit(i);
		break;
	case TSL_ITEM_INDEX:
		e->shrink_axis_mask |= bit(i);
		e->begin[i] = item->value[TSL_BEGIN];
		e->end[i] = end_of_index(e->begin[i]);
		break;
	case TSL_ITEM_RANGE:
		encode_range(e, i, item);
		break;
	}
}

enum tsl_status
tsl_encode(struct tsl_encoding *e, const struct tsl_spec *spec,
	   struct tsl_error *err)
{
	*e = (struct tsl_encoding){ .nitems = spec->nitems };
	for (int i = 0; i < spec->nitems; i++) {
		const struct tsl_item *item = &spec->item[i];

		if (item->kind == TSL_ITEM_ELLIPSIS && e->ellipsis_mask)
			return tsl_fail_at(err, TSL_EMULTIPLE_ELLIPSIS,
					   item->place.pos, item->place.len,
					   "more than one '...'");
		encode_item(e, i, item);
	}
	/* After the ellipses, as TensorFlow does. */
	for (int i = 0; i < spec->nitems; i++) {
		const struct tsl_place *step = &spec->item[i].part[TSL_STEP];

		if (e->strides[i] == 0)
			return tsl_fail_at(err, TSL_EZERO_STRIDE, step->pos,
					   step->len, "the step is zero");
	}
	return TSL_OK;
}

static enum tsl_status
check_lengths(const struct tsl_vectors *v, struct tsl_error *err)
{
	if (v->nbegin != v->nend ||
	    (v->nstrides != v->nbegin && v->nstrides != -1))
		return tsl_fail(
			err, TSL_ELENGTH_MISMATCH,
			"begin, end and strides differ in length: %lld, "
			"%lld and %lld",
			(long long)v->nbegin, (long long)v->nend,
			(long long)(v->nstrides < 0 ? v->nbegin : v->nstrides));
	if (v->nbegin > TSL_MAX_ITEMS)
		return tsl_fail(err, TSL_ETOO_MANY_SPECS,
				"%lld items; the masks have room for %d",
				(long long)v->nbegin, TSL_MAX_ITEMS);
	/* On the whole mask, bits of items that there are not included. */
	if (v->ellipsis_mask & (v->ellipsis_mask - 1))
		return tsl_fail(err, TSL_EMULTIPLE_ELLIPSIS,
				"ellipsis_mask has more than one bit set");
	return TSL_OK;
}

/* Drops what is not looked at, now that it is known what item i is. */
static void
normalise_item(struct tsl_encoding *e, int i)
{
	enum tsl_item_kind kind = tsl_encoding_kind(e, i);

	if (kind == TSL_ITEM_INDEX) {
		e->end[i] = end_of_index(e->begin[i]);
		e->strides[i] = 1;
		return;
	}
	if (kind != TSL_ITEM_RANGE)
		e->strides[i] = 1;
	if (kind != TSL_ITEM_RANGE || (e->begin_mask & bit(i)))
		e->begin[i] = 0;
	if (kind != TSL_ITEM_RANGE || (e->end_mask & bit(i)))
		e->end[i] = 0;
}

static enum tsl_status
check_stride(const struct tsl_encoding *e, int i, struct tsl_error *err)
{
	enum tsl_item_kind kind = tsl_encoding_kind(e, i);

	if (kind == TSL_ITEM_ELLIPSIS || kind == TSL_ITEM_NEWAXIS)
		return TSL_OK;
	if (e->strides[i] == 0)
		return tsl_fail_item(err, TSL_EZERO_STRIDE, i,
				     "strides[%d] is zero", i);
	if (kind == TSL_ITEM_INDEX && e->strides[i] < 0)
		return tsl_fail_item(err, TSL_EBAD_SHRINK_STRIDE, i,
				     "strides[%d] is negative, but "
				     "shrink_axis_mask makes item %d an index",
				     i, i);
	return TSL_OK;
}

enum tsl_status
tsl_encode_vectors(struct tsl_encoding *e, const struct tsl_vectors *v,
		   struct tsl_error *err)
{
	enum tsl_status status = check_lengths(v, err);

	if (status)
		return status;
	*e = (struct tsl_encoding){
		.nitems = (int)v->nbegin,
		.begin_mask = v->begin_mask,
		.end_mask = v->end_mask,
		.ellipsis_mask = v->ellipsis_mask,
		.new_axis_mask = v->new_axis_mask,
		.shrink_axis_mask = v->shrink_axis_mask,
	};
	for (int i = 0; i < e->nitems; i++) {
		e->begin[i] = v->begin[i];
		e->end[i] = v->end[i];
		e->strides[i] = v->nstrides < 0 ? 1 : v->strides[i];
		status = check_stride(e, i, err);
		if (status)
			return status;
		normalise_item(e, i);
	}
	return TSL_OK;
}
