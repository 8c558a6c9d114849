/*
 * in_place.c - what a job changes, written into the file that it goes through
 *
 * A layer is painted by several workers, part by part.  Of several layers all
 * that is in one window of the file is painted before the next: thousands of
 * diagonals pass through the same pages.  Long runs are put by system calls.
 * Shorter ones go straight into a mapping of the file: what lies between them
 * may be somebody else's.
 */
#include "in_place.h"

#include "lib/base/minmax.h"
#include "lib/view/walk.h"
#include "npyio/file/workers.h"
#include "npyio/transfer/box/layers.h"
#include "npyio/transfer/common/buffer.h"
#include "npyio/transfer/common/output.h"
#include "npyio/transfer/place/scatter.h"

#include <stdlib.h>

#define MIB ((int64_t)1024 * 1024)

/* Above this a run is worth a system call. */
#define LONG_RUN (16 * 1024)

/* What a worker writes at once, and what of the file it then looks at. */
#define MAX_PART (4 * MIB)
#define MAX_WINDOW (16 * MIB)

/* With less to write, or to look through, threads cost more than they bring. */
#define MIN_OUT_FOR_THREADS (8 * MIB)
#define MIN_SPAN_FOR_THREADS (64 * MIB)

struct worker {
	bool ready;
	struct npyio_layers layers;
	struct npyio_in_place_writer writer;
	char *buffer; /* for long runs */
};

struct painting {
	const struct npyio_transfer *t;
	const struct npyio_in_place_file *target;
	struct worker *workers;
	int nworkers;
	int64_t room; /* of a worker */
	int64_t most; /* bytes that are put at once */
	int input; /* of the only layer, or TSL_FILL */
	struct tsl_pair layer;
	int64_t count, part; /* elements of it, and of a task */
	int64_t window; /* bytes of the file, if there are several */
};

static void
release(void *work, int worker)
{
	struct painting *p = work;
	struct worker *w = &p->workers[worker];

	if (!w->ready)
		return;
	npyio_layers_close(&w->layers);
	npyio_in_place_writer_close(&w->writer);
	free(w->buffer);
	*w = (struct worker){ .ready = false };
}

static void
prepare(const struct painting *p, struct worker *w)
{
	if (w->ready)
		return;
	w->ready = true;
	npyio_layers_init(&w->layers, p->t, p->room / 2);
	npyio_in_place_writer_init(&w->writer, p->target);
}

/* ---- runs ---------------------------------------------------------------- */

/* Bytes that are side by side where they go. */
static int64_t
run_of(const struct tsl_view *to)
{
	int last = to->ndim - 1;

	return last >= 0 && to->stride[last] == to->width
		       ? to->dim[last] * to->width
		       : to->width;
}

/* Puts the runs of a box, which are one behind the other in 'bytes'. */
static enum tsl_status
put_runs(const struct worker *w, const struct tsl_view *to, const char *bytes,
	 struct tsl_error *err)
{
	int64_t run = run_of(to);
	int outer = run > to->width ? to->ndim - 1 : to->ndim;
	int64_t index[TSL_MAX_DIMS + 1] = { 0 };
	int64_t offset = to->offset;
	enum tsl_status status;
	int d;

	do {
		status = npyio_in_place_writer_put(&w->writer, bytes, run,
						   offset, err);
		bytes += run;
		for (d = outer - 1; d >= 0; d--) {
			offset += to->stride[d];
			if (++index[d] < to->dim[d])
				break;
			offset -= to->dim[d] * to->stride[d];
			index[d] = 0;
		}
	} while (d >= 0 && !status);
	return status;
}

/* Gathers the elements of a box, and puts them. */
static enum tsl_status
put_box(const struct painting *p, struct worker *w, int input,
	const struct tsl_pair *box, struct tsl_error *err)
{
	struct tsl_pair dense = *box;
	enum tsl_status status;

	if (!w->buffer)
		w->buffer = npyio_buffer_new((size_t)p->most);
	if (!w->buffer)
		return tsl_no_memory(err);
	dense.to.offset = 0;
	tsl_view_dense(&box->to, dense.to.stride);
	status =
		npyio_layers_copy(&w->layers, input, &dense, w->buffer, 0, err);
	return status ? status : put_runs(w, &box->to, w->buffer, err);
}

/* ---- a mapping ----------------------------------------------------------- */

static enum tsl_status
paint_box(const struct painting *p, struct worker *w, int input,
	  const struct tsl_pair *box, struct tsl_error *err)
{
	struct tsl_pair half[2];
	enum tsl_status status;
	int64_t lo, hi;
	char *bytes;

	if (run_of(&box->to) >= LONG_RUN)
		return put_box(p, w, input, box, err);
	tsl_view_span(&box->to, &lo, &hi);
	if (hi - lo > tsl_min(MAX_WINDOW, p->room / 4) &&
	    tsl_view_count(&box->to) > 1) {
		tsl_pair_halve(box, &box->to, half);
		status = paint_box(p, w, input, &half[0], err);
		return status ? status : paint_box(p, w, input, &half[1], err);
	}
	bytes = npyio_in_place_writer_look(&w->writer, lo, hi,
					   tsl_view_count(&box->to));
	if (!bytes)
		return put_box(p, w, input, box, err);
	return npyio_layers_copy(&w->layers, input, box, bytes, lo, err);
}

