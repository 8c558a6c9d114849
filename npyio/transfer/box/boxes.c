/*
 * boxes.c - the output of a job that is a view, box by box
 *
 * Each worker makes a box in a buffer of its own, which it uses again and
 * again, and writes it where it belongs; with one worker the boxes come in
 * order, as a pipe needs them.  Where a device makes the boxes, a worker does
 * what is left: it reads the input, sends it, and writes what comes back.
 */
#include "boxes.h"

#include "diagonals.h"
#include "grid.h"
#include "layers.h"
#include "lib/base/minmax.h"
#include "lib/view/walk.h"
#include "npyio/file/workers.h"
#include "npyio/transfer/common/buffer.h"
#include "npyio/transfer/common/fetch.h"
#include "npyio/transfer/common/lanes.h"
#include "npyio/transfer/common/view_window.h"
#include "npyio/transfer/place/updates.h"
#include "splice.h"
#include "whole_member.h"

#include <sched.h>
#include <stdlib.h>

#define MIB ((int64_t)1024 * 1024)

/*
 * Large writes halve the kernel's work for a page of the page cache; beyond
 * 4 MiB nothing is gained and the buffer leaves the cache.
 */
#define MAX_BOX (4 * MIB)

/*
 * The longer the runs of a transposed box, the fewer: of 128 rows 64 KiB each,
 * and what a box has beside them.
 */
#define MAX_TRANSPOSED_BOX (8 * MIB + 128 * 1024)

/* Before a worker sleeps until it is its turn: half a millisecond. */
#define TRIES 1000

/* More of the input at once brings nothing. */
#define MAX_SPAN (16 * MIB)

/* With less to write, or to look through, threads cost more than they bring. */
#define MIN_OUT_FOR_THREADS (8 * MIB)
#define MIN_SPAN_FOR_THREADS (64 * MIB)

/* A worker with less memory would be busy with system calls. */
#define MIN_ROOM MIB

struct worker {
	bool ready;
	char *buffer; /* room for the header and a box */
	struct npyio_fetch fetch;
	struct npyio_diagonals diagonals;
	struct npyio_layers layers;
	struct npyio_lane lane;
};

struct boxes {
	const struct npyio_output *out;
	struct tsl_cut_limits limits;
	struct npyio_grid grid;
	enum tsl_pattern pattern;
	int64_t side; /* bytes of diagonals at once */
	bool is_passed; /* from file to file as it is, by the kernel */
	bool is_counted; /* on its way, as 'member' */
	struct npyio_whole_member member;
	struct npyio_window window; /* on all of the input that is wanted */
	const char *mapped; /* from 'lo' on; NULL: each looks for itself */
	int64_t lo;
	bool has_lanes;
	struct tsl_lane_sizes most; /* with lanes: of a box */
	int nworkers;
	struct worker *workers;
	pthread_mutex_t turn; /* to put many runs */
};

/* ---- one box ------------------------------------------------------------- */

static enum tsl_status
open_lane(const struct boxes *b, struct worker *w, struct tsl_error *err)
{
	const struct tsl_job *job = b->out->t->job;
	struct tsl_lane_sizes sizes = { .out = b->grid.largest };

	sizes.in = tsl_max(b->most.in, sizes.out);
	sizes.side = job->op->patch ? b->side : 0;
	return npyio_lane_open(&w->lane, b->out->t, &sizes, err);
}

static enum tsl_status
prepare(const struct boxes *b, struct worker *w, struct tsl_error *err)
{
	const struct npyio_transfer *t = b->out->t;
	int64_t most = b->grid.largest;
	enum tsl_status status = TSL_OK;

	if (w->ready)
		return TSL_OK;
	w->ready = true;
	if (!t->job->is_bare)
		npyio_fetch_init(&w->fetch, t->in[0],
				 b->has_lanes ? b->most.in : b->limits.in);
	if (b->mapped)
		npyio_fetch_from(&w->fetch, b->mapped, b->lo);
	npyio_layers_init(&w->layers, t, b->side);
	w->buffer = npyio_buffer_new(b->out->header.len + (size_t)most);
	if (!w->buffer)
		return tsl_fail(err, TSL_EMEMORY,
				"out of memory for %lld bytes of output",
				(long long)most);
	if (b->has_lanes)
		status = open_lane(b, w, err);
	if (status || !t->job->op->patch)
		return status;
	return npyio_diagonals_init(&w->diagonals, t, err);
}

