/*
 * scatter.c - rows written where tuples say
 *
 * A gather turned round.  Of a batch of runs, as large as memory allows, it is
 * found where each goes; then, part by part of the target, the parts in any
 * order and the runs of each in theirs, they go there from the updates, which
 * were read as they come.  Runs that share a place begin in the same part, and
 * batches follow one another: so the last of them wins, however many threads
 * there are.
 */
#include "scatter.h"

#include "batch.h"
#include "duplicates.h"
#include "lib/base/minmax.h"
#include "lib/kernel/kernel.h"
#include "lib/op/scatter_nd.h"
#include "mask_put.h"
#include "npyio/file/workers.h"
#include "npyio/input/whole_window.h"
#include "npyio/transfer/common/buffer.h"
#include "npyio/transfer/common/fill.h"
#include "npyio/transfer/common/output.h"

#include <stdlib.h>

#define MIB ((int64_t)1024 * 1024)

/* Runs of at least so many bytes are not read with the batch. */
#define LONG_RUN (16 * 1024)

/* Above this a run is worth a system call of its own. */
#define MIN_PUT (4 * 1024)

/* With fewer runs in a part of the target it is not worth a mapping. */
#define MIN_MAPPED_RUNS 32

#define MAX_PART (4 * MIB)

/* Updates that are read at once. */
#define MAX_BLOCK (1 * MIB)

struct worker {
	bool ready;
	struct npyio_in_place_writer writer;
	char *block; /* a piece of a long run */
};

struct scatter {
	const struct npyio_transfer *t;
	const struct npyio_in_place_file *target;
	struct npyio_reader *updates; /* NULL: the job's fill, everywhere */
	int64_t run; /* bytes of a run */
	struct npyio_batch batch;
	int64_t capacity; /* its runs */
	int nworkers;
	struct worker *workers;
	bool is_whole; /* all of the target is mapped once */
	struct npyio_in_place_writer whole; /* then, from the first batch on */
	int64_t block; /* bytes of the updates that are read at once */
	struct npyio_window window; /* on all the updates */
	const char *memory; /* those, if they are kept or mapped there */
	char *buffer; /* or those of a batch, if its runs are not long */
};

static enum tsl_status
no_memory(struct tsl_error *err)
{
	return tsl_fail(err, TSL_EMEMORY, "out of memory for a scatter");
}

static const struct tsl_scatter_job *
job_of(const struct npyio_transfer *t)
{
	return (const struct tsl_scatter_job *)(const void *)t->job;
}

static int64_t
target_nbytes(const struct scatter *s)
{
	return tsl_array_nbytes(&s->t->job->out);
}

static struct worker *
prepare(struct scatter *s, int worker)
{
	struct worker *w = &s->workers[worker];

	if (w->ready)
		return w;
	npyio_in_place_writer_init(&w->writer, s->target);
	w->ready = true;
	return w;
}

static void
release(void *work, int worker)
{
	struct scatter *s = work;
	struct worker *w = &s->workers[worker];

	if (w->ready)
		npyio_in_place_writer_close(&w->writer);
	free(w->block);
	*w = (struct worker){ .ready = false };
	npyio_batch_release(&s->batch, worker);
}

/* ---- places -------------------------------------------------------------- */

/* Of less nothing is left for places beside whole pages that are mapped. */
#define MIN_ROOM_TO_MAP ((int64_t)4 * 1024 * 1024)

/*
 * Whether all of the target may be mapped at once.  The order of the places
 * rests on it, and is settled before it is known what else memory is for.
 */
static bool
is_mapped_whole(const struct npyio_transfer *t,
		const struct tsl_gather_job *places)
{
	return t->portion.count <= 1 && places->run_nbytes < MIN_PUT &&
	       t->max_memory >= MIN_ROOM_TO_MAP &&
	       tsl_array_nbytes(&t->job->out) <=
		       npyio_room_to_map(t, t->max_memory / 2);
}

/*
 * Going through the target less often must be worth that the updates are put in
 * order for it: with fewer runs in a row, fewer batches, or a target that is no
 * larger than so many times the memory, it is not.
 */
