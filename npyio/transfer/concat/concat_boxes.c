/*
 * concat_boxes.c - the output of a job whose rows are those of many inputs,
 * some of which stand in another order, box by box
 *
 * A piece of the output takes a little of every part of such an input, and the
 * next piece takes a little more: each page would be read again and again.  A
 * box is long in both orders.
 */
#include "concat.h"
#include "lib/base/minmax.h"
#include "npyio/file/workers.h"
#include "npyio/transfer/box/grid.h"

#include <stdlib.h>

#define MIB ((int64_t)1024 * 1024)

/* As of what is transposed otherwise: the longer the runs, the fewer. */
#define MAX_BOX (16 * MIB)

/*
 * The least that is taken from one place of a part in another order: a few
 * cache lines if it is mapped; else a page, of which no part should be wanted
 * another time.
 */
#define MAPPED_RUN ((int64_t)256)
#define READ_RUN ((int64_t)4096)

/* With less to write threads cost more than they bring. */
#define MIN_OUT_FOR_THREADS (8 * MIB)

/* A worker with less memory would be busy with system calls. */
#define MIN_ROOM (4 * MIB)

struct boxes {
	const struct npyio_output *out;
	const struct tsl_cat_job *cat;
	int64_t first; /* byte of what is written */
	struct tsl_view model; /* of it */
	struct npyio_grid grid;
	struct npyio_concat_maps maps;
	int64_t room; /* for input, of each worker */
	int nworkers;
	struct npyio_concat_worker *workers;
};

/* ---- one box ------------------------------------------------------------- */

static void
release(void *work, int worker)
{
	struct boxes *b = work;

	npyio_concat_worker_close(&b->workers[worker]);
}

static enum tsl_status
do_box(void *work, int worker, int64_t i, struct tsl_error *err)
{
	struct boxes *b = work;
	struct npyio_concat_worker *w = &b->workers[worker];
	enum tsl_status status = npyio_concat_worker_prepare(
		w, b->out, b->room, b->grid.largest, &b->maps, err);
	struct tsl_cat_box box;
	struct tsl_box cut;
	struct tsl_run run;
	char *bytes;

	if (status)
		return status;
	bytes = w->buffer + b->out->header.len;
	npyio_grid_box(&b->grid, i, &cut);
	tsl_cat_box_of(b->cat, b->first, &b->model, &cut.view, &box);
	status = npyio_concat_box(&w->concat, &box, bytes, err);
	if (status)
		return status;
	tsl_box_first_run(&cut, &run);
	do {
		status = npyio_put(b->out, bytes + run.at, b->first + run.first,
				   run.nbytes, err);
	} while (!status && tsl_box_next_run(&cut, &run));
	return status;
}

/* ---- the plan ------------------------------------------------------------ */

static int
count_workers(const struct npyio_output *out, int64_t nbytes)
{
	int64_t n = tsl_min(out->t->threads, out->room / MIN_ROOM);

	if (!npyio_writer_is_positional(out->t->out) ||
	    nbytes / out->share.count < MIN_OUT_FOR_THREADS)
		return 1;
	return (int)tsl_max(tsl_min(n, NPYIO_MAX_WORKERS), 1);
}

static bool
has_dense_part(const struct tsl_cat_job *cat)
{
	for (int64_t i = 0; i < cat->nparts; i++)
		if (cat->part[i].is_dense)
			return true;
	return false;
}

/*
 * The least that a box should take from one place of a part that stands in
 * another order.  What it takes of one that does not are its own rows: if there
 * is any, a small box is as long in both orders.
 */
static int64_t
least_run(const struct boxes *b, int64_t box)
{
	int64_t width = b->model.width;
	int64_t run = b->maps.map ? MAPPED_RUN : READ_RUN;

	if (b->cat->nrows == 1 || !has_dense_part(b->cat))
		return run;
	while (run > width && run / width * run > box)
		run /= 2;
	return run;
}

/* Of a single row the parts that are written, else all. */
static enum tsl_status
map_parts(struct boxes *b, int64_t n, struct tsl_error *err)
{
	int64_t begin = 0, end = b->cat->nparts;

	if (b->cat->nrows == 1) {
		begin = tsl_cat_find(b->cat, b->first);
		end = tsl_cat_find(b->cat, b->first + n - 1) + 1;
	}
	return npyio_concat_maps_init(&b->maps, b->out, begin, end, err);
}

/* Half of a worker's memory is for the box, and for a part's rows of it. */
static enum tsl_status
plan(struct boxes *b, int64_t n, struct tsl_error *err)
{
	const struct npyio_output *out = b->out;
	struct npyio_share share = out->share;
	struct tsl_cut_limits limits = { .in = INT64_MAX };
	enum tsl_status status = map_parts(b, n, err);
	int64_t room;

	if (status)
		return status;
	b->nworkers = count_workers(out, n);
	room = npyio_room_beside(out->t, out->room, b->maps.nbytes) /
	       b->nworkers;
	b->room = room / 2;
	limits.out = tsl_min(MAX_BOX, room / 4);
	/* Enough of them for all to be busy until the end. */
	limits.out = tsl_min(limits.out,
			     tsl_max(n / share.count / (2 * b->nworkers), MIB));
	limits.out = tsl_max(tsl_min(limits.out, n), 1);
	limits.in_order = !npyio_writer_is_positional(out->t->out);
	tsl_cat_model(b->cat, n, &b->model);
	limits.run = least_run(b, limits.out);
	/* Of a share, what is between those two. */
	share.header += b->first;
	share.size = share.header + n;
	return npyio_grid_init(&b->grid, &b->model, &share, b->model.width,
			       &limits, err);
}

enum tsl_status
npyio_write_interleaved(const struct npyio_output *out, int64_t first,
			int64_t n, struct tsl_error *err)
{
	struct boxes b = {
		.out = out,
		.cat = (const struct tsl_cat_job *)(const void *)out->t->job,
		.first = first,
	};
	enum tsl_status status;

	if (!npyio_is_ours(out, first, n))
		return TSL_OK;
	status = plan(&b, n, err);
	if (!status && b.grid.count > 0) {
		b.workers = calloc((size_t)b.nworkers, sizeof(*b.workers));
		status = b.workers ? npyio_run_tasks(do_box, release, &b,
						     b.grid.count, b.nworkers,
						     err)
				   : tsl_no_memory(err);
	}
	if (b.workers)
		release(&b, 0);
	free(b.workers);
	npyio_grid_close(&b.grid);
	npyio_concat_maps_close(&b.maps);
	return status;
}