static void
release(void *work, int worker)
{
	struct boxes *b = work;
	struct worker *w = &b->workers[worker];

	/* First: a copy of the diagonals may still be under way. */
	npyio_lane_close(&w->lane);
	npyio_fetch_close(&w->fetch);
	npyio_layers_close(&w->layers);
	npyio_diagonals_close(&w->diagonals);
	free(w->buffer);
	*w = (struct worker){ .ready = false };
}

struct piece {
	int64_t index; /* of the box */
	struct tsl_box box;
	struct tsl_run run; /* its first */
	bool patched;
};

/* A device patches, too, if all that it needs for it is there at once. */
static bool
is_for_device(const struct boxes *b, const struct piece *p, int64_t n)
{
	const struct tsl_job *job = b->out->t->job;

	return job->op->patch && n == p->run.nbytes &&
	       job->op->side_nbytes(job, p->run.first, n) <= b->side;
}

static enum tsl_status
make_on_lane(const struct boxes *b, struct worker *w, struct piece *p,
	     char *bytes, struct tsl_error *err)
{
	const struct tsl_job *job = b->out->t->job;
	struct tsl_block block = { .view = &p->box.view,
				   .first = p->run.first };
	enum tsl_status status = TSL_OK;

	block.n = tsl_view_count(block.view) * block.view->width;
	p->patched = is_for_device(b, p, block.n);
	if (p->patched) {
		status = npyio_diagonals_side(&w->diagonals, block.first,
					      block.n, err);
		block.side = w->diagonals.side;
		block.side_nbytes =
			job->op->side_nbytes(job, block.first, block.n);
	}
	return status ? status
		      : npyio_lane_view(&w->lane, &w->fetch, job->pattern,
					&block, bytes, err);
}

static enum tsl_status
make(const struct boxes *b, struct worker *w, struct piece *p, char *bytes,
     struct tsl_error *err)
{
	int64_t stride[TSL_MAX_DIMS + 1];

	if (b->out->t->job->is_bare)
		return TSL_OK;
	if (b->is_counted)
		return npyio_whole_member_fetch(&b->member, p->index, &w->fetch,
						p->box.view.offset,
						p->run.nbytes, bytes, err);
	if (b->has_lanes)
		return make_on_lane(b, w, p, bytes, err);
	tsl_box_stride(&p->box, stride);
	return npyio_fetch(&w->fetch, b->pattern, &p->box.view, stride, bytes,
			   err);
}

/* What goes over output bytes [first, first + n), which are there. */
static enum tsl_status
paint(const struct boxes *b, struct worker *w, int64_t first, int64_t n,
      char *bytes, struct tsl_error *err)
{
	enum tsl_status status;

	if (b->out->t->job->op->patch)
		return npyio_diagonals_patch(&w->diagonals, first, n, b->side,
					     bytes, err);
	status = npyio_layers_paint(&w->layers, first, n, bytes, err);
	if (!status && b->out->updates)
		status = npyio_updates_paint(b->out->updates, first, n, bytes,
					     err);
	return status;
}

/* Puts each run of a finished box into its place in the output. */
static enum tsl_status
put_runs(const struct boxes *b, struct worker *w, const struct piece *p,
	 char *bytes, struct tsl_error *err)
{
	struct tsl_run run = p->run;
	enum tsl_status status = TSL_OK;

	do {
		char *from = bytes + run.at;

		if (!p->patched)
			status = paint(b, w, run.first, run.nbytes, from, err);
		if (!status)
			status = npyio_put(b->out, from, run.first, run.nbytes,
					   err);
	} while (!status && tsl_box_next_run(&p->box, &run));
	return status;
}

/*
 * A turn comes within a millisecond.  To sleep so long and be woken takes some
 * machines as long again, virtual ones above all.
 */
static void
await_turn(struct boxes *b)
{
	for (int i = 0; i < TRIES; i++) {
		if (pthread_mutex_trylock(&b->turn) == 0)
			return;
		sched_yield();
	}
	pthread_mutex_lock(&b->turn);
}

/*
 * The kernel lets one write to a file at a time: workers who put many short
 * runs would all wait for each other after each, and then all make boxes, while
 * nobody writes.
 */
static enum tsl_status
put(struct boxes *b, struct worker *w, const struct piece *p, char *bytes,
    struct tsl_error *err)
{
	enum tsl_status status;

	if (tsl_box_is_one_run(&p->box))
		return put_runs(b, w, p, bytes, err);
	await_turn(b);
	status = put_runs(b, w, p, bytes, err);
	pthread_mutex_unlock(&b->turn);
	return status;
}

