/*
 * runs.c - the output of a gather: runs of bytes from all over a table
 *
 * Long runs are read into place one by one.  Of short ones a batch is made at
 * a time, as large as memory allows: where each run lies, which part of the
 * table that is in, and then part by part, in the order of the table, its runs
 * to their places in the output.  So the table is gone through once for a
 * batch, forward, however the indices are ordered.  With a device the parts go
 * to it one after the other, and it picks the runs.
 */
#include "runs.h"

#include "fetch.h"
#include "lanes.h"
#include "lib/base/minmax.h"
#include "lib/kernel/kernel.h"
#include "lib/op/gather_nd.h"
#include "memory.h"
#include "tuples.h"
#include "workers.h"

#include <stdlib.h>
#include <string.h>

#define MIB ((int64_t)1024 * 1024)

/* Runs of at least so many bytes need no batch. */
#define LONG_RUN (16 * 1024)

/* Above this a run is worth a system call of its own. */
#define MIN_READ (2 * 1024)

/* With fewer runs in a part of the table it is not worth a mapping. */
#define MIN_MAPPED_RUNS 32

#define MAX_PART (4 * MIB)
#define MAX_LANE_PART (32 * MIB)

/* Output that is made, or written, at once. */
#define MAX_BLOCK (4 * MIB)

/* Runs whose places are found at once. */
#define CHUNK 8192

/* What a worker needs for that. */
#define WORKER_NBYTES (256 * 1024)

/* With less to do threads cost more than they bring. */
#define MIN_OUT_FOR_THREADS (8 * MIB)
#define MIN_RUNS_FOR_THREADS (256 * 1024)

struct worker {
	bool ready;
	struct npyio_fetch fetch;
	struct npyio_tuples tuples;
	char *block; /* long runs: room for the header and a block */
};

struct runs {
	const struct npyio_output *out;
	const struct tsl_gather_job *gather;
	int64_t total; /* runs of the whole output */
	int nworkers;
	struct worker *workers;
	int64_t block; /* bytes of output that are written at once */

	int64_t capacity; /* runs of a batch */
	int64_t first, n; /* the runs of this batch */
	int64_t *offset; /* in the table, or -1: zeros */
	uint32_t *order; /* the runs of this batch, by part */
	char *buffer; /* room for the header and the output of a batch */

	int64_t part; /* bytes of the table: a power of two, this one */
	int shift;
	int64_t nparts;
	int64_t *end; /* of each part's runs, in order */

	bool has_lane;
	struct npyio_lane lane;
};

static enum tsl_status
no_memory(struct tsl_error *err)
{
	return tsl_fail(err, TSL_EMEMORY, "out of memory for a gather");
}

static enum tsl_status
prepare(const struct runs *r, int worker, struct tsl_error *err)
{
	struct worker *w = &r->workers[worker];

	if (w->ready)
		return TSL_OK;
	w->ready = true;
	/* A run may begin in a part and end in the next. */
	npyio_fetch_init(&w->fetch, r->out->t->in[0],
			 r->part + r->gather->run_nbytes);
	return npyio_tuples_init(&w->tuples, r->gather, r->out->t->in[1], err);
}

static void
release(void *work, int worker)
{
	struct runs *r = work;
	struct worker *w = &r->workers[worker];

	npyio_fetch_close(&w->fetch);
	npyio_tuples_close(&w->tuples);
	free(w->block);
	*w = (struct worker){ .ready = false };
}

/* ---- where runs lie ------------------------------------------------------ */

/* Places of runs [first, first + n), n <= CHUNK. */
static enum tsl_status
locate(const struct runs *r, struct worker *w, int64_t first, int64_t n,
       int64_t offset[], struct tsl_error *err)
{
	const struct tsl_gather_job *g = r->gather;
	int64_t per_row = g->runs_per_row;
	int64_t row = first / per_row;
	int64_t rows[CHUNK];
	enum tsl_status status;

	if (per_row == 1)
		return npyio_tuples_rows(&w->tuples, first, n, offset, err);
	status = npyio_tuples_rows(&w->tuples, row,
				   (first + n - 1) / per_row - row + 1, rows,
				   err);
	for (int64_t i = 0; i < n && !status; i++) {
		int64_t at = rows[(first + i) / per_row - row];

		offset[i] = at < 0 ? -1
				   : at + tsl_gather_run_offset(
						  g, (first + i) % per_row);
	}
	return status;
}

/* Tuples are proved, all of them, before the first byte is written. */
static enum tsl_status
prove_chunk(void *work, int worker, int64_t i, struct tsl_error *err)
{
	const struct runs *r = work;
	int64_t first = i * CHUNK;
	enum tsl_status status = prepare(r, worker, err);

	if (status)
		return status;
	return npyio_tuples_rows(&r->workers[worker].tuples, first,
				 tsl_min(CHUNK, r->gather->ntuples - first),
				 NULL, err);
}

