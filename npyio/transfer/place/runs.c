/*
 * runs.c - the output of a gather: runs of bytes from all over a table
 *
 * Long runs are read into place; see long_runs.h.  Much of a table that is in
 * memory is copied from there; see mapped_runs.h.  Of other short ones a batch
 * is made at a time, as large as memory allows: where each run lies, which part
 * of the table that is in, and then part by part, in the order of the table,
 * its runs to their places in the output.  So the table is gone through once
 * for a batch, forward, however the indices are ordered, and a stream need not
 * be kept if there is but one batch.  With a device the parts go to it one
 * after the other, and it picks the runs.
 *
 * Of several tables each is gone through with a batch before the next batch is
 * made, if the output may be written in any order.
 */
#include "runs.h"

#include "batch.h"
#include "lane_runs.h"
#include "lib/base/minmax.h"
#include "lib/kernel/kernel.h"
#include "lib/op/gather_nd.h"
#include "long_runs.h"
#include "mapped_runs.h"
#include "mask_pick.h"
#include "npyio/file/workers.h"
#include "npyio/transfer/common/buffer.h"
#include "npyio/transfer/common/fetch.h"
#include "take_small.h"

#include <stdlib.h>
#include <string.h>

#define MIB ((int64_t)1024 * 1024)

/* Above this a run is worth a system call of its own. */
#define MIN_READ (2 * 1024)

/* With fewer runs in a part of the table each is to be read by itself. */
#define MIN_DENSE 32

/*
 * Nor are more worth a mapping, as soon as there were enough page faults to
 * tell, if they are fewer than this for each of them: the page cache has small
 * pages of the file.
 */
#define RUNS_PER_FAULT 3
#define ENOUGH_FAULTS 256

/* Output that is put together in a cache. */
#define MAX_CACHED (32 * MIB)

/* A huge page of the table's file, which is mapped at once, if there is one. */
#define MAX_PART (2 * MIB)

/* Of a stream: where parts must be larger, all of it is kept. */
#define MAX_FORWARD_PART (4 * MIB)

struct worker {
	bool ready;
	struct npyio_fetch fetch;
	int64_t mapped, faults; /* runs so far, and what mapping them took */
};

struct runs {
	const struct npyio_output *out;
	const struct tsl_gather_job *gather;
	int nworkers;
	struct worker *workers;
	int64_t block; /* bytes of output that are written at once */

	bool forward; /* the table is a stream, and is used as it comes */
	int64_t table; /* the number of the one that is gone through */

	struct npyio_batch batch;
	int64_t capacity; /* its runs */
	char *buffer; /* room for the header and the output of a batch */

	bool has_lane;
	struct npyio_lane_runs lane;
};

static enum tsl_status
no_memory(struct tsl_error *err)
{
	return tsl_fail(err, TSL_EMEMORY, "out of memory for a gather");
}

static struct worker *
prepare(const struct runs *r, int worker)
{
	struct worker *w = &r->workers[worker];

	/* A run may begin in a part and end in the next. */
	if (!w->ready)
		npyio_fetch_init(&w->fetch, r->out->t->in[0],
				 r->batch.window + r->gather->run_nbytes);
	w->ready = true;
	return w;
}

static void
release(void *work, int worker)
{
	struct runs *r = work;
	struct worker *w = &r->workers[worker];

	npyio_fetch_close(&w->fetch);
	npyio_batch_release(&r->batch, worker);
	*w = (struct worker){ .ready = false };
}

/* Each is read into place. */
static bool
is_of_long_runs(const struct runs *r)
{
	return r->gather->run_nbytes >= NPYIO_LONG_RUN && !r->forward;
}

/* ---- batches of short runs ----------------------------------------------- */

static char *
batch_bytes(const struct runs *r)
{
	return r->buffer + r->out->header.len;
}

/* The first byte of the table that is gone through. */
static int64_t
table_begin(const struct runs *r)
{
	return r->table * r->gather->table_nbytes;
}

/* What has no place in the table is a row of zeros. */
static enum tsl_status
zero_chunk(void *work, int worker, int64_t chunk, struct tsl_error *err)
{
	const struct runs *r = work;
	const struct npyio_batch *b = &r->batch;
	int64_t nbytes = r->gather->run_nbytes;
	int64_t n;
	const uint64_t *place = npyio_batch_part(b, b->nparts, &n);
	int64_t end = tsl_min((chunk + 1) * NPYIO_BATCH_CHUNK, n);

	(void)worker;
	(void)err;
	for (int64_t i = chunk * NPYIO_BATCH_CHUNK; i < end; i++)
		memset(batch_bytes(r) +
			       npyio_batch_number(b, place[i]) * nbytes,
		       0, (size_t)nbytes);
	return TSL_OK;
}

