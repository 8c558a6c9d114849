/*
 * batch.c - where the rows that tuples name lie in a table, many at a time
 */
#include "batch.h"

#include "lib/base/minmax.h"
#include "npyio/file/workers.h"
#include "npyio/transfer/common/buffer.h"

#include <stdlib.h>
#include <string.h>

#define MIB ((int64_t)1024 * 1024)

#define CHUNK NPYIO_BATCH_CHUNK

/* With less to do threads cost more than they bring. */
#define MIN_BYTES_FOR_THREADS (8 * MIB)
#define MIN_RUNS_FOR_THREADS (256 * 1024)

/* So many parts are gone through in no time, be there runs in them or not. */
#define FEW_PARTS 16384

static enum tsl_status
no_memory(struct tsl_error *err)
{
	return tsl_fail(err, TSL_EMEMORY, "out of memory for places of rows");
}

void
npyio_batch_init(struct npyio_batch *b, const struct tsl_gather_job *gather,
		 struct npyio_reader *indices)
{
	*b = (struct npyio_batch){ .gather = gather, .indices = indices };
	b->total = gather->ntuples * gather->runs_per_row;
}

void
npyio_batch_close(struct npyio_batch *b)
{
	npyio_batch_release(b, 0);
	free(b->tuples);
	free(b->place);
	free(b->slots);
}

int
npyio_batch_workers(const struct npyio_batch *b, int threads, int64_t room)
{
	int64_t n = tsl_min(threads, room / MIB);

	if (b->gather->job.nbytes < MIN_BYTES_FOR_THREADS &&
	    b->total < MIN_RUNS_FOR_THREADS)
		return 1;
	return (int)tsl_max(tsl_min(n, NPYIO_MAX_WORKERS), 1);
}

int64_t
npyio_batch_max_parts(const struct npyio_batch *b, int nworkers, int64_t room)
{
	return tsl_min(room / nworkers / NPYIO_BATCH_PART_ROOM,
		       tsl_max(b->total, FEW_PARTS));
}

void
npyio_batch_cut(struct npyio_batch *b, int64_t most, int64_t at,
		int64_t max_parts)
{
	int64_t last = tsl_max(b->gather->table_nbytes, 1) - 1;

	b->shift = 0;
	while ((int64_t)2 << b->shift <= most || last >> b->shift >= max_parts)
		b->shift++;
	b->part = (int64_t)1 << b->shift;
	b->lead = at & (b->part - 1);
	b->nparts = (last >> b->shift) + 1;
	if ((last & (b->part - 1)) + b->lead >= b->part)
		b->nparts++;
	b->window = b->part <= most ? b->part : 0;
	b->bits = b->shift < 32 ? 32 : 63 - b->shift;
}

static int64_t
slots_nbytes(const struct npyio_batch *b, int64_t nranges)
{
	return nranges * (b->nparts + 1) * (int64_t)sizeof(*b->slots);
}

int64_t
npyio_batch_capacity(const struct npyio_batch *b, int nworkers, int64_t room,
		     int64_t nbytes)
{
	int64_t n;

	room -= nworkers * (b->window + NPYIO_BATCH_WORKER_NBYTES);
	room -= slots_nbytes(b, nworkers);
	n = tsl_min(room / (nbytes + NPYIO_BATCH_RUN_NBYTES),
		    ((int64_t)1 << b->bits) - 1);
	return tsl_max(tsl_min(n, b->total), 1);
}

/* ---- tuples -------------------------------------------------------------- */

enum tsl_status
npyio_batch_open(struct npyio_batch *b, int nworkers, struct tsl_error *err)
{
	b->nworkers = nworkers;
	b->tuples = calloc((size_t)nworkers, sizeof(*b->tuples));
	return b->tuples ? TSL_OK : no_memory(err);
}

void
npyio_batch_release(void *batch, int worker)
{
	struct npyio_batch *b = batch;

	if (b->tuples)
		npyio_tuples_close(&b->tuples[worker]);
}

static enum tsl_status
prepare(struct npyio_batch *b, int worker, struct tsl_error *err)
{
	struct npyio_tuples *t = &b->tuples[worker];

	return t->chunk ? TSL_OK
			: npyio_tuples_init(t, b->gather, b->indices, err);
}

static enum tsl_status
check_chunk(void *work, int worker, int64_t i, struct tsl_error *err)
{
	struct npyio_batch *b = work;
	int64_t first = i * CHUNK;
	enum tsl_status status = prepare(b, worker, err);

	if (status)
		return status;
	return npyio_tuples_rows(&b->tuples[worker], first,
				 tsl_min(CHUNK, b->gather->ntuples - first),
				 NULL, err);
}