#define MIN_RUNS_PER_ROW 4
#define MIN_BATCHES 2
#define SMALL_TARGET 2

static bool
is_gone_through_often(const struct npyio_transfer *t,
		      const struct tsl_gather_job *places)
{
	int64_t runs = t->max_memory / NPYIO_BATCH_RUN_NBYTES * MIN_BATCHES;

	if (places->runs_per_row < MIN_RUNS_PER_ROW ||
	    places->ntuples <= runs / places->runs_per_row)
		return false;
	/* Of a share all runs are looked at for each piece. */
	return t->portion.count > 1 ||
	       (tsl_array_nbytes(&t->job->out) / SMALL_TARGET > t->max_memory &&
		!is_mapped_whole(t, places));
}

void
npyio_scatter_places(const struct npyio_transfer *t,
		     struct tsl_gather_job *places)
{
	tsl_scatter_job_places(job_of(t), places);
	/* A row that is all of the output is one run. */
	if (places->job.nbytes > 0 && places->job.in.fortran_order &&
	    !places->job.in.field &&
	    places->row_nbytes < places->table_nbytes &&
	    is_gone_through_often(t, places))
		tsl_gather_job_lay_by_run(places);
}

/* ---- proving ------------------------------------------------------------- */

static enum tsl_status
check_all(const struct npyio_transfer *t, const struct tsl_gather_job *places,
	  int64_t room, struct tsl_error *err)
{
	struct npyio_batch b;
	enum tsl_status status;

	npyio_batch_init(&b, places, t->in[job_of(t)->indices]);
	status = npyio_batch_open(&b, npyio_batch_workers(&b, t->threads, room),
				  err);
	if (!status)
		status = npyio_batch_check(&b, err);
	npyio_batch_close(&b);
	return status;
}

static enum tsl_status
refuse_duplicates(const struct npyio_transfer *t,
		  const struct tsl_gather_job *places, int64_t room,
		  struct tsl_error *err)
{
	struct npyio_tuples tuples;
	enum tsl_status status = npyio_tuples_init(
		&tuples, places, t->in[job_of(t)->indices], err);

	if (!status)
		status = npyio_refuse_duplicates(&tuples, room, err);
	npyio_tuples_close(&tuples);
	return status;
}

enum tsl_status
npyio_scatter_check(const struct npyio_transfer *t, int64_t room,
		    struct tsl_error *err)
{
	const struct tsl_scatter_job *job = job_of(t);
	struct tsl_gather_job places;
	enum tsl_status status;

	status = tsl_scatter_job_proof(job, &places, err);
	/* What a mask names is there, and once. */
	if (status || places.job.nbytes == 0 || places.job.mask)
		return status;
	status = check_all(t, &places, room, err);
	if (!status && job->options.refuse_duplicates)
		status = refuse_duplicates(t, &places, room, err);
	return status;
}

/* ---- the updates --------------------------------------------------------- */

static bool
is_of_long_runs(const struct scatter *s)
{
	return s->run >= LONG_RUN;
}

/* Whether those of a batch are read into memory. */
static bool
is_buffered(const struct scatter *s)
{
	return !s->memory && !is_of_long_runs(s);
}

/* The first byte of the batch's updates; NULL: they are not in memory. */
static const char *
batch_bytes(const struct scatter *s)
{
	return s->memory ? s->memory + s->batch.first * s->run : s->buffer;
}

static enum tsl_status
read_block(void *work, int worker, int64_t i, struct tsl_error *err)
{
	const struct scatter *s = work;
	int64_t first = i * s->block;
	int64_t n = tsl_min(s->block, s->batch.n * s->run - first);

	(void)worker;
	return npyio_reader_read(s->updates, s->batch.first * s->run + first, n,
				 s->buffer + first, err);
}

static enum tsl_status
read_batch(struct scatter *s, struct tsl_error *err)
{
	/* It is the same for each batch. */
	if (!s->updates)
		return TSL_OK;
	return npyio_run_tasks(read_block, release, s,
			       (s->batch.n * s->run - 1) / s->block + 1,
			       s->nworkers, err);
}