static enum tsl_status
write_zeros(struct runs *r, struct tsl_error *err)
{
	int64_t n;

	(void)npyio_batch_part(&r->batch, r->batch.nparts, &n);
	return n == 0 ? TSL_OK
		      : npyio_run_tasks(zero_chunk, release, r,
					(n - 1) / NPYIO_BATCH_CHUNK + 1,
					r->nworkers, err);
}

/* Stores where the next runs to be read are, and asks for them. */
static void
expect_runs(const struct runs *r, const struct worker *w, int64_t begin,
	    const uint64_t *place, int64_t n, int64_t offset[])
{
	n = tsl_min(n, NPYIO_MAX_EXPECTED);
	for (int64_t i = 0; i < n; i++)
		offset[i] = begin + npyio_batch_byte(&r->batch, place[i]);
	npyio_fetch_expect(&w->fetch, offset, n, r->gather->run_nbytes);
}

static enum tsl_status
read_runs(const struct runs *r, struct worker *w, int64_t begin,
	  const uint64_t *place, int64_t n, struct tsl_error *err)
{
	const struct npyio_batch *b = &r->batch;
	int64_t nbytes = r->gather->run_nbytes;
	int64_t offset[NPYIO_MAX_EXPECTED];
	enum tsl_status status = TSL_OK;

	for (int64_t i = 0; i < n && !status; i++) {
		int64_t slot = i % NPYIO_MAX_EXPECTED;
		int64_t number = npyio_batch_number(b, place[i]);

		if (slot == 0)
			expect_runs(r, w, begin, place + i, n - i, offset);
		status = npyio_fetch_bytes(&w->fetch, offset[slot], nbytes,
					   batch_bytes(r) + number * nbytes,
					   err);
	}
	return status;
}

/* What of its part n runs, some at least, are in. */
static void
span_of_runs(const struct runs *r, const uint64_t *place, int64_t n,
	     int64_t *lo, int64_t *hi)
{
	const struct npyio_batch *b = &r->batch;

	*lo = *hi = npyio_batch_byte(b, place[0]);
	for (int64_t i = 1; i < n; i++) {
		*lo = tsl_min(*lo, npyio_batch_byte(b, place[i]));
		*hi = tsl_max(*hi, npyio_batch_byte(b, place[i]));
	}
	*hi += r->gather->run_nbytes;
}

/* Whether a disk is best asked for all of a part with n runs. */
static bool
is_dense(const struct runs *r, int64_t n)
{
	return n >= MIN_DENSE && r->batch.window > 0;
}

/* Whether a part with n runs is mapped, or taken whole; or each run read. */
static bool
is_looked_at(const struct runs *r, const struct worker *w, int64_t n)
{
	bool is_cheap = w->faults < ENOUGH_FAULTS ||
			w->mapped >= w->faults * RUNS_PER_FAULT;

	return r->forward ||
	       (is_dense(r, n) && is_cheap && r->gather->run_nbytes < MIN_READ);
}

/* A part of the table that will be needed soon. */
static void
expect_part(const struct runs *r, const struct worker *w, int64_t begin)
{
	if (begin < r->gather->ntables * r->gather->table_nbytes)
		npyio_fetch_expect(&w->fetch, &begin, 1, r->batch.part);
}

/* The runs of part i, to their places. */
static enum tsl_status
gather_part(void *work, int worker, int64_t i, struct tsl_error *err)
{
	struct runs *r = work;
	const struct npyio_batch *b = &r->batch;
	struct worker *w = prepare(r, worker);
	int64_t nbytes = r->gather->run_nbytes;
	int64_t first = npyio_batch_begin(b, i); /* of the table */
	int64_t begin = table_begin(r) + first;
	int64_t lo = tsl_max(-first, 0);
	int64_t hi = tsl_min(b->part + nbytes, r->gather->table_nbytes - first);
	int64_t n;
	const uint64_t *place = npyio_batch_part(b, i, &n);
	enum tsl_status status;
	const char *bytes;
	int64_t faults;

	if (n == 0)
		return TSL_OK;
	if (is_dense(r, n))
		expect_part(r, w, begin + r->nworkers * b->part);
	if (!is_looked_at(r, w, n))
		return read_runs(r, w, begin, place, n, err);
	if (r->forward)
		span_of_runs(r, place, n, &lo, &hi);
	faults = npyio_window_faults();
	status = npyio_fetch_look(&w->fetch, begin + lo, begin + hi, true,
				  &bytes, err);
	if (status)
		return status;
	tsl_gather_rows(batch_bytes(r), bytes, lo, place, b->bits, n,
			(size_t)nbytes);
	w->mapped += n;
	w->faults += npyio_window_faults() - faults;
	return TSL_OK;
}