static enum tsl_status
do_box(void *work, int worker, int64_t i, struct tsl_error *err)
{
	struct boxes *b = work;
	struct worker *w = &b->workers[worker];
	struct piece p = { .index = i };
	enum tsl_status status = TSL_OK;
	bool passed = false;
	char *bytes;

	npyio_grid_box(&b->grid, i, &p.box);
	tsl_box_first_run(&p.box, &p.run);
	if (b->is_passed)
		status = npyio_pass(b->out, b->out->t->in[0], p.box.view.offset,
				    p.run.first, p.run.nbytes, &passed, err);
	if (!status && !passed)
		status = prepare(b, w, err);
	if (status || passed)
		return status;
	bytes = w->buffer + b->out->header.len;
	status = make(b, w, &p, bytes, err);
	return status ? status : put(b, w, &p, bytes, err);
}

/* ---- all of the input ---------------------------------------------------- */

static void
map_input(struct boxes *b)
{
	const struct npyio_transfer *t = b->out->t;

	if (b->pattern == TSL_PATTERN_TRANSPOSED && !b->has_lanes)
		b->mapped = npyio_window_look_view(
			&b->window, t->in[0], &t->job->view,
			npyio_room_to_map(t, b->out->room), &b->lo);
}

/* ---- the plan ------------------------------------------------------------ */

/* Reading into place needs no memory for the input. */
static bool
is_read_into_place(enum tsl_pattern pattern)
{
	return pattern == TSL_PATTERN_RUN || pattern == TSL_PATTERN_ROWS;
}

/*
 * What one worker wants, half of it, two huge pages, for the input.  Fewer that
 * map it are ten times as fast as many who have no room for that; if there is
 * not enough for one, nobody maps.
 */
static int64_t
room_for_one(const struct npyio_output *out)
{
	return is_read_into_place(out->t->job->pattern) ||
			       out->room < 4 * NPYIO_MIN_MAPPED_ROOM
		       ? MIN_ROOM
		       : 4 * NPYIO_MIN_MAPPED_ROOM;
}

static int
count_workers(const struct npyio_output *out)
{
	const struct npyio_transfer *t = out->t;
	int64_t n = tsl_min(t->threads, out->room / room_for_one(out));
	int count = out->share.count;
	int64_t lo, hi;

	if (npyio_has_lanes(t))
		n = tsl_min(n, t->backend->lanes);
	tsl_view_span(&t->job->view, &lo, &hi);
	if (!npyio_writer_is_positional(t->out) ||
	    (t->job->nbytes / count < MIN_OUT_FOR_THREADS &&
	     (hi - lo) / count < MIN_SPAN_FOR_THREADS))
		return 1;
	return (int)tsl_max(tsl_min(n, NPYIO_MAX_WORKERS), 1);
}

/* What a worker's memory is for. */
static void
share_room(struct boxes *b, int64_t room)
{
	enum tsl_pattern pattern = b->out->t->job->pattern;
	struct tsl_cut_limits *l = &b->limits;

	l->out = pattern == TSL_PATTERN_TRANSPOSED
			 ? tsl_min(MAX_TRANSPOSED_BOX, room / 2)
			 : tsl_min(MAX_BOX, room / 4);
	l->in = is_read_into_place(pattern) ? INT64_MAX
					    : tsl_min(MAX_SPAN, room / 2);
	/* What has no base needs none of it for one. */
	b->side = is_read_into_place(pattern) || b->out->t->job->is_bare
			  ? room / 2
			  : room / 4;
}

/*
 * The same with lanes.  What is spanned counts only where all of it is sent;
 * boxes of what lies further apart are made as large as others.
 */
static void
share_with_lanes(struct boxes *b)
{
	const struct npyio_transfer *t = b->out->t;
	struct tsl_cut_limits *l = &b->limits;

	npyio_lanes_limit(t, b->nworkers, b->out->room, &b->most);
	l->out = b->most.out;
	l->in = t->job->pattern == TSL_PATTERN_DENSE ||
				t->job->pattern == TSL_PATTERN_SMALL
			? b->most.in
			: INT64_MAX;
	b->side = b->most.side;
}

