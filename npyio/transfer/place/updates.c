/*
 * updates.c - the rows of a scatter that go over a piece of the output
 *
 * All tuples are gone through for each piece.  When those that name a place in
 * it are more than memory holds, what was overtaken is dropped, and if that is
 * not enough the piece is cut in the middle.
 */
#include "updates.h"

#include "lib/base/minmax.h"
#include "lib/base/search.h"
#include "lib/op/scatter_nd.h"
#include "npyio/transfer/common/buffer.h"
#include "npyio/transfer/common/fill.h"
#include "scatter.h"

#include <stdlib.h>
#include <string.h>

#define MIB ((int64_t)1024 * 1024)

/* Rows of at least so many bytes are read when they are needed. */
#define LONG_ROW (16 * 1024)

/* Rows that are no further apart are read in one go. */
#define MAX_GAP 4096

static enum tsl_status
no_memory(struct tsl_error *err)
{
	return tsl_fail(err, TSL_EMEMORY, "out of memory for a scatter");
}

/* ---- sorting ------------------------------------------------------------- */

#define DIGIT 11
#define DIGITS (1 << DIGIT)

typedef int64_t key_of(const struct npyio_update *u);

static int64_t
place_of(const struct npyio_update *u)
{
	return u->at;
}

static int64_t
number_of(const struct npyio_update *u)
{
	return u->number;
}

static bool
is_sorted(const struct npyio_updates *u, key_of *key, int64_t *least,
	  int64_t *most)
{
	bool sorted = true;

	*least = *most = key(&u->update[0]);
	for (int64_t i = 1; i < u->n; i++) {
		int64_t k = key(&u->update[i]);

		sorted &= key(&u->update[i - 1]) <= k;
		*least = tsl_min(*least, k);
		*most = tsl_max(*most, k);
	}
	return sorted;
}

/* By one digit of the key; what is equal stays in its order. */
static void
sort_digit(struct npyio_updates *u, key_of *key, int64_t least, int shift)
{
	int64_t at[DIGITS] = { 0 };
	struct npyio_update *sorted = u->spare;
	int64_t sum = 0;

	for (int64_t i = 0; i < u->n; i++)
		at[((key(&u->update[i]) - least) >> shift) & (DIGITS - 1)]++;
	for (int d = 0; d < DIGITS; d++) {
		int64_t n = at[d];

		at[d] = sum;
		sum += n;
	}
	for (int64_t i = 0; i < u->n; i++) {
		int64_t k = (key(&u->update[i]) - least) >> shift;

		sorted[at[k & (DIGITS - 1)]++] = u->update[i];
	}
	u->spare = u->update;
	u->update = sorted;
}

static void
sort(struct npyio_updates *u, key_of *key)
{
	int64_t least, most;

	if (u->n == 0 || is_sorted(u, key, &least, &most))
		return;
	for (int shift = 0; shift < 63 && (most - least) >> shift > 0;
	     shift += DIGIT)
		sort_digit(u, key, least, shift);
}

/* By place; of those of one place the last one stays. */
static void
drop_overtaken(struct npyio_updates *u)
{
	int64_t kept = 0;

	sort(u, place_of);
	for (int64_t i = 0; i < u->n; i++)
		if (i + 1 == u->n || u->update[i + 1].at != u->update[i].at)
			u->update[kept++] = u->update[i];
	u->n = kept;
}

/* ---- the plan ------------------------------------------------------------ */

static enum tsl_status
reserve(struct npyio_updates *u, int64_t room, struct tsl_error *err)
{
	bool is_buffered = u->in && !u->rows && u->nbytes < LONG_ROW;
	int64_t each =
		2 * (int64_t)sizeof(*u->update) + (is_buffered ? u->nbytes : 0);

	u->most = tsl_max(tsl_min(room / 8, MIB), u->nbytes);
	room -= NPYIO_BATCH_WORKER_NBYTES + (is_buffered ? u->most : 0);
	u->capacity = tsl_max(tsl_min(room / each, u->batch.total), 2);
	u->update = npyio_buffer_new((size_t)u->capacity * sizeof(*u->update));
	u->spare = npyio_buffer_new((size_t)u->capacity * sizeof(*u->spare));
	if (!u->update || !u->spare)
		return no_memory(err);
	if (!is_buffered)
		return TSL_OK;
	u->rows = u->buffer =
		npyio_buffer_new((size_t)(u->capacity * u->nbytes));
	u->block = npyio_buffer_new((size_t)u->most);
	return u->buffer && u->block ? TSL_OK : no_memory(err);
}

enum tsl_status
npyio_updates_open(struct npyio_updates *u, const struct npyio_transfer *t,
		   int64_t room, struct tsl_error *err)
{
	const struct tsl_scatter_job *job =
		(const struct tsl_scatter_job *)(const void *)t->job;
	enum tsl_status status;

	*u = (struct npyio_updates){ .job = t->job };
	if (job->job.source)
		u->in = t->in[job->job.source];
	npyio_scatter_places(t, &u->places);
	/* Without any tuples there is nothing to find. */
	if (u->places.job.nbytes == 0)
		return TSL_OK;
	u->nbytes = u->places.run_nbytes;
	u->rows = u->in ? npyio_reader_memory(u->in) : NULL;
	npyio_batch_init(&u->batch, &u->places, t->in[job->indices]);
	status = npyio_batch_open(&u->batch, 1, err);
	return status ? status : reserve(u, room, err);
}