static enum tsl_status
gather_batch(struct runs *r, struct tsl_error *err)
{
	enum tsl_status status;

	if (r->has_lane)
		return npyio_lane_runs_pick(&r->lane, &prepare(r, 0)->fetch,
					    table_begin(r), batch_bytes(r),
					    err);
	status = write_zeros(r, err);
	if (status)
		return status;
	return npyio_run_tasks(gather_part, release, r, r->batch.nparts,
			       r->nworkers, err);
}

static enum tsl_status
put_block(void *work, int worker, int64_t i, struct tsl_error *err)
{
	struct runs *r = work;
	int64_t nbytes = r->gather->run_nbytes;
	int64_t first = i * r->block;
	int64_t n = tsl_min(r->block, r->batch.n * nbytes - first);
	int64_t run = r->table * r->batch.total + r->batch.first;

	(void)worker;
	return npyio_put(r->out, batch_bytes(r) + first, run * nbytes + first,
			 n, err);
}

static enum tsl_status
write_batch(struct runs *r, struct tsl_error *err)
{
	int64_t nbytes = r->batch.n * r->gather->run_nbytes;
	int writers =
		npyio_writer_is_positional(r->out->t->out) ? r->nworkers : 1;
	enum tsl_status status = gather_batch(r, err);

	if (status)
		return status;
	return npyio_run_tasks(put_block, release, r,
			       (nbytes - 1) / r->block + 1, writers, err);
}

static enum tsl_status
write_tables(struct runs *r, int64_t first, int64_t end, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;

	for (r->table = first; r->table < end && !status; r->table++)
		status = write_batch(r, err);
	return status;
}

/* The same runs of each of some tables. */
struct stretch {
	int64_t table, ntables;
	int64_t first, n; /* runs */
};

static enum tsl_status
find_batch(struct runs *r, int64_t first, int64_t end, struct tsl_error *err)
{
	if (r->has_lane)
		return npyio_lane_runs_find(&r->lane, first, end, err);
	return npyio_batch_find(&r->batch, first, end, err);
}

static enum tsl_status
write_batches(struct runs *r, const struct stretch *s, struct tsl_error *err)
{
	int64_t end = s->first + s->n;
	enum tsl_status status = TSL_OK;

	for (int64_t i = s->first; i < end && !status; i += r->batch.n) {
		status = find_batch(r, i, end, err);
		if (!status)
			status = write_tables(r, s->table,
					      s->table + s->ntables, err);
	}
	return status;
}

static enum tsl_status
write_stretch(struct runs *r, struct stretch s, struct tsl_error *err)
{
	int64_t end = s.table + s.ntables;
	enum tsl_status status = TSL_OK;

	if (r->capacity >= s.n || npyio_writer_is_positional(r->out->t->out))
		return write_batches(r, &s, err);
	s.ntables = 1;
	for (; s.table < end && !status; s.table++)
		status = write_batches(r, &s, err);
	return status;
}

/* Runs [at, end), of all those of one table behind those of the other. */
static enum tsl_status
write_run_range(struct runs *r, int64_t at, int64_t end, struct tsl_error *err)
{
	int64_t total = r->batch.total;
	enum tsl_status status = TSL_OK;

	while (at < end && !status) {
		struct stretch s = {
			.table = at / total,
			.ntables = 1,
			.first = at % total,
			.n = tsl_min(total - at % total, end - at),
		};

		if (s.n == total)
			s.ntables = (end - at) / total;
		status = write_stretch(r, s, err);
		at += s.ntables * s.n;
	}
	return status;
}

static enum tsl_status
write_short_runs(struct runs *r, struct tsl_error *err)
{
	const struct npyio_share *share = &r->out->share;
	int64_t run = r->gather->run_nbytes;
	enum tsl_status status = TSL_OK;

	for (int64_t i = 0; i < npyio_share_ranges(share) && !status; i++) {
		int64_t lo, hi;

		npyio_share_range(share, i, &lo, &hi);
		status = write_run_range(r, lo / run, (hi - 1) / run + 1, err);
	}
	return status;
}

/* ---- the plan ------------------------------------------------------------ */

static int
count_workers(const struct runs *r)
{
	const struct npyio_transfer *t = r->out->t;

	/* Blocks of long runs are written as they are made. */
	if (is_of_long_runs(r) && !npyio_writer_is_positional(t->out))
		return 1;
	return npyio_batch_workers(&r->batch, t->threads, r->out->room);
}

/* Where the table begins in its file. */
static int64_t
table_offset(const struct runs *r)
{
	int64_t offset;
	int fd;

	return !r->forward && npyio_reader_file(r->out->t->in[0], &fd, &offset)
		       ? offset
		       : 0;
}