/* ---- the target ---------------------------------------------------------- */

/* Run number i of the batch, piece by piece from the file. */
static enum tsl_status
copy_run(const struct scatter *s, struct worker *w, int64_t i, int64_t to,
	 struct tsl_error *err)
{
	int64_t from = (s->batch.first + i) * s->run;
	enum tsl_status status = TSL_OK;

	if (!w->block && !(w->block = npyio_buffer_new((size_t)s->block)))
		return no_memory(err);
	for (int64_t at = 0; at < s->run && !status; at += s->block) {
		int64_t n = tsl_min(s->block, s->run - at);

		if (s->updates)
			status = npyio_reader_read(s->updates, from + at, n,
						   w->block, err);
		else
			npyio_fill(w->block, at, n, s->t->job->fill,
				   tsl_job_fill_size(s->t->job));
		if (!status)
			status = npyio_in_place_writer_put(&w->writer, w->block,
							   n, to + at, err);
	}
	return status;
}

/* Those of the part that begins at byte 'begin' of the target. */
static enum tsl_status
put_runs(const struct scatter *s, struct worker *w, int64_t begin,
	 const uint64_t *place, int64_t n, struct tsl_error *err)
{
	const char *bytes = batch_bytes(s);
	enum tsl_status status = TSL_OK;

	for (int64_t k = 0; k < n && !status; k++) {
		int64_t i = npyio_batch_number(&s->batch, place[k]);
		int64_t to = begin + npyio_batch_byte(&s->batch, place[k]);

		status = bytes ? npyio_in_place_writer_put(&w->writer,
							   bytes + i * s->run,
							   s->run, to, err)
			       : copy_run(s, w, i, to, err);
	}
	return status;
}

static bool
is_mapped(const struct scatter *s)
{
	return s->run < MIN_PUT && s->batch.window > 0;
}

/* The runs that begin in part i, in order. */
static enum tsl_status
put_part(void *work, int worker, int64_t i, struct tsl_error *err)
{
	struct scatter *s = work;
	const struct npyio_batch *b = &s->batch;
	struct worker *w = prepare(s, worker);
	int64_t lo = npyio_batch_begin(b, i);
	int64_t hi = tsl_min(lo + b->part + s->run, target_nbytes(s));
	int64_t n;
	const uint64_t *place = npyio_batch_part(b, i, &n);
	enum tsl_status status = TSL_OK;
	char *out = NULL;

	if (n == 0)
		return TSL_OK;
	if (n >= MIN_MAPPED_RUNS && is_mapped(s))
		out = npyio_in_place_writer_look(
			s->is_whole ? &s->whole : &w->writer, lo, hi, n);
	if (out)
		tsl_put_rows(out, 0, batch_bytes(s), place, b->bits, n,
			     (size_t)s->run);
	else
		status = put_runs(s, w, lo, place, n, err);
	if (!status && s->t->progress)
		s->t->progress(n * s->run);
	return status;
}

/* What is looked at later is within. */
static void
map_target(struct scatter *s)
{
	if (!s->is_whole || s->whole.target)
		return;
	npyio_in_place_writer_init(&s->whole, s->target);
	s->is_whole = npyio_in_place_writer_look(&s->whole, 0, target_nbytes(s),
						 0) != NULL;
}

static enum tsl_status
put_batch(struct scatter *s, struct tsl_error *err)
{
	enum tsl_status status = is_buffered(s) ? read_batch(s, err) : TSL_OK;
	int workers;

	if (status)
		return status;
	map_target(s);
	/*
	 * Each part that is unmapped is to be forgotten by all processors that
	 * work for us: that costs more than a second one brings.
	 */
	workers = is_mapped(s) && !s->is_whole ? 1 : s->nworkers;
	return npyio_run_tasks(put_part, release, s, s->batch.nparts, workers,
			       err);
}

/* ---- the plan ------------------------------------------------------------ */

/*
 * What is in memory already need not be read: a batch is only the places then,
 * and all of them, often.  Nor need parts of the target be unmapped, if all of
 * it may be mapped, too.
 */