enum tsl_status
npyio_batch_check(struct npyio_batch *b, struct tsl_error *err)
{
	return npyio_run_tasks(check_chunk, npyio_batch_release, b,
			       (b->gather->ntuples - 1) / CHUNK + 1,
			       b->nworkers, err);
}

/* ---- places -------------------------------------------------------------- */

/* Runs [first, first + n), where they are numbered run by run. */
static enum tsl_status
locate_by_run(struct npyio_batch *b, int worker, int64_t first, int64_t n,
	      int64_t offset[], struct tsl_error *err)
{
	const struct tsl_gather_job *g = b->gather;
	bool few = g->ntuples <= CHUNK;
	int64_t rows[CHUNK];
	enum tsl_status status = TSL_OK;

	if (few)
		status = npyio_tuples_rows(&b->tuples[worker], 0, g->ntuples,
					   rows, err);
	while (n > 0 && !status) {
		int64_t begin = tsl_gather_run_offset(g, first / g->ntuples);
		int64_t tuple = first % g->ntuples;
		int64_t some = tsl_min(n, g->ntuples - tuple);
		const int64_t *row = few ? rows + tuple : rows;

		if (!few)
			status = npyio_tuples_rows(&b->tuples[worker], tuple,
						   some, rows, err);
		for (int64_t i = 0; i < some && !status; i++)
			offset[i] = row[i] < 0 ? -1 : row[i] + begin;
		offset += some;
		first += some;
		n -= some;
	}
	return status;
}

enum tsl_status
npyio_batch_locate(struct npyio_batch *b, int worker, int64_t first, int64_t n,
		   int64_t offset[], struct tsl_error *err)
{
	const struct tsl_gather_job *g = b->gather;
	struct npyio_tuples *tuples = &b->tuples[worker];
	int64_t per_row = g->runs_per_row;
	int64_t row = first / per_row;
	int64_t rows[CHUNK];
	enum tsl_status status = prepare(b, worker, err);

	if (status)
		return status;
	if (g->by_run)
		return locate_by_run(b, worker, first, n, offset, err);
	if (per_row == 1)
		return npyio_tuples_rows(tuples, first, n, offset, err);
	status = npyio_tuples_rows(
		tuples, row, (first + n - 1) / per_row - row + 1, rows, err);
	for (int64_t i = 0; i < n && !status; i++) {
		int64_t at = rows[(first + i) / per_row - row];

		offset[i] = at < 0 ? -1
				   : at + tsl_gather_run_offset(
						  g, (first + i) % per_row);
	}
	return status;
}

enum tsl_status
npyio_batch_locate_output(struct npyio_batch *b, int worker, int64_t first,
			  int64_t n, int64_t offset[], struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;

	while (n > 0 && !status) {
		int64_t base = first / b->total * b->gather->table_nbytes;
		int64_t some = tsl_min(n, b->total - first % b->total);

		status = npyio_batch_locate(b, worker, first % b->total, some,
					    offset, err);
		for (int64_t i = 0; i < some && !status && base > 0; i++)
			offset[i] += offset[i] < 0 ? 0 : base;
		offset += some;
		first += some;
		n -= some;
	}
	return status;
}

struct list {
	struct npyio_batch *batch;
	int64_t first, n;
	int64_t *offset;
};

static enum tsl_status
list_chunk(void *work, int worker, int64_t i, struct tsl_error *err)
{
	const struct list *l = work;
	int64_t first = i * CHUNK;

	return npyio_batch_locate(l->batch, worker, l->first + first,
				  tsl_min(CHUNK, l->n - first),
				  l->offset + first, err);
}

static void
release_list(void *work, int worker)
{
	const struct list *l = work;

	npyio_batch_release(l->batch, worker);
}

enum tsl_status
npyio_batch_list(struct npyio_batch *b, int64_t first, int64_t n,
		 int64_t offset[], struct tsl_error *err)
{
	struct list l = { b, first, n, offset };

	b->first = first;
	b->n = n;
	return npyio_run_tasks(list_chunk, release_list, &l,
			       (n - 1) / CHUNK + 1, b->nworkers, err);
}

/* ---- sorted by part ------------------------------------------------------ */

static int64_t
range_begin(const struct npyio_batch *b, int64_t range)
{
	/* In whole chunks; no product of these is too large. */
	int64_t chunks = (b->n - 1) / CHUNK + 1;

	return tsl_min(chunks * range / b->nranges * CHUNK, b->n);
}

static struct npyio_slots *
slots_of_range(const struct npyio_batch *b, int64_t range)
{
	return b->slots + range * (b->nparts + 1);
}