/* A quarter of the memory at most is for parts of the table. */
static void
plan(struct runs *r)
{
	struct npyio_batch *b = &r->batch;
	int64_t room = r->out->room;
	int64_t most;

	r->nworkers = r->forward ? 1 : count_workers(r);
	r->block = tsl_min(NPYIO_LONG_RUNS_BLOCK, room / 4 / r->nworkers);
	r->block = tsl_min(r->block, npyio_writer_best_size(r->out->t->out));
	r->block = npyio_whole_elements(r->out, r->block);
	r->has_lane = npyio_has_lanes(r->out->t);
	if (r->has_lane) {
		r->capacity = npyio_lane_runs_plan(r->out, b);
		return;
	}
	most = tsl_min(r->forward ? MAX_FORWARD_PART : MAX_PART,
		       room / 4 / r->nworkers);
	npyio_batch_cut(b, most, table_offset(r),
			r->forward
				? room / NPYIO_BATCH_PART_ROOM
				: npyio_batch_max_parts(b, r->nworkers, room));
	r->capacity = npyio_batch_capacity(b, r->nworkers, room,
					   r->gather->run_nbytes);
}

/* A stream is used as it comes if nothing of it is needed another time. */
static enum tsl_status
plan_stream(struct runs *r, struct tsl_error *err)
{
	const struct npyio_batch *b = &r->batch;

	r->forward = true;
	plan(r);
	if (!r->has_lane && r->capacity >= b->total && b->window > 0 &&
	    r->gather->run_nbytes <= b->part)
		return TSL_OK;
	r->forward = false;
	plan(r);
	return npyio_keep_input(r->out->t, err);
}

/*
 * Whether one batch of all is made where the processor's last cache holds it:
 * then the order of the table is the better one, but for tables in huge pages.
 */
static bool
is_cached(const struct runs *r)
{
	int64_t nbytes = r->batch.total * r->gather->run_nbytes;

	return r->capacity >= r->batch.total && nbytes <= MAX_CACHED;
}

static enum tsl_status
reserve_batch(struct runs *r, struct tsl_error *err)
{
	size_t nbytes = r->out->header.len +
			(size_t)(r->capacity * r->gather->run_nbytes);
	enum tsl_status status;

	if (r->has_lane)
		status = npyio_lane_runs_open(&r->lane, r->out->t, &r->batch,
					      r->capacity, err);
	else
		status = npyio_batch_reserve(&r->batch, r->capacity, err);
	if (status)
		return status;
	r->buffer = npyio_buffer_new(nbytes);
	return r->buffer ? TSL_OK : no_memory(err);
}

static enum tsl_status
write_all(struct runs *r, struct tsl_error *err)
{
	bool is_long = is_of_long_runs(r);
	enum tsl_status status = npyio_batch_open(&r->batch, r->nworkers, err);

	/*
	 * Tuples are proved, all of them, before the first byte is written;
	 * those of one batch are when its places are found.  Of several makers
	 * each proves those of its share, and nothing appears before all have.
	 */
	if (!status && npyio_share_is_all(&r->out->share) &&
	    (is_long || r->capacity < r->batch.total))
		status = npyio_batch_check(&r->batch, err);
	if (status)
		return status;
	if (is_long)
		return npyio_write_long_runs(r->out, &r->batch, r->nworkers,
					     r->block, err);
	status = reserve_batch(r, err);
	return status ? status : write_short_runs(r, err);
}

enum tsl_status
npyio_write_runs(const struct npyio_output *out, struct tsl_error *err)
{
	const struct tsl_job *job = out->t->job;
	struct runs r = {
		.out = out,
		.gather = (const struct tsl_gather_job *)(const void *)job
	};
	enum tsl_status status;
	bool done;

	status = npyio_write_masked(out, &done, err);
	if (!status && !done)
		status = npyio_write_take(out, &done, err);
	if (status || done)
		return status;
	npyio_batch_init(&r.batch, r.gather, out->t->in[1]);
	if (npyio_reader_is_stream(out->t->in[0]) &&
	    !npyio_reader_is_buffered(out->t->in[0]))
		status = plan_stream(&r, err);
	else
		plan(&r);
	if (!status)
		status =
			npyio_write_mapped_runs(out, is_cached(&r), &done, err);
	if (status || done)
		return status;
	r.workers = calloc((size_t)r.nworkers, sizeof(*r.workers));
	status = r.workers ? write_all(&r, err) : no_memory(err);
	if (r.batch.tuples)
		release(&r, 0);
	npyio_lane_runs_close(&r.lane);
	npyio_batch_close(&r.batch);
	free(r.workers);
	free(r.buffer);
	return status;
}
