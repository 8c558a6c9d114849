/*
 * concat_write.c - the output of a job whose rows are those of many inputs,
 * piece by piece
 */
#include "concat.h"
#include "lib/base/minmax.h"
#include "npyio/file/workers.h"

#include <stdlib.h>

#define MIB ((int64_t)1024 * 1024)

/* As of boxes: larger writes gain nothing. */
#define MAX_PIECE (4 * MIB)

/* Parts that stand in another order, and are larger, are made by boxes. */
#define MAX_REORDERED ((int64_t)256 * 1024)

/* With less to write threads cost more than they bring. */
#define MIN_OUT_FOR_THREADS (8 * MIB)

/* A worker with less memory would be busy with system calls. */
#define MIN_ROOM MIB

struct pieces {
	const struct npyio_output *out;
	int64_t first, end; /* of what is written */
	int64_t nbytes; /* of a piece */
	int64_t room; /* for input, of each worker, twice */
	int nworkers;
	struct npyio_concat_worker *workers;
};

static const struct tsl_cat_job *
cat_of(const struct npyio_transfer *t)
{
	return (const struct tsl_cat_job *)(const void *)t->job;
}

/* ---- streams ------------------------------------------------------------- */

static bool
is_stream(const struct npyio_transfer *t, const struct tsl_cat_part *part)
{
	const struct npyio_reader *in = t->in[part->input];

	return npyio_reader_is_stream(in) && !npyio_reader_is_buffered(in);
}

enum tsl_status
npyio_concat_keep(const struct npyio_transfer *t, bool forward,
		  struct tsl_error *err)
{
	const struct tsl_cat_job *cat = cat_of(t);
	int64_t room = npyio_room_to_keep(t);
	enum tsl_status status = TSL_OK;

	for (int i = 0; i < t->ninputs; i++)
		if (npyio_reader_memory(t->in[i]))
			room -= tsl_array_extent(npyio_reader_array(t->in[i]));
	for (int64_t i = 0; i < cat->nparts && !status; i++) {
		const struct tsl_cat_part *part = &cat->part[i];
		int64_t nbytes = tsl_array_extent(part->array);

		if (!is_stream(t, part) ||
		    (forward && part->is_dense && cat->nrows == 1))
			continue;
		status = npyio_reader_buffer(t->in[part->input], nbytes, room,
					     err);
		room -= nbytes <= room ? nbytes : 0;
	}
	return status;
}

/* ---- one piece ----------------------------------------------------------- */

static void
release(void *work, int worker)
{
	struct pieces *p = work;

	npyio_concat_worker_close(&p->workers[worker]);
}

/* A piece that is bytes of a single part, as they stand in its file. */
static enum tsl_status
pass(const struct pieces *p, int64_t first, int64_t n, bool *passed,
     struct tsl_error *err)
{
	const struct tsl_cat_job *cat = cat_of(p->out->t);
	const struct tsl_cat_part *part =
		&cat->part[tsl_cat_find(cat, cat->nrows == 1 ? first : 0)];
	struct npyio_reader *in = p->out->t->in[part->input];
	enum tsl_status status;

	*passed = false;
	if (cat->nrows > 1 || !part->is_dense || part->is_turned ||
	    npyio_reader_is_stream(in) || first + n > part->at + part->nbytes)
		return TSL_OK;
	status = npyio_reader_hold(in, err);
	if (status)
		return status;
	status =
		npyio_pass(p->out, in, first - part->at, first, n, passed, err);
	npyio_reader_release(in);
	return status;
}

static enum tsl_status
do_piece(void *work, int worker, int64_t i, struct tsl_error *err)
{
	struct pieces *p = work;
	struct npyio_concat_worker *w = &p->workers[worker];
	int64_t first = p->first + i * p->nbytes;
	int64_t n = tsl_min(p->nbytes, p->end - first);
	enum tsl_status status;
	bool passed;
	char *bytes;

	if (!npyio_is_ours(p->out, first, n))
		return TSL_OK;
	status = pass(p, first, n, &passed, err);
	if (!status && !passed)
		status = npyio_concat_worker_prepare(w, p->out, p->room,
						     p->nbytes, NULL, err);
	if (status || passed)
		return status;
	bytes = w->buffer + p->out->header.len;
	status = npyio_concat(&w->concat, first, n, bytes, err);
	return status ? status : npyio_put(p->out, bytes, first, n, err);
}