static void
plan(struct boxes *b)
{
	const struct npyio_transfer *t = b->out->t;
	const struct tsl_job *job = t->job;
	struct tsl_cut_limits *l = &b->limits;

	b->nworkers = count_workers(b->out);
	if (b->has_lanes)
		share_with_lanes(b);
	else
		share_room(b, b->out->room / b->nworkers);
	l->out = tsl_min(l->out, npyio_writer_best_size(t->out));
	/* Enough boxes for all to be busy until the end. */
	l->out = tsl_min(l->out, tsl_max(job->nbytes / b->out->share.count /
						 (2 * b->nworkers),
					 MIB));
	l->out = tsl_max(tsl_min(l->out, job->nbytes), 1);
	l->out = npyio_whole_elements(b->out, l->out);
	l->in = tsl_max(l->in, npyio_whole_elements(b->out, 1));
	l->run = npyio_run_to_take(&job->view, b->mapped != NULL);
	l->in_order = !npyio_writer_is_positional(t->out);
	l->is_aligned = !l->in_order && !b->has_lanes;
	l->origin = npyio_writer_base(t->out) + (int64_t)b->out->header.len;
	l->element = npyio_whole_elements(b->out, 1);
}

/* The same where all of the input is there to be looked at. */
static void
plan_mapped(struct boxes *b)
{
	map_input(b);
	if (b->mapped)
		plan(b);
}

/* A stream is used as it comes, by one worker, if it only goes forward. */
static enum tsl_status
plan_stream(struct boxes *b, struct tsl_error *err)
{
	const struct npyio_transfer *t = b->out->t;
	enum tsl_status status;
	struct tsl_cut cut;

	b->nworkers = 1;
	/* Besides what is looked at there is only the lane's copy of it. */
	b->limits.in = b->has_lanes ? b->most.in / 2 : b->out->room / 2;
	b->limits.in = tsl_max(b->limits.in, npyio_whole_elements(b->out, 1));
	b->limits.in_order = true;
	tsl_cut_init(&cut, &t->job->view, &b->limits);
	if (npyio_share_is_all(&b->out->share) &&
	    tsl_cut_is_forward(&cut, b->limits.in)) {
		/* A row that is read into place is not seen again. */
		if (!tsl_view_is_forward(&t->job->view))
			b->pattern = TSL_PATTERN_DENSE;
		return TSL_OK;
	}
	plan(b);
	status = npyio_keep_input(b->out->t, err);
	if (!status)
		plan_mapped(b);
	return status;
}

/* One run of a file, and nothing over it. */
static bool
is_plain(const struct npyio_transfer *t)
{
	return t->job->pattern == TSL_PATTERN_RUN && !t->job->op->patch &&
	       t->job->nlayers == 0 && !t->job->is_bare &&
	       !npyio_reader_is_stream(t->in[0]);
}

static enum tsl_status
write_all(struct boxes *b, struct tsl_error *err)
{
	const struct tsl_job *job = b->out->t->job;
	enum tsl_status status =
		npyio_grid_init(&b->grid, &job->view, &b->out->share,
				job->out.dtype.size, &b->limits, err);

	if (status || b->grid.count == 0)
		return status;
	b->workers = calloc((size_t)b->nworkers, sizeof(*b->workers));
	if (!b->workers)
		return tsl_no_memory(err);
	if (b->is_counted)
		status = npyio_whole_member_open(&b->member, b->out->t->in[0],
						 b->grid.count, err);
	if (!status)
		status = npyio_run_tasks(do_box, release, b, b->grid.count,
					 b->nworkers, err);
	if (!status && b->is_counted)
		status = npyio_whole_member_check(&b->member, err);
	release(b, 0);
	npyio_whole_member_close(&b->member);
	free(b->workers);
	return status;
}

enum tsl_status
npyio_write_boxes(const struct npyio_output *out, struct tsl_error *err)
{
	struct boxes b = {
		.out = out,
		.pattern = out->t->job->pattern,
		.has_lanes = npyio_has_lanes(out->t),
		.is_counted = npyio_is_whole_member(out->t),
		.turn = PTHREAD_MUTEX_INITIALIZER,
	};
	enum tsl_status status = TSL_OK;

	b.is_passed = is_plain(out->t) && !out->updates &&
		      !npyio_is_turned(out) && !b.is_counted;
	if (b.is_passed && npyio_writer_is_pipe(out->t->out))
		return npyio_splice_run(out, err);
	plan(&b);
	if (out->t->job->is_bare)
		status = npyio_keep_input(out->t, err);
	else if (npyio_reader_is_stream(out->t->in[0]))
		status = plan_stream(&b, err);
	else
		plan_mapped(&b);
	if (!status)
		status = write_all(&b, err);
	npyio_grid_close(&b.grid);
	npyio_window_close_by(&b.window, b.nworkers);
	return status;
}
