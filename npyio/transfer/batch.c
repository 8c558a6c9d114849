/*
 * batch.c - where the rows that tuples name lie in a table, many at a time
 */
#include "batch.h"

#include "buffer.h"
#include "lib/base/minmax.h"
#include "workers.h"

#include <stdlib.h>
#include <string.h>

#define MIB ((int64_t)1024 * 1024)

#define CHUNK NPYIO_BATCH_CHUNK

/* With less to do threads cost more than they bring. */
#define MIN_BYTES_FOR_THREADS (8 * MIB)
#define MIN_RUNS_FOR_THREADS (256 * 1024)

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
	if (b->tuples)
		npyio_batch_release(b, 0);
	free(b->tuples);
	free(b->offset);
	free(b->order);
	free(b->end);
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

void
npyio_batch_cut(struct npyio_batch *b, int64_t most, int64_t room)
{
	int64_t table = tsl_max(b->gather->table_nbytes, 1);
	int64_t max_parts = room / 64;

	b->shift = 0;
	while ((int64_t)2 << b->shift <= most ||
	       (table - 1) >> b->shift >= max_parts)
		b->shift++;
	b->part = (int64_t)1 << b->shift;
	b->nparts = (table - 1) / b->part + 1;
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
prove_chunk(void *work, int worker, int64_t i, struct tsl_error *err)
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
npyio_batch_prove(struct npyio_batch *b, struct tsl_error *err)
{
	return npyio_run_tasks(prove_chunk, npyio_batch_release, b,
			       (b->gather->ntuples - 1) / CHUNK + 1,
			       b->nworkers, err);
}

/* ---- places -------------------------------------------------------------- */

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

static enum tsl_status
locate_chunk(void *work, int worker, int64_t i, struct tsl_error *err)
{
	struct npyio_batch *b = work;
	int64_t first = i * CHUNK;

	return npyio_batch_locate(b, worker, b->first + first,
				  tsl_min(CHUNK, b->n - first),
				  b->offset + first, err);
}

/* By counting, which leaves the runs of a part in their order. */
static void
sort_by_part(struct npyio_batch *b)
{
	int64_t sum = 0;

	memset(b->end, 0, (size_t)b->nparts * sizeof(*b->end));
	for (int64_t i = 0; i < b->n; i++)
		if (b->offset[i] >= 0)
			b->end[b->offset[i] >> b->shift]++;
	for (int64_t p = 0; p < b->nparts; p++) {
		int64_t count = b->end[p];

		b->end[p] = sum;
		sum += count;
	}
	for (int64_t i = 0; i < b->n; i++)
		if (b->offset[i] >= 0)
			b->order[b->end[b->offset[i] >> b->shift]++] =
				(uint32_t)i;
}

enum tsl_status
npyio_batch_reserve(struct npyio_batch *b, int64_t capacity,
		    struct tsl_error *err)
{
	size_t n = (size_t)capacity;

	b->capacity = capacity;
	b->offset = npyio_buffer_new(n * sizeof(*b->offset));
	b->order = npyio_buffer_new(n * sizeof(*b->order));
	b->end = malloc((size_t)b->nparts * sizeof(*b->end));
	return b->offset && b->order && b->end ? TSL_OK : no_memory(err);
}

enum tsl_status
npyio_batch_find(struct npyio_batch *b, int64_t first, int64_t end,
		 struct tsl_error *err)
{
	enum tsl_status status;

	b->first = first;
	b->n = tsl_min(b->capacity, end - first);
	status = npyio_run_tasks(locate_chunk, npyio_batch_release, b,
				 (b->n - 1) / CHUNK + 1, b->nworkers, err);
	if (!status)
		sort_by_part(b);
	return status;
}

const uint32_t *
npyio_batch_part(const struct npyio_batch *b, int64_t i, int64_t *n)
{
	int64_t begin = i == 0 ? 0 : b->end[i - 1];

	*n = b->end[i] - begin;
	return b->order + begin;
}