static void
map(struct scatter *s, int64_t *room)
{
	int64_t most = npyio_room_to_map(s->t, *room);
	int64_t mapped;

	s->is_whole = is_mapped_whole(s->t, s->batch.gather);
	mapped = s->is_whole ? target_nbytes(s) : 0;
	/* Of a fill there is only what is made. */
	if (s->updates && !s->memory && s->run < MIN_PUT &&
	    *room >= MIN_ROOM_TO_MAP &&
	    tsl_array_nbytes(npyio_reader_array(s->updates)) <= most - mapped)
		s->memory = npyio_window_look_whole(&s->window, s->updates);
	mapped += npyio_window_nbytes(&s->window);
	/* What is mapped are whole pages, and may be more than was asked for.
	 */
	*room = tsl_max(npyio_room_beside(s->t, *room, mapped), *room / 4);
}

/* A quarter of the memory at most is for parts of the target. */
static void
plan(struct scatter *s, int64_t room)
{
	struct npyio_batch *b = &s->batch;

	s->nworkers = npyio_batch_workers(b, s->t->threads, room);
	s->block = tsl_min(MAX_BLOCK, room / 4 / s->nworkers);
	npyio_batch_cut(b, tsl_min(MAX_PART, room / 4 / s->nworkers), 0,
			npyio_batch_max_parts(b, s->nworkers, room));
	/* A worker has a window, or reads a block. */
	room -= s->nworkers * tsl_max(s->block - b->window, 0);
	s->capacity = npyio_batch_capacity(b, s->nworkers, room,
					   is_buffered(s) ? s->run : 0);
}

static enum tsl_status
reserve(struct scatter *s, struct tsl_error *err)
{
	enum tsl_status status = npyio_batch_open(&s->batch, s->nworkers, err);

	if (!status)
		status = npyio_batch_reserve(&s->batch, s->capacity, err);
	if (status)
		return status;
	s->workers = calloc((size_t)s->nworkers, sizeof(*s->workers));
	if (is_buffered(s))
		s->buffer = npyio_buffer_new((size_t)(s->capacity * s->run));
	if (!s->workers || (!s->buffer && is_buffered(s)))
		return no_memory(err);
	if (s->buffer && !s->updates)
		npyio_fill(s->buffer, 0, s->capacity * s->run, s->t->job->fill,
			   tsl_job_fill_size(s->t->job));
	return TSL_OK;
}

static enum tsl_status
put_all(struct scatter *s, struct tsl_error *err)
{
	struct npyio_batch *b = &s->batch;
	enum tsl_status status = reserve(s, err);

	for (int64_t i = 0; !status && i < b->total; i += b->n) {
		status = npyio_batch_find(b, i, b->total, err);
		if (!status)
			status = put_batch(s, err);
	}
	return status;
}

enum tsl_status
npyio_scatter(const struct npyio_transfer *t,
	      const struct npyio_in_place_file *target, int64_t room,
	      struct tsl_error *err)
{
	const struct tsl_scatter_job *job = job_of(t);
	struct tsl_gather_job places;
	struct scatter s = {
		.t = t,
		.target = target,
		.updates = job->job.source ? t->in[job->job.source] : NULL,
	};
	enum tsl_status status;
	bool done;

	npyio_scatter_places(t, &places);
	if (places.job.nbytes == 0)
		return TSL_OK;
	status = npyio_put_masked(t, &places, target, room, &done, err);
	if (status || done)
		return status;
	s.run = places.run_nbytes;
	s.memory = s.updates ? npyio_reader_memory(s.updates) : NULL;
	npyio_batch_init(&s.batch, &places, t->in[job->indices]);
	map(&s, &room);
	plan(&s, room);
	status = put_all(&s, err);
	if (s.workers)
		release(&s, 0);
	npyio_batch_close(&s.batch);
	npyio_window_close_by(&s.window, s.nworkers);
	npyio_window_close_by(&s.whole.window, s.nworkers);
	free(s.workers);
	free(s.buffer);
	return status;
}