void
npyio_updates_close(struct npyio_updates *u)
{
	npyio_batch_close(&u->batch);
	free(u->update);
	free(u->spare);
	free(u->buffer);
	free(u->block);
}

/* ---- collecting ---------------------------------------------------------- */

/* Those of places before '*end' are wanted, by now. */
static void
make_room(struct npyio_updates *u, int64_t *end)
{
	drop_overtaken(u);
	/* Two at least are left, of different places. */
	if (u->n > u->capacity / 2) {
		u->n /= 2;
		*end = u->update[u->n].at;
	}
}

static void
collect_chunk(struct npyio_updates *u, int64_t number, const int64_t offset[],
	      int64_t n, int64_t first, int64_t *end)
{
	for (int64_t i = 0; i < n; i++) {
		/* Of no place is -1. */
		if (offset[i] < first || offset[i] >= *end)
			continue;
		if (u->n == u->capacity)
			make_room(u, end);
		if (offset[i] < *end)
			u->update[u->n++] =
				(struct npyio_update){ offset[i], number + i };
	}
}

/* Rows that stand side by side, or nearly, from update i on; returns how many.
 */
static int64_t
count_neighbours(const struct npyio_updates *u, int64_t i)
{
	int64_t begin = u->update[i].number;
	int64_t k;

	for (k = i + 1; k < u->n; k++) {
		int64_t gap = u->update[k].number - u->update[k - 1].number - 1;

		if (gap > MAX_GAP / u->nbytes ||
		    u->update[k].number - begin >= u->most / u->nbytes)
			break;
	}
	return k - i;
}

/* In the order of the file; from then on numbers are those of the buffer. */
static enum tsl_status
load(struct npyio_updates *u, struct tsl_error *err)
{
	int64_t size = u->nbytes;
	enum tsl_status status = TSL_OK;

	sort(u, number_of);
	for (int64_t i = 0, n; i < u->n && !status; i += n) {
		int64_t begin = u->update[i].number;
		int64_t end;

		n = count_neighbours(u, i);
		end = u->update[i + n - 1].number + 1;
		status = npyio_reader_read(u->in, begin * size,
					   (end - begin) * size, u->block, err);
		for (int64_t k = i; k < i + n && !status; k++) {
			memcpy(u->buffer + k * size,
			       u->block + (u->update[k].number - begin) * size,
			       (size_t)size);
			u->update[k].number = k;
		}
	}
	return status;
}

/*
 * Which of all may be for bytes [lo, hi): if a mask names places in their order
 * only those of some of its blocks, and if they come run by run only some runs.
 */
static void
find_candidates(const struct npyio_updates *u, int64_t lo, int64_t hi,
		int64_t *at, int64_t *end)
{
	const struct tsl_mask *m = u->places.job.mask;

	*at = 0;
	*end = u->batch.total;
	if (u->places.by_run) {
		int64_t piece = u->places.table_nbytes / u->places.runs_per_row;

		*at = lo / piece * u->places.ntuples;
		*end = ((hi - 1) / piece + 1) * u->places.ntuples;
		return;
	}
	if (!m || !tsl_mask_is_linear(&u->places))
		return;
	*at = m->before[lo / u->nbytes / m->block];
	*end = m->before[(hi - 1) / u->nbytes / m->block + 1];
}

enum tsl_status
npyio_updates_collect(struct npyio_updates *u, int64_t lo, int64_t *hi,
		      struct tsl_error *err)
{
	int64_t offset[NPYIO_BATCH_CHUNK];
	int64_t n, at, from, stop, first, end = *hi;
	enum tsl_status status = TSL_OK;

	u->n = 0;
	if (u->batch.total == 0)
		return TSL_OK;
	/* The first may begin before, and the last end behind. */
	first = tsl_max(lo - u->nbytes + 1, 0);
	find_candidates(u, first, end, &at, &stop);
	for (; at < stop && !status; at += n) {
		n = tsl_min(NPYIO_BATCH_CHUNK, stop - at);
		status = npyio_batch_locate(&u->batch, 0, at, n, offset, err);
		if (!status)
			collect_chunk(u, at, offset, n, first, &end);
		find_candidates(u, first, end, &from, &stop);
	}
	if (!status && u->buffer)
		status = load(u, err);
	drop_overtaken(u);
	*hi = end;
	return status;
}

/* ---- painting ------------------------------------------------------------ */

/* The first update of this place or a later one. */
static int64_t
find(const struct npyio_updates *u, int64_t at)
{
	return tsl_count_below(&u->update->at, sizeof(*u->update), u->n, at);
}

enum tsl_status
npyio_updates_paint(const struct npyio_updates *u, int64_t first, int64_t n,
		    char *bytes, struct tsl_error *err)
{
	int64_t size = u->nbytes;
	enum tsl_status status = TSL_OK;

	for (int64_t i = u->n ? find(u, first - size + 1) : 0;
	     i < u->n && !status; i++) {
		int64_t begin = u->update[i].at;
		int64_t lo = tsl_max(begin, first);
		int64_t hi = tsl_min(begin + size, first + n);
		int64_t from = u->update[i].number * size + (lo - begin);

		if (begin >= first + n)
			break;
		if (!u->in)
			npyio_fill(bytes + (lo - first), lo - begin, hi - lo,
				   u->job->fill, tsl_job_fill_size(u->job));
		else if (u->rows)
			memcpy(bytes + (lo - first), u->rows + from,
			       (size_t)(hi - lo));
		else
			status = npyio_reader_read(u->in, from, hi - lo,
						   bytes + (lo - first), err);
	}
	return status;
}