/* Elements [at, end) of a layer. */
static enum tsl_status
paint_elements(const struct painting *p, struct worker *w, int input,
	       const struct tsl_pair *layer, int64_t at, int64_t end,
	       struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;
	struct tsl_pair box;

	while (at < end && !status) {
		at += tsl_pair_head(layer, at, end - at, &box);
		status = paint_box(p, w, input, &box, err);
	}
	return status;
}

static enum tsl_status
painted(const struct painting *p, enum tsl_status status, int64_t nbytes)
{
	if (!status && p->t->progress)
		p->t->progress(nbytes);
	return status;
}

static enum tsl_status
paint_part(void *work, int worker, int64_t i, struct tsl_error *err)
{
	struct painting *p = work;
	struct worker *w = &p->workers[worker];
	int64_t at = i * p->part;
	int64_t end = tsl_min(at + p->part, p->count);

	prepare(p, w);
	return painted(p,
		       paint_elements(p, w, p->input, &p->layer, at, end, err),
		       (end - at) * p->layer.to.width);
}

/* All that is in window i. */
static enum tsl_status
paint_window(void *work, int worker, int64_t i, struct tsl_error *err)
{
	struct painting *p = work;
	struct worker *w = &p->workers[worker];
	const struct tsl_job *job = p->t->job;
	int64_t lo = i * p->window;
	int64_t hi = tsl_min(lo + p->window, job->nbytes);
	int64_t nbytes = 0;
	enum tsl_status status = TSL_OK;

	prepare(p, w);
	for (int64_t l = 0; l < job->nlayers && !status; l++) {
		struct tsl_pair layer;
		int input = job->op->layer(job, l, &layer);
		int64_t at = tsl_pair_before(&layer, lo);
		int64_t end = tsl_pair_before(&layer, hi);

		if (at == end)
			continue;
		/* What is looked at next is within; or is put, without. */
		(void)npyio_in_place_writer_look(&w->writer, lo, hi, 0);
		status = paint_elements(p, w, input, &layer, at, end, err);
		nbytes += (end - at) * layer.to.width;
	}
	return painted(p, status, nbytes);
}

/* ---- layers -------------------------------------------------------------- */

/* To write so many bytes in a part of the file that is so long. */
static void
set_workers(struct painting *p, int64_t nbytes, int64_t span)
{
	int64_t room = npyio_room_left(p->t);
	int64_t n = tsl_min(p->t->threads, room / MIB);

	if (nbytes < MIN_OUT_FOR_THREADS && span < MIN_SPAN_FOR_THREADS)
		n = 1;
	p->nworkers = (int)tsl_max(tsl_min(n, NPYIO_MAX_WORKERS), 1);
	p->room = room / p->nworkers;
}

/* Parts of so many elements that neither they nor what they span is much. */
static int64_t
part_of(const struct painting *p, int64_t span)
{
	int64_t apart = span / p->count + 1;

	return tsl_max(
		tsl_min(tsl_min(MAX_PART, p->room / 4) / p->layer.to.width,
			MAX_WINDOW / apart),
		1);
}

static enum tsl_status
paint_layer(struct painting *p, struct tsl_error *err)
{
	const struct tsl_job *job = p->t->job;
	int64_t width, lo, hi;

	p->input = job->op->layer(job, 0, &p->layer);
	p->count = tsl_view_count(&p->layer.to);
	width = p->layer.to.width;
	tsl_view_span(&p->layer.to, &lo, &hi);
	set_workers(p, p->count * width, hi - lo);
	p->part = part_of(p, hi - lo);
	p->most = p->part * width;
	return npyio_run_tasks(paint_part, release, p,
			       (p->count - 1) / p->part + 1, p->nworkers, err);
}

static enum tsl_status
paint_windows(struct painting *p, struct tsl_error *err)
{
	const struct tsl_job *job = p->t->job;
	int64_t size = job->out.dtype.size;

	set_workers(p, 0, job->nbytes);
	p->window = tsl_min(MAX_WINDOW, p->room / 4);
	p->window = tsl_max(p->window / size, 1) * size;
	p->most = p->window;
	return npyio_run_tasks(paint_window, release, p,
			       (job->nbytes - 1) / p->window + 1, p->nworkers,
			       err);
}

static enum tsl_status
paint_layers(const struct npyio_transfer *t,
	     const struct npyio_in_place_file *target, struct tsl_error *err)
{
	const struct tsl_array whole = tsl_job_target(t->job);
	struct painting p = { .t = t, .target = target };
	enum tsl_status status;

	/* Elements, too, may have no bytes. */
	if (t->job->nlayers == 0 || tsl_array_nbytes(&whole) == 0)
		return TSL_OK;
	p.workers = calloc(NPYIO_MAX_WORKERS, sizeof(*p.workers));
	if (!p.workers)
		return tsl_no_memory(err);
	status = t->job->nlayers == 1 ? paint_layer(&p, err)
				      : paint_windows(&p, err);
	release(&p, 0);
	free(p.workers);
	return status;
}

enum tsl_status
npyio_write_in_place(const struct npyio_transfer *t,
		     const struct npyio_in_place_file *target,
		     struct tsl_error *err)
{
	if (t->job->op->road == TSL_ROAD_SCATTER)
		return npyio_scatter(t, target, npyio_room_left(t), err);
	return paint_layers(t, target, err);
}
