/*
 * range.c - a range of a view's elements, as boxes of it
 */
#include "range.h"

bool
tsl_range_next(struct tsl_range *r, struct tsl_view *box, int64_t *at)
{
	if (r->at >= r->end)
		return false;
	*at = r->at;
	r->at += tsl_view_head(r->view, r->at, r->end - r->at, box);
	/* Dims of 1 would tell who cuts it of strides that are never taken. */
	tsl_view_merge(box);
	return true;
}
