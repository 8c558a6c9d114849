/*
 * cut.c - a view cut into boxes, each small enough to be made at once
 */
#include "cut.h"

#include "lib/base/minmax.h"
#include "walk.h"

/*
 * One write of so much costs no more for each byte than a larger one, and what
 * is written is still in the second cache.
 */
#define ONE_RUN ((int64_t)2 * 1024 * 1024)

#define PAGE 4096
#define STAGGER 64 /* elements: a tile */
#define LINE 64

/*
 * Where rows begin differently within such a unit it is a small part of a run,
 * as boxes overlap by that much.
 */
#define MIN_UNIT ((int64_t)16 * 1024)
#define UNITS_PER_RUN 8
#define STEPS_PER_RUN 16

/* Where they begin alike longer runs gain nothing. */
#define EVEN_RUN ((int64_t)64 * 1024)

#define MIN_WHOLE_ROWS 8
#define MAX_WHOLE_ROWS ((int64_t)8 * 1024 * 1024)

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
		if (cut->extent[d] < v->dim[d])
			return;
	}
}

/* ---- rows of the output -------------------------------------------------- */

/* The rows are of the outermost dim such that all further in are whole. */
static void
find_rows(struct tsl_cut *cut)
{
	const struct tsl_view *v = &cut->view;
	int d = v->ndim - 1;

	while (d > 0 && cut->extent[d] == v->dim[d])
		d--;
	cut->outer = d > 0 ? d : 0;
	cut->row = cut->run = v->width;
	for (int i = cut->outer; i < v->ndim; i++) {
		cut->row *= v->dim[i];
		cut->run *= cut->extent[i];
	}
}

/* The largest power of two that divides n, and the largest up to n. */
static int64_t
power_of_two_in(int64_t n)
{
	return n & -n;
}

static int64_t
power_of_two_below(int64_t n)
{
	return (int64_t)1 << (63 - __builtin_clzll((unsigned long long)n));
}

/* Whether rows begin at the same place of such units. */
static bool
begin_alike(const struct tsl_cut *cut)
{
	return power_of_two_in(cut->row) >= MIN_UNIT;
}

/* Bytes of an element of the dim that is cut. */
static int64_t
step_of(const struct tsl_cut *cut)
{
	return cut->view.ndim > 0 ? cut->row / cut->view.dim[cut->outer] : 1;
}

/*
 * How many whole rows to take instead of parts of more; 0 if too little would
 * come from one place of the input.  A page would be read twice; of shorter
 * runs half will do.  Where runs had better be aligned, a quarter; a power of
 * two of rows splits few cache lines.
 */
static int64_t
count_whole_rows(const struct tsl_cut *cut, const struct tsl_cut_limits *limits)
{
	int64_t n = tsl_min(limits->out, MAX_WHOLE_ROWS) / cut->row;
	int64_t least = limits->run < PAGE ? limits->run / 2 : limits->run;

	if (limits->is_aligned && limits->run < PAGE) {
		least = tsl_max(limits->run / 4,
				MIN_WHOLE_ROWS * cut->view.width);
		n = n > 0 ? power_of_two_below(n) : 0;
	}
	return n * cut->view.width >= least ? n : 0;
}

/* Fewer rows, but whole ones, are one run: better, unless runs begin alike. */
static void
take_whole_rows(struct tsl_cut *cut, const struct tsl_cut_limits *limits)
{
	int64_t n = count_whole_rows(cut, limits);
	int d = cut->outer;

	if (d == 0 || cut->run == cut->row || !is_one_run(cut, d - 1) ||
	    n == 0 || n >= cut->extent[d - 1] ||
	    (limits->is_aligned && begin_alike(cut)))
		return;
	cut->extent[d - 1] = n;
	cut->extent[d] = cut->view.dim[d];
	find_rows(cut);
}

/* Whether all rows begin alike. */
static bool
is_even(const struct tsl_cut *cut)
{
	return cut->row % cut->unit == 0;
}

/* The largest such that a run of it has room. */
static int64_t
even_unit(const struct tsl_cut *cut, int64_t origin)
{
	int64_t unit = tsl_min(power_of_two_in(cut->row), EVEN_RUN);

	while (unit > 1 && unit + origin % unit > cut->run)
		unit /= 2;
	return unit;
}

/*
 * The last run of a row is longer by what the first is shorter.  Where rows
 * begin differently boxes overlap by a unit, too.
 */
static bool
align_runs(struct tsl_cut *cut, const struct tsl_cut_limits *limits)
{
	int64_t origin = limits->origin;
	int64_t element = tsl_max(limits->element, cut->view.width);
	bool even = begin_alike(cut);
	int64_t unit = even ? even_unit(cut, origin)
			    : power_of_two_below(cut->run) / UNITS_PER_RUN;
	int64_t slack = even ? origin % unit : unit;
	int64_t run = even ? tsl_min(cut->run, EVEN_RUN + slack) : cut->run;

	if (unit < MIN_UNIT || step_of(cut) > run / STEPS_PER_RUN ||
	    unit % element != 0 || origin % element != 0 ||
	    cut->run == cut->row || is_one_run(cut, cut->outer))
		return false;
	cut->origin = origin;
	cut->unit = unit;
	cut->slack = slack;
	cut->run = (run - slack) / unit * unit;
	return true;
}