/* ---- the plan ------------------------------------------------------------ */

static int
count_workers(const struct pieces *p)
{
	const struct npyio_output *out = p->out;
	const struct npyio_transfer *t = out->t;
	const struct tsl_cat_job *cat = cat_of(t);
	int64_t n = tsl_min(t->threads, out->room / MIN_ROOM);

	if (!npyio_writer_is_positional(t->out) ||
	    (p->end - p->first) / out->share.count < MIN_OUT_FOR_THREADS)
		return 1;
	for (int64_t i = 0; i < cat->nparts; i++)
		if (is_stream(t, &cat->part[i]))
			return 1;
	return (int)tsl_max(tsl_min(n, NPYIO_MAX_WORKERS), 1);
}

/* A whole number of rows, or if there is no room for one, of elements. */
static void
plan(struct pieces *p)
{
	const struct npyio_output *out = p->out;
	const struct tsl_cat_job *cat = cat_of(out->t);
	int64_t size = cat->job.out.dtype.size;
	int64_t room, most;

	p->nworkers = count_workers(p);
	room = out->room / p->nworkers;
	p->room = room / 4;
	most = tsl_min(tsl_min(MAX_PIECE, room / 4),
		       npyio_writer_best_size(out->t->out));
	/* Enough of them for all to be busy until the end. */
	most = tsl_min(most, tsl_max((p->end - p->first) / out->share.count /
					     (2 * p->nworkers),
				     MIB));
	if (most >= cat->row)
		p->nbytes = most / cat->row * cat->row;
	else
		p->nbytes = tsl_max(most / size, 1) * size;
	p->nbytes = tsl_min(p->nbytes, p->end - p->first);
}

static enum tsl_status
write_pieces(const struct npyio_output *out, int64_t first, int64_t end,
	     struct tsl_error *err)
{
	struct pieces p = { .out = out, .first = first, .end = end };
	enum tsl_status status;

	plan(&p);
	p.workers = calloc((size_t)p.nworkers, sizeof(*p.workers));
	if (!p.workers)
		return tsl_no_memory(err);
	status = npyio_run_tasks(do_piece, release, &p,
				 (end - first - 1) / p.nbytes + 1, p.nworkers,
				 err);
	release(&p, 0);
	free(p.workers);
	return status;
}

/* ---- pieces and boxes ---------------------------------------------------- */

static bool
is_reordered(const struct tsl_cat_job *cat)
{
	for (int64_t i = 0; i < cat->nparts; i++)
		if (!cat->part[i].is_dense)
			return true;
	return false;
}

static bool
is_for_boxes(const struct tsl_cat_part *part)
{
	return !part->is_dense && part->nbytes > MAX_REORDERED;
}

/* The end of the parts of a single row that are written as that at 'at' is. */
static int64_t
end_of_kind(const struct tsl_cat_job *cat, int64_t at, int64_t end)
{
	int64_t i = tsl_cat_find(cat, at);
	bool boxes = is_for_boxes(&cat->part[i]);

	while (i < cat->nparts && cat->part[i].at < end &&
	       is_for_boxes(&cat->part[i]) == boxes)
		i++;
	return i < cat->nparts ? tsl_min(cat->part[i].at, end) : end;
}

enum tsl_status
npyio_write_concat(const struct npyio_output *out, int64_t first, int64_t end,
		   struct tsl_error *err)
{
	const struct tsl_cat_job *cat = cat_of(out->t);
	enum tsl_status status = TSL_OK;

	if (cat->nrows > 1)
		return is_reordered(cat) ? npyio_write_interleaved(
						   out, first, end - first, err)
					 : write_pieces(out, first, end, err);
	while (first < end && !status) {
		int64_t at = end_of_kind(cat, first, end);
		bool boxes = is_for_boxes(&cat->part[tsl_cat_find(cat, first)]);

		status = boxes ? npyio_write_interleaved(out, first, at - first,
							 err)
			       : write_pieces(out, first, at, err);
		first = at;
	}
	return status;
}