static enum tsl_status
prove_all(struct runs *r, struct tsl_error *err)
{
	return npyio_run_tasks(prove_chunk, release, r,
			       (r->gather->ntuples - 1) / CHUNK + 1,
			       r->nworkers, err);
}

/* ---- long runs ----------------------------------------------------------- */

static enum tsl_status
read_part(const struct runs *r, struct worker *w, int64_t first, int64_t n,
	  char *dst, struct tsl_error *err)
{
	int64_t run = first / r->gather->run_nbytes;
	int64_t offset;
	enum tsl_status status = locate(r, w, run, 1, &offset, err);

	if (status)
		return status;
	if (offset >= 0)
		return npyio_fetch_bytes(&w->fetch,
					 offset + first % r->gather->run_nbytes,
					 n, dst, err);
	memset(dst, 0, (size_t)n);
	return TSL_OK;
}

static enum tsl_status
do_block(void *work, int worker, int64_t i, struct tsl_error *err)
{
	struct runs *r = work;
	struct worker *w = &r->workers[worker];
	int64_t run = r->gather->run_nbytes;
	size_t header = r->out->header.len;
	int64_t first = i * r->block;
	int64_t end = tsl_min(first + r->block, r->out->t->job->nbytes);
	enum tsl_status status = prepare(r, worker, err);

	if (!status && !w->block &&
	    !(w->block = npyio_buffer_new(header + (size_t)r->block)))
		status = no_memory(err);
	for (int64_t at = first; at < end && !status;) {
		int64_t n = tsl_min(run - at % run, end - at);

		status = read_part(r, w, at, n,
				   w->block + header + (at - first), err);
		at += n;
	}
	if (status)
		return status;
	return npyio_put(r->out, w->block + header, first, end - first, err);
}

static enum tsl_status
write_long_runs(struct runs *r, struct tsl_error *err)
{
	return npyio_run_tasks(do_block, release, r,
			       (r->out->t->job->nbytes - 1) / r->block + 1,
			       r->nworkers, err);
}

/* ---- batches of short runs ----------------------------------------------- */

static char *
batch_bytes(const struct runs *r)
{
	return r->buffer + r->out->header.len;
}

static enum tsl_status
locate_chunk(void *work, int worker, int64_t i, struct tsl_error *err)
{
	struct runs *r = work;
	int64_t nbytes = r->gather->run_nbytes;
	int64_t first = i * CHUNK;
	int64_t n = tsl_min(CHUNK, r->n - first);
	int64_t *offset = r->offset + first;
	enum tsl_status status = prepare(r, worker, err);

	if (!status)
		status = locate(r, &r->workers[worker], r->first + first, n,
				offset, err);
	for (int64_t k = 0; k < n && !status; k++)
		if (offset[k] < 0)
			memset(batch_bytes(r) + (first + k) * nbytes, 0,
			       (size_t)nbytes);
	return status;
}

/* Sorts the runs of the batch by the part of the table that they begin in. */
static void
sort_by_part(struct runs *r)
{
	int64_t sum = 0;

	memset(r->end, 0, (size_t)r->nparts * sizeof(*r->end));
	for (int64_t i = 0; i < r->n; i++)
		if (r->offset[i] >= 0)
			r->end[r->offset[i] >> r->shift]++;
	for (int64_t p = 0; p < r->nparts; p++) {
		int64_t count = r->end[p];

		r->end[p] = sum;
		sum += count;
	}
	for (int64_t i = 0; i < r->n; i++)
		if (r->offset[i] >= 0)
			r->order[r->end[r->offset[i] >> r->shift]++] =
				(uint32_t)i;
}

static enum tsl_status
read_runs(const struct runs *r, struct worker *w, const uint32_t *order,
	  int64_t n, struct tsl_error *err)
{
	int64_t nbytes = r->gather->run_nbytes;
	enum tsl_status status = TSL_OK;

	for (int64_t i = 0; i < n && !status; i++)
		status = npyio_fetch_bytes(
			&w->fetch, r->offset[order[i]], nbytes,
			batch_bytes(r) + order[i] * nbytes, err);
	return status;
}

