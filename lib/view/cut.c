/*
 * cut.c - a view cut into boxes, each small enough to be made at once
 */
#include "cut.h"

#include "lib/base/minmax.h"
#include "walk.h"

/* One write of so much costs no more for each byte than a larger one. */
#define ONE_RUN ((int64_t)4 * 1024 * 1024)

#define PAGE 4096
#define STAGGER 64 /* elements: a tile */

/*
 * How many dims there are to cut.  Bytes that lie together in input and output
 * are one element to everybody else, be it that its width is odd: they stay
 * together.
 */
static int
count_dims(const struct tsl_view *v, int64_t limit)
{
	int last = v->ndim - 1;

	return last > 0 && v->stride[last] == v->width &&
			       v->dim[last] <= limit / v->width
		       ? last
		       : v->ndim;
}

/* Of the first n dims of v the one whose elements are closest, or -1. */
static int
closest_dim(const struct tsl_view *v, int n)
{
	int best = -1;

	for (int i = 0; i < n; i++)
		if (best < 0 || tsl_magnitude(v->stride[i]) <
					tsl_magnitude(v->stride[best]))
			best = i;
	return best;
}

/* Bytes between the ends of a box of these extents. */
static int64_t
span_of(const struct tsl_view *v, const int64_t extent[])
{
	int64_t span = v->width;

	for (int i = 0; i < v->ndim; i++)
		span += (extent[i] - 1) * tsl_magnitude(v->stride[i]);
	return span;
}

static int64_t
volume_of(const struct tsl_view *v, const int64_t extent[])
{
	int64_t volume = v->width;

	for (int i = 0; i < v->ndim; i++)
		volume *= extent[i];
	return volume;
}

/* Whole dims from the innermost on, and of one more as much as there is room.
 */
static void
grow_in_order(struct tsl_cut *cut, int n, int64_t limit)
{
	const struct tsl_view *v = &cut->view;

	for (int i = n - 1; i >= 0; i--) {
		int64_t room = limit / volume_of(v, cut->extent);

		cut->extent[i] = tsl_min(v->dim[i], room > 1 ? room : 1);
		if (cut->extent[i] < v->dim[i])
			return;
	}
}

/* Takes from the outermost dims until the span fits. */
static void
shrink_to_span(struct tsl_cut *cut, int n, int64_t limit)
{
	const struct tsl_view *v = &cut->view;

	for (int i = 0; i < n; i++) {
		int64_t stride = tsl_magnitude(v->stride[i]);
		int64_t over = span_of(v, cut->extent) - limit;

		if (over <= 0)
			return;
		if (cut->extent[i] == 1 || stride == 0)
			continue;
		over = (over - 1) / stride + 1;
		cut->extent[i] =
			over < cut->extent[i] ? cut->extent[i] - over : 1;
	}
}

/* How far a dim may grow if the box is to take no more than the limit. */
static void
grow_dim(struct tsl_cut *cut, int d, int64_t limit)
{
	int64_t others = volume_of(&cut->view, cut->extent) / cut->extent[d];
	int64_t room = tsl_max(limit / others, cut->extent[d]);

	cut->extent[d] = tsl_min(cut->view.dim[d], room);
}

/* Are all dims outside this one of 1, so that the box is one run? */
static bool
is_one_run(const struct tsl_cut *cut, int d)
{
	for (int i = 0; i < d; i++)
		if (cut->extent[i] > 1)
			return false;
	return true;
}

/*
 * Rows of a box that are a multiple of a page long would begin in the same few
 * places of a cache, which has then no room for the tops of all of them.
 */
static void
stagger_rows(struct tsl_cut *cut, int d)
{
	int64_t element = cut->view.width;

	for (int i = d + 1; i < cut->view.ndim; i++)
		element *= cut->extent[i];
	if (cut->extent[d] > 2 * STAGGER && !is_one_run(cut, d) &&
	    cut->extent[d] * element % PAGE == 0)
		cut->extent[d] -= STAGGER;
}

/* Neighbours in the input, those of the closest dim first. */
static void
grow_run(struct tsl_cut *cut, int n, int64_t nbytes)
{
	struct tsl_view left = cut->view;
	int d = closest_dim(&left, n);

	while (d >= 0) {
		grow_dim(cut, d, nbytes);
		if (cut->extent[d] < cut->view.dim[d])
			return;
		left.stride[d] = INT64_MAX; /* grown */
		d = closest_dim(&left, n);
		if (left.stride[d] == INT64_MAX)
			return;
	}
}

