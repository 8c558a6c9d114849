/*
 * lane_runs.h - the runs of a batch, picked by a device
 *
 * The parts of the table that there are runs in go to it one after the other:
 * while one is on its way the next is read.
 */
#ifndef NPYIO_LANE_RUNS_H
#define NPYIO_LANE_RUNS_H

#include "batch.h"
#include "npyio/transfer/common/lanes.h"
#include "npyio/transfer/common/output.h"

struct npyio_lane_runs {
	struct npyio_lane lane;
	struct npyio_batch *batch;
	int64_t capacity; /* runs */
	int64_t *offset; /* of each of the batch, in the table, or -1 */
	struct npyio_span *span; /* of the runs that begin in each part */
};

/*
 * npyio_lane_runs_plan() cuts the table of 'b' into the parts that are sent.
 * Returns how many runs a batch may have.
 */
int64_t npyio_lane_runs_plan(const struct npyio_output *out,
			     struct npyio_batch *b);

/*
 * npyio_lane_runs_open() opens a lane for batches of up to 'capacity' runs.
 * Returns TSL_OK; TSL_EDEVICE, TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE npyio_lane_runs_open(
	struct npyio_lane_runs *l, const struct npyio_transfer *t,
	struct npyio_batch *b, int64_t capacity, struct tsl_error *err);
void npyio_lane_runs_close(struct npyio_lane_runs *l);

/* npyio_lane_runs_find() has as many of runs [first, end) be the batch. */
enum tsl_status TSL_MUST_USE npyio_lane_runs_find(struct npyio_lane_runs *l,
						  int64_t first, int64_t end,
						  struct tsl_error *err);

/*
 * npyio_lane_runs_pick() stores them, from the table that begins at byte 'base'
 * of what 'f' fetches from.
 */
enum tsl_status TSL_MUST_USE npyio_lane_runs_pick(struct npyio_lane_runs *l,
						  struct npyio_fetch *f,
						  int64_t base, char *dst,
						  struct tsl_error *err);

#endif /* NPYIO_LANE_RUNS_H */