/* The runs of part i, to their places. */
static enum tsl_status
gather_part(void *work, int worker, int64_t i, struct tsl_error *err)
{
	struct runs *r = work;
	struct worker *w = &r->workers[worker];
	int64_t nbytes = r->gather->run_nbytes;
	int64_t begin = i == 0 ? 0 : r->end[i - 1];
	int64_t n = r->end[i] - begin;
	int64_t lo = i * r->part;
	int64_t hi = tsl_min(lo + r->part + nbytes,
			     tsl_array_nbytes(&r->out->t->job->in));
	enum tsl_status status;
	const char *bytes;

	if (n == 0)
		return TSL_OK;
	status = prepare(r, worker, err);
	if (status)
		return status;
	if (n < MIN_MAPPED_RUNS || nbytes >= MIN_READ || r->part > MAX_PART)
		return read_runs(r, w, r->order + begin, n, err);
	status = npyio_fetch_look(&w->fetch, lo, hi, true, &bytes, err);
	if (!status)
		tsl_pick_rows(batch_bytes(r), bytes, lo, r->offset,
			      r->order + begin, n, (size_t)nbytes);
	return status;
}

/* What of the table the runs of part i are in, from the first to the last. */
static bool
span_of_part(const struct runs *r, int64_t i, int64_t *lo, int64_t *hi)
{
	int64_t begin = i == 0 ? 0 : r->end[i - 1];

	if (begin == r->end[i])
		return false;
	*lo = *hi = r->offset[r->order[begin]];
	for (int64_t k = begin + 1; k < r->end[i]; k++) {
		*lo = tsl_min(*lo, r->offset[r->order[k]]);
		*hi = tsl_max(*hi, r->offset[r->order[k]]);
	}
	*hi += r->gather->run_nbytes;
	return true;
}

/* All parts go through one lane: while one is on its way the next is read. */
static enum tsl_status
gather_on_lane(struct runs *r, struct tsl_error *err)
{
	const struct tsl_backend *backend = r->lane.backend;
	struct tsl_block block = { .n = r->n * r->gather->run_nbytes,
				   .side = (const char *)r->offset };
	enum tsl_status status = prepare(r, 0, err);
	int64_t lo, hi;

	block.side_nbytes = r->n * (int64_t)sizeof(*r->offset);
	if (!status)
		status = backend->begin(r->lane.lane, &block, err);
	for (int64_t i = 0; i < r->nparts && !status; i++)
		if (span_of_part(r, i, &lo, &hi))
			status = npyio_lane_feed(&r->lane, &r->workers[0].fetch,
						 lo, hi, err);
	return status ? status
		      : backend->end(r->lane.lane, batch_bytes(r), err);
}

static enum tsl_status
put_block(void *work, int worker, int64_t i, struct tsl_error *err)
{
	struct runs *r = work;
	int64_t nbytes = r->gather->run_nbytes;
	int64_t first = i * r->block;
	int64_t n = tsl_min(r->block, r->n * nbytes - first);

	(void)worker;
	return npyio_put(r->out, batch_bytes(r) + first,
			 r->first * nbytes + first, n, err);
}

static enum tsl_status
write_batch(struct runs *r, struct tsl_error *err)
{
	int64_t nbytes = r->n * r->gather->run_nbytes;
	int writers =
		npyio_writer_is_positional(r->out->t->out) ? r->nworkers : 1;
	enum tsl_status status;

	status = npyio_run_tasks(locate_chunk, release, r,
				 (r->n - 1) / CHUNK + 1, r->nworkers, err);
	if (status)
		return status;
	sort_by_part(r);
	status = r->has_lane ? gather_on_lane(r, err)
			     : npyio_run_tasks(gather_part, release, r,
					       r->nparts, r->nworkers, err);
	if (status)
		return status;
	return npyio_run_tasks(put_block, release, r,
			       (nbytes - 1) / r->block + 1, writers, err);
}

static enum tsl_status
write_batches(struct runs *r, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;

	for (; r->first < r->total && !status; r->first += r->n) {
		r->n = tsl_min(r->capacity, r->total - r->first);
		status = write_batch(r, err);
	}
	return status;
}

/* ---- the plan ------------------------------------------------------------ */

/* Each is read into place, even where a device was asked for: see lanes.h. */
static bool
is_of_long_runs(const struct runs *r)
{
	return r->gather->run_nbytes >= LONG_RUN;
}

static int
count_workers(const struct runs *r)
{
	const struct npyio_transfer *t = r->out->t;
	int64_t n = tsl_min(t->threads, r->out->room / MIB);

	if (t->job->nbytes < MIN_OUT_FOR_THREADS &&
	    r->total < MIN_RUNS_FOR_THREADS)
		return 1;
	/* Blocks of long runs are written as they are made. */
	if (is_of_long_runs(r) && !npyio_writer_is_positional(t->out))
		return 1;
	return (int)tsl_max(tsl_min(n, NPYIO_MAX_WORKERS), 1);
}