/*
 * First enough neighbours in the input for a run that is worth reading, then
 * as many in the output as there is room for.  A box that is one run of the
 * output is as well written when it is smaller, and stays in the cache.
 */
static void
grow_both_ways(struct tsl_cut *cut, int n, int64_t run, int64_t limit)
{
	const struct tsl_view *v = &cut->view;

	grow_run(cut, n, tsl_min(run, limit));
	for (int d = n - 1; d >= 0; d--) {
		grow_dim(cut, d,
			 is_one_run(cut, d) ? tsl_min(limit, ONE_RUN) : limit);
		if (cut->extent[d] < v->dim[d]) {
			stagger_rows(cut, d);
			return;
		}
	}
}

void
tsl_cut_init(struct tsl_cut *cut, const struct tsl_view *view,
	     const struct tsl_cut_limits *limits)
{
	int n = count_dims(view, tsl_min(limits->out, limits->in));
	int close = closest_dim(view, n);

	*cut = (struct tsl_cut){ .view = *view, .count = 1 };
	for (int i = 0; i < view->ndim; i++)
		cut->extent[i] = i < n ? 1 : view->dim[i];
	if (close < n - 1 && close >= 0 && !limits->in_order) {
		grow_both_ways(cut, n, limits->run, limits->out);
	} else {
		grow_in_order(cut, n, limits->out);
		if (close == n - 1)
			shrink_to_span(cut, n, limits->in);
	}
	for (int i = 0; i < view->ndim; i++)
		cut->count *= (view->dim[i] - 1) / cut->extent[i] + 1;
}

/* The outermost dim such that all further in are whole in the box. */
static int
first_dim_of_run(const struct tsl_cut *cut, const struct tsl_view *box)
{
	int d = box->ndim - 1;

	while (d > 0 && box->dim[d] == cut->view.dim[d])
		d--;
	return d < 0 ? 0 : d;
}

int64_t
tsl_cut_box(const struct tsl_cut *cut, int64_t i, struct tsl_view *box,
	    int64_t *first)
{
	const struct tsl_view *v = &cut->view;
	int64_t start[TSL_MAX_DIMS + 1], extent[TSL_MAX_DIMS + 1];
	int64_t stride[TSL_MAX_DIMS + 1];
	int64_t run = v->width;

	tsl_view_dense(v, stride);
	*first = 0;
	for (int d = v->ndim - 1; d >= 0; d--) {
		int64_t n = (v->dim[d] - 1) / cut->extent[d] + 1;

		start[d] = i % n * cut->extent[d];
		extent[d] = tsl_min(cut->extent[d], v->dim[d] - start[d]);
		*first += start[d] * stride[d];
		i /= n;
	}
	tsl_view_box(v, start, extent, box);
	for (int d = first_dim_of_run(cut, box); d < v->ndim; d++)
		run *= box->dim[d];
	return run;
}

bool
tsl_cut_next(const struct tsl_cut *cut, const struct tsl_view *box,
	     int64_t index[], int64_t *first)
{
	int64_t stride[TSL_MAX_DIMS + 1];

	tsl_view_dense(&cut->view, stride);
	for (int d = first_dim_of_run(cut, box) - 1; d >= 0; d--) {
		*first += stride[d];
		if (++index[d] < box->dim[d])
			return true;
		*first -= box->dim[d] * stride[d];
		index[d] = 0;
	}
	return false;
}

bool
tsl_cut_is_forward(const struct tsl_cut *cut, int64_t limit)
{
	const struct tsl_view *v = &cut->view;
	int64_t back =
		0; /* from the last of the boxes further in to their first */

	if (span_of(v, cut->extent) > limit)
		return false;
	for (int d = v->ndim - 1; d >= 0; d--) {
		int64_t step = cut->extent[d] * v->stride[d];

		if (cut->extent[d] == v->dim[d])
			continue;
		if (step < back)
			return false;
		back += (v->dim[d] - 1) / cut->extent[d] * step;
	}
	return true;
}
