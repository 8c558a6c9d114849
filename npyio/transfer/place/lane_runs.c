/*
 * lane_runs.c - the runs of a batch, picked by a device
 */
#include "lane_runs.h"

#include "lib/base/minmax.h"
#include "npyio/transfer/common/buffer.h"

#include <stdlib.h>

#define MIB ((int64_t)1024 * 1024)

#define MAX_PART (32 * MIB)

/* Bytes of the table; none if lo is hi. */
struct npyio_span {
	int64_t lo, hi;
};

/*
 * Half of the memory is for the batch, and an eighth for what the lane takes to
 * bring it back; pinned memory is for two parts of the table.
 */
int64_t
npyio_lane_runs_plan(const struct npyio_output *out, struct npyio_batch *b)
{
	const struct tsl_backend *backend = out->t->backend;
	int64_t run = b->gather->run_nbytes;
	int64_t side = (int64_t)sizeof(int64_t);
	int64_t part = tsl_min(out->room / 8, backend->memory / 4);
	int64_t capacity;

	part = tsl_min(tsl_max(part - run, 1), MAX_PART);
	npyio_batch_cut(b, tsl_min(part, b->gather->table_nbytes), 0,
			out->room / NPYIO_BATCH_PART_ROOM);
	capacity = tsl_min(out->room / 2 / (run + side),
			   backend->memory / 2 / (run + side));
	capacity = tsl_min(capacity, backend->max_block / run);
	return tsl_max(tsl_min(capacity, b->total), 1);
}

enum tsl_status
npyio_lane_runs_open(struct npyio_lane_runs *l, const struct npyio_transfer *t,
		     struct npyio_batch *b, int64_t capacity,
		     struct tsl_error *err)
{
	int64_t run = b->gather->run_nbytes;
	int64_t side = capacity * (int64_t)sizeof(*l->offset);
	const struct tsl_lane_sizes sizes = {
		.in = b->part + run,
		.out = capacity * run,
		.side = side,
	};

	l->batch = b;
	l->capacity = capacity;
	l->offset = npyio_buffer_new((size_t)side);
	l->span = malloc((size_t)b->nparts * sizeof(*l->span));
	if (!l->offset || !l->span)
		return tsl_fail(err, TSL_EMEMORY,
				"out of memory for places of rows");
	return npyio_lane_open(&l->lane, t, &sizes, err);
}

void
npyio_lane_runs_close(struct npyio_lane_runs *l)
{
	npyio_lane_close(&l->lane);
	free(l->offset);
	free(l->span);
}

static void
find_spans(struct npyio_lane_runs *l)
{
	const struct npyio_batch *b = l->batch;
	int64_t run = b->gather->run_nbytes;

	for (int64_t i = 0; i < b->nparts; i++)
		l->span[i] = (struct npyio_span){ INT64_MAX, INT64_MAX };
	for (int64_t i = 0; i < b->n; i++) {
		int64_t lo = l->offset[i];
		struct npyio_span *s;

		if (lo < 0)
			continue;
		s = &l->span[npyio_batch_part_of(b, lo)];
		s->hi = s->lo == INT64_MAX ? lo + run
					   : tsl_max(s->hi, lo + run);
		s->lo = tsl_min(s->lo, lo);
	}
}

enum tsl_status
npyio_lane_runs_find(struct npyio_lane_runs *l, int64_t first, int64_t end,
		     struct tsl_error *err)
{
	enum tsl_status status = npyio_batch_list(
		l->batch, first, tsl_min(l->capacity, end - first), l->offset,
		err);

	if (!status)
		find_spans(l);
	return status;
}

enum tsl_status
npyio_lane_runs_pick(struct npyio_lane_runs *l, struct npyio_fetch *f,
		     int64_t base, char *dst, struct tsl_error *err)
{
	const struct tsl_backend *backend = l->lane.backend;
	const struct npyio_batch *b = l->batch;
	const struct tsl_block block = {
		.n = b->n * b->gather->run_nbytes,
		.side = (const char *)l->offset,
		.side_nbytes = b->n * (int64_t)sizeof(*l->offset),
	};
	enum tsl_status status = backend->begin(l->lane.lane, &block, err);

	for (int64_t i = 0; i < b->nparts && !status; i++) {
		const struct npyio_span *s = &l->span[i];

		if (s->lo < s->hi)
			status = npyio_lane_feed(&l->lane, f, base, s->lo,
						 s->hi, err);
	}
	return status ? status : backend->end(l->lane.lane, dst, err);
}
