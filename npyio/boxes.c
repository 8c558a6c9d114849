/*
 * boxes.c - the output of a job that is a view, box by box
 *
 * Each worker makes a box in a buffer of its own, which it uses again and
 * again, and writes it where it belongs; with one worker the boxes come in
 * order, as a pipe needs them.
 */
#include "diagonals.h"
#include "fetch.h"
#include "lib/cut.h"
#include "lib/minmax.h"
#include "lib/walk.h"
#include "memory.h"
#include "pieces.h"
#include "workers.h"

#include <stdlib.h>

#define MIB ((int64_t)1024 * 1024)

/*
 * Large writes halve the kernel's work for a page of the page cache; beyond
 * 4 MiB nothing is gained and the buffer leaves the cache.
 */
#define MAX_BOX (4 * MIB)

/* The longer the runs of a transposed box, the fewer. */
#define MAX_TRANSPOSED_BOX (16 * MIB)

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
};

struct boxes {
	const struct npyio_output *out;
	struct tsl_cut_limits limits;
	struct tsl_cut cut;
	int64_t side; /* bytes of diagonals at once */
	int nworkers;
	struct worker *workers;
};

/* ---- one box ------------------------------------------------------------- */

static enum tsl_status
prepare(const struct boxes *b, struct worker *w, struct tsl_error *err)
{
	const struct npyio_transfer *t = b->out->t;
	int64_t most = t->job->view.width;

	if (w->ready)
		return TSL_OK;
	w->ready = true;
	for (int i = 0; i < b->cut.view.ndim; i++)
		most *= b->cut.extent[i];
	npyio_fetch_init(&w->fetch, t->in, b->limits.in);
	w->buffer = npyio_buffer_new(b->out->header.len + (size_t)most);
	if (!w->buffer)
		return tsl_fail(err, TSL_EMEMORY,
				"out of memory for %lld bytes of output",
				(long long)most);
	if (t->job->op->kind != TSL_OP_SET_DIAG)
		return TSL_OK;
	return npyio_diagonals_init(
		&w->diagonals,
		(const struct tsl_set_diag_job *)(const void *)t->job,
		t->second, err);
}

/* Puts each run of a finished box into its place in the output. */
static enum tsl_status
put_box(const struct boxes *b, struct worker *w, const struct tsl_view *box,
	int64_t first, int64_t run, char *bytes, struct tsl_error *err)
{
	int64_t index[TSL_MAX_DIMS + 1] = { 0 };
	enum tsl_status status = TSL_OK;

	do {
		if (b->out->t->job->op->patch)
			status = npyio_diagonals_patch(
				&w->diagonals, first, run, b->side, bytes, err);
		if (!status)
			status = npyio_put(b->out, bytes, first, run, err);
		bytes += run;
	} while (!status && tsl_cut_next(&b->cut, box, index, &first));
	return status;
}

static enum tsl_status
do_box(void *work, int worker, int64_t i, struct tsl_error *err)
{
	struct boxes *b = work;
	struct worker *w = &b->workers[worker];
	int64_t stride[TSL_MAX_DIMS + 1];
	struct tsl_view box;
	int64_t first, run;
	enum tsl_status status = prepare(b, w, err);
	char *bytes = w->buffer + b->out->header.len;

	if (status)
		return status;
	run = tsl_cut_box(&b->cut, i, &box, &first);
	tsl_view_dense(&box, stride);
	status = npyio_fetch(&w->fetch, b->out->t->job->pattern, &box, stride,
			     bytes, err);
	return status ? status : put_box(b, w, &box, first, run, bytes, err);
}

/* ---- the plan ------------------------------------------------------------ */

static int
count_workers(const struct npyio_output *out)
{
	const struct npyio_transfer *t = out->t;
	int64_t n = tsl_min(t->threads, out->room / MIN_ROOM);
	int64_t lo, hi;

	tsl_view_span(&t->job->view, &lo, &hi);
	if (!npyio_writer_is_positional(t->out) ||
	    (t->job->nbytes < MIN_OUT_FOR_THREADS &&
	     hi - lo < MIN_SPAN_FOR_THREADS))
		return 1;
	return (int)tsl_max(tsl_min(n, NPYIO_MAX_WORKERS), 1);
}

/* Reading into place needs no memory for the input. */
static bool
is_read_into_place(enum tsl_pattern pattern)
{
	return pattern == TSL_PATTERN_RUN || pattern == TSL_PATTERN_ROWS;
}

static void
plan(struct boxes *b)
{
	const struct npyio_transfer *t = b->out->t;
	const struct tsl_job *job = t->job;
	bool transposed = job->pattern == TSL_PATTERN_TRANSPOSED;
	struct tsl_cut_limits *l = &b->limits;
	int64_t room;

	b->nworkers = count_workers(b->out);
	room = b->out->room / b->nworkers;
	l->out = transposed ? tsl_min(MAX_TRANSPOSED_BOX, room / 2)
			    : tsl_min(MAX_BOX, room / 4);
	l->out = tsl_min(l->out, npyio_writer_best_size(t->out));
	/* Enough boxes for all to be busy until the end. */
	l->out = tsl_min(l->out, tsl_max(job->nbytes / (2 * b->nworkers), MIB));
	b->side = room / 4;
	l->in = tsl_min(MAX_SPAN, room / 2);
	l->in_order = !npyio_writer_is_positional(t->out);
	if (is_read_into_place(job->pattern))
		l->in = INT64_MAX;
	tsl_cut_init(&b->cut, &job->view, l);
}

/* A stream is used as it comes, by one worker, if it only goes forward. */
static enum tsl_status
plan_stream(struct boxes *b, struct tsl_error *err)
{
	const struct npyio_transfer *t = b->out->t;

	b->nworkers = 1;
	b->limits.in = b->out->room / 2;
	b->limits.in_order = true;
	tsl_cut_init(&b->cut, &t->job->view, &b->limits);
	if (tsl_cut_is_forward(&b->cut, b->limits.in))
		return TSL_OK;
	plan(b);
	return npyio_keep_input(b->out->t, err);
}

static bool
is_to_be_spliced(const struct npyio_transfer *t)
{
	return t->job->pattern == TSL_PATTERN_RUN && !t->job->op->patch &&
	       npyio_writer_is_pipe(t->out) && !npyio_reader_is_stream(t->in);
}

enum tsl_status
npyio_write_boxes(const struct npyio_output *out, struct tsl_error *err)
{
	struct boxes b = { .out = out };
	enum tsl_status status = TSL_OK;

	if (is_to_be_spliced(out->t))
		return npyio_splice_run(out, err);
	plan(&b);
	if (npyio_reader_is_stream(out->t->in))
		status = plan_stream(&b, err);
	if (status)
		return status;
	b.workers = calloc((size_t)b.nworkers, sizeof(*b.workers));
	if (!b.workers)
		return tsl_fail(err, TSL_EMEMORY, "out of memory");
	status = npyio_run_tasks(do_box, &b, b.cut.count, b.nworkers, err);
	for (int i = 0; i < b.nworkers; i++) {
		struct worker *w = &b.workers[i];

		if (!w->ready)
			continue;
		npyio_fetch_close(&w->fetch);
		npyio_diagonals_close(&w->diagonals);
		free(w->buffer);
	}
	free(b.workers);
	return status;
}