/* What is done with n runs of the batch from number 'first' on. */
typedef enum tsl_status take_runs(struct npyio_batch *b,
				  struct npyio_slots *slots, int64_t first,
				  const int64_t offset[], int64_t n,
				  struct tsl_error *err);

static enum tsl_status
walk_range(struct npyio_batch *b, int worker, int64_t range, take_runs *take,
	   struct tsl_error *err)
{
	int64_t end = range_begin(b, range + 1);
	int64_t offset[CHUNK];
	enum tsl_status status = TSL_OK;

	for (int64_t at = range_begin(b, range); at < end && !status;
	     at += CHUNK) {
		int64_t n = tsl_min(CHUNK, end - at);

		status = npyio_batch_locate(b, worker, b->first + at, n, offset,
					    err);
		if (!status)
			status = take(b, slots_of_range(b, range), at, offset,
				      n, err);
	}
	return status;
}

static enum tsl_status
count_runs(struct npyio_batch *b, struct npyio_slots *slots, int64_t first,
	   const int64_t offset[], int64_t n, struct tsl_error *err)
{
	(void)first;
	(void)err;
	for (int64_t i = 0; i < n; i++)
		slots[npyio_batch_part_of(b, offset[i])].end++;
	return TSL_OK;
}

static enum tsl_status
count_range(void *work, int worker, int64_t range, struct tsl_error *err)
{
	struct npyio_batch *b = work;

	memset(slots_of_range(b, range), 0, (size_t)slots_nbytes(b, 1));
	return walk_range(b, worker, range, count_runs, err);
}

/* From counts to slots: those of a range behind those of the one before it. */
static void
deal_slots(struct npyio_batch *b)
{
	uint32_t sum = 0;

	for (int64_t p = 0; p <= b->nparts; p++) {
		for (int64_t range = 0; range < b->nranges; range++) {
			struct npyio_slots *s = slots_of_range(b, range) + p;

			s->next = sum;
			sum += s->end;
			s->end = sum;
		}
	}
}

static enum tsl_status
changed(const struct npyio_batch *b, struct tsl_error *err)
{
	enum tsl_status status =
		tsl_fail(err, TSL_EIO, "the indices changed while being read");

	if (err)
		err->subject = npyio_reader_name(b->indices);
	return status;
}

static enum tsl_status
place_runs(struct npyio_batch *b, struct npyio_slots *slots, int64_t first,
	   const int64_t offset[], int64_t n, struct tsl_error *err)
{
	uint64_t mask = (uint64_t)b->part - 1;

	for (int64_t i = 0; i < n; i++) {
		struct npyio_slots *s =
			&slots[npyio_batch_part_of(b, offset[i])];
		uint64_t byte = (uint64_t)(offset[i] + b->lead) & mask;

		/* Fewer were counted. */
		if (s->next == s->end)
			return changed(b, err);
		b->place[s->next++] = byte << b->bits | (uint64_t)(first + i);
	}
	return TSL_OK;
}

static enum tsl_status
place_range(void *work, int worker, int64_t range, struct tsl_error *err)
{
	return walk_range(work, worker, range, place_runs, err);
}

enum tsl_status
npyio_batch_reserve(struct npyio_batch *b, int64_t capacity,
		    struct tsl_error *err)
{
	b->capacity = capacity;
	b->nranges = tsl_min(b->nworkers, (capacity - 1) / CHUNK + 1);
	b->place = npyio_buffer_new((size_t)capacity * sizeof(*b->place));
	b->slots = malloc((size_t)slots_nbytes(b, b->nranges));
	return b->place && b->slots ? TSL_OK : no_memory(err);
}

enum tsl_status
npyio_batch_find(struct npyio_batch *b, int64_t first, int64_t end,
		 struct tsl_error *err)
{
	enum tsl_status status;

	b->first = first;
	b->n = tsl_min(b->capacity, end - first);
	status = npyio_run_tasks(count_range, npyio_batch_release, b,
				 b->nranges, b->nworkers, err);
	if (status)
		return status;
	deal_slots(b);
	return npyio_run_tasks(place_range, npyio_batch_release, b, b->nranges,
			       b->nworkers, err);
}

const uint64_t *
npyio_batch_part(const struct npyio_batch *b, int64_t i, int64_t *n)
{
	/* The last range's runs are the last of each part. */
	const struct npyio_slots *last = slots_of_range(b, b->nranges - 1);
	int64_t begin = i == 0 ? 0 : last[i - 1].end;

	*n = last[i].end - begin;
	return b->place + begin;
}