static int64_t
runs_of_row(const struct tsl_cut *cut)
{
	return (cut->row - 1) / cut->run + 1;
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
	find_rows(cut);
	take_whole_rows(cut, limits);
	if (!limits->is_aligned || !align_runs(cut, limits)) {
		stagger_rows(cut, cut->outer);
		find_rows(cut);
	}
	cut->count = runs_of_row(cut);
	for (int i = 0; i < cut->outer; i++)
		cut->count *= (view->dim[i] - 1) / cut->extent[i] + 1;
}

/* ---- boxes --------------------------------------------------------------- */

/*
 * Bytes in memory from one run of a box to the next, if they are aligned: what
 * a power of two lies between would evict each other from a cache.
 */
static int64_t
pitch_of(const struct tsl_cut *cut)
{
	int64_t step = step_of(cut);
	int64_t extent = (cut->run + cut->slack) / step + 2;

	return (extent * step + LINE - 1) / LINE * LINE + LINE;
}

int64_t
tsl_cut_nbytes(const struct tsl_cut *cut)
{
	int64_t nbytes = cut->unit ? pitch_of(cut) : cut->run;

	for (int i = 0; i < cut->outer; i++)
		nbytes *= cut->extent[i];
	return nbytes;
}

/* The place in a row, whose first byte is 'row' of the output, that is aligned
   and not behind 'at'. */
static int64_t
align(const struct tsl_cut *cut, int64_t row, int64_t at)
{
	if (cut->unit == 0 || at == 0 || at == cut->row)
		return at;
	return at - (cut->origin + row + at) % cut->unit;
}

/* Of the dim that is cut what any of the box's runs has. */
static void
cover_runs(struct tsl_box *box, int64_t *start, int64_t *extent)
{
	const struct tsl_cut *cut = box->cut;
	int64_t step = step_of(cut);
	int64_t begin = align(cut, box->row, box->begin);
	int64_t end = box->end;

	if (cut->unit && is_even(cut))
		end = align(cut, box->row, end);
	else if (cut->unit && begin > 0)
		begin = box->begin - cut->unit + 1;
	*start = begin / step;
	*extent = (end - 1) / step + 1 - *start;
	box->at = *start * step;
}

void
tsl_cut_box(const struct tsl_cut *cut, int64_t i, struct tsl_box *box)
{
	const struct tsl_view *v = &cut->view;
	int64_t start[TSL_MAX_DIMS + 1] = { 0 }, extent[TSL_MAX_DIMS + 1];
	int64_t runs = runs_of_row(cut);
	int64_t stride = cut->row;

	*box = (struct tsl_box){ .cut = cut, .begin = i % runs * cut->run };
	box->end = tsl_min(box->begin + cut->run, cut->row);
	i /= runs;
	for (int d = cut->outer - 1; d >= 0; d--) {
		int64_t n = (v->dim[d] - 1) / cut->extent[d] + 1;

		start[d] = i % n * cut->extent[d];
		extent[d] = tsl_min(cut->extent[d], v->dim[d] - start[d]);
		box->row += start[d] * stride;
		stride *= v->dim[d];
		i /= n;
	}
	for (int d = cut->outer; d < v->ndim; d++)
		extent[d] = v->dim[d];
	if (v->ndim > 0)
		cover_runs(box, &start[cut->outer], &extent[cut->outer]);
	tsl_view_box(v, start, extent, &box->view);
}

void
tsl_box_stride(const struct tsl_box *box, int64_t stride[])
{
	const struct tsl_cut *cut = box->cut;
	int64_t apart;

	tsl_view_dense(&box->view, stride);
	if (cut->unit == 0)
		return;
	apart = pitch_of(cut);
	for (int d = cut->outer - 1; d >= 0; d--) {
		stride[d] = apart;
		apart *= box->view.dim[d];
	}
}

/* What of the row that begins at byte 'row' of the output, and at 'memory' of
   the box, is written. */
static void
set_run(const struct tsl_box *box, struct tsl_run *run, int64_t row,
	int64_t memory)
{
	int64_t begin = align(box->cut, row, box->begin);

	run->first = row + begin;
	run->nbytes = align(box->cut, row, box->end) - begin;
	run->at = memory + begin - box->at;
}

void
tsl_box_first_run(const struct tsl_box *box, struct tsl_run *run)
{
	*run = (struct tsl_run){ .first = 0 };
	set_run(box, run, box->row, 0);
}

bool
tsl_box_next_run(const struct tsl_box *box, struct tsl_run *run)
{
	const struct tsl_cut *cut = box->cut;
	int64_t stride[TSL_MAX_DIMS + 1];
	int64_t row = box->row, memory = 0;
	int64_t apart = cut->row;
	int d = cut->outer - 1;

	while (d >= 0 && ++run->index[d] == box->view.dim[d])
		run->index[d--] = 0;
	if (d < 0)
		return false;
	tsl_box_stride(box, stride);
	for (d = cut->outer - 1; d >= 0; d--) {
		row += run->index[d] * apart;
		memory += run->index[d] * stride[d];
		apart *= cut->view.dim[d];
	}
	set_run(box, run, row, memory);
	return true;
}

bool
tsl_box_is_one_run(const struct tsl_box *box)
{
	for (int d = 0; d < box->cut->outer; d++)
		if (box->view.dim[d] > 1)
			return false;
	return true;
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