/* Parts of at most so many bytes, but no more of them than can be counted. */
static void
cut_table(struct runs *r, int64_t most)
{
	int64_t table = tsl_array_nbytes(&r->out->t->job->in);
	int64_t max_parts = r->out->room / 64;

	r->shift = 0;
	while ((int64_t)2 << r->shift <= most ||
	       (table - 1) >> r->shift >= max_parts)
		r->shift++;
	r->part = (int64_t)1 << r->shift;
	r->nparts = (table - 1) / r->part + 1;
}

/*
 * With a lane half of the memory is for the batch, and an eighth for what the
 * lane takes to bring it back; pinned memory is for two parts of the table.
 */
static void
plan_lane(struct runs *r)
{
	const struct tsl_backend *backend = r->out->t->backend;
	int64_t run = r->gather->run_nbytes;
	int64_t side = (int64_t)sizeof(*r->offset);
	int64_t room = r->out->room / 2;
	int64_t part = tsl_min(r->out->room / 8, backend->memory / 4);

	part = tsl_min(tsl_max(part - run, 1), MAX_LANE_PART);
	cut_table(r, tsl_min(part, tsl_array_nbytes(&r->out->t->job->in)));
	r->capacity = tsl_min(room / (run + side + (int64_t)sizeof(*r->order)),
			      backend->memory / 2 / (run + side));
	r->capacity = tsl_min(r->capacity, backend->max_block / run);
	r->capacity = tsl_max(tsl_min(r->capacity, r->total), 1);
}

/* A quarter of the memory at most is for parts of the table. */
static void
plan(struct runs *r)
{
	int64_t room = r->out->room;
	int64_t per_run = r->gather->run_nbytes + (int64_t)sizeof(*r->offset) +
			  (int64_t)sizeof(*r->order);

	r->nworkers = count_workers(r);
	r->block = tsl_min(MAX_BLOCK, room / 4 / r->nworkers);
	r->block = tsl_min(r->block, npyio_writer_best_size(r->out->t->out));
	cut_table(r, tsl_min(MAX_PART, room / 4 / r->nworkers));
	room -= r->nworkers * (tsl_min(r->part, MAX_PART) + WORKER_NBYTES);
	r->capacity = tsl_min(room / per_run, UINT32_MAX);
	r->capacity = tsl_max(tsl_min(r->capacity, r->total), 1);
	r->has_lane = npyio_has_lanes(r->out->t) && !is_of_long_runs(r);
	if (r->has_lane)
		plan_lane(r);
}

static enum tsl_status
open_lane(struct runs *r, struct tsl_error *err)
{
	int64_t run = r->gather->run_nbytes;
	const struct tsl_lane_sizes sizes = {
		.in = r->part + run,
		.out = r->capacity * run,
		.side = r->capacity * (int64_t)sizeof(*r->offset),
	};

	return r->has_lane ? npyio_lane_open(&r->lane, r->out->t, &sizes, err)
			   : TSL_OK;
}

static enum tsl_status
reserve_batch(struct runs *r, struct tsl_error *err)
{
	size_t n = (size_t)r->capacity;

	r->offset = npyio_buffer_new(n * sizeof(*r->offset));
	r->order = npyio_buffer_new(n * sizeof(*r->order));
	r->end = malloc((size_t)r->nparts * sizeof(*r->end));
	r->buffer = npyio_buffer_new(r->out->header.len +
				     n * (size_t)r->gather->run_nbytes);
	return r->offset && r->order && r->end && r->buffer ? TSL_OK
							    : no_memory(err);
}

static enum tsl_status
write_all(struct runs *r, struct tsl_error *err)
{
	bool is_long = is_of_long_runs(r);
	enum tsl_status status = TSL_OK;

	/* One batch is proved when its places are found. */
	if (is_long || r->capacity < r->total)
		status = prove_all(r, err);
	if (status)
		return status;
	if (is_long)
		return write_long_runs(r, err);
	status = reserve_batch(r, err);
	if (!status)
		status = open_lane(r, err);
	return status ? status : write_batches(r, err);
}

enum tsl_status
npyio_write_runs(const struct npyio_output *out, struct tsl_error *err)
{
	const struct tsl_job *job = out->t->job;
	struct runs r = {
		.out = out,
		.gather = (const struct tsl_gather_job *)(const void *)job
	};
	enum tsl_status status = npyio_keep_input(out->t, err);

	if (status)
		return status;
	r.total = job->nbytes / r.gather->run_nbytes;
	plan(&r);
	r.workers = calloc((size_t)r.nworkers, sizeof(*r.workers));
	status = r.workers ? write_all(&r, err) : no_memory(err);
	if (r.workers)
		release(&r, 0);
	npyio_lane_close(&r.lane);
	free(r.workers);
	free(r.offset);
	free(r.order);
	free(r.end);
	free(r.buffer);
	return status;
}
