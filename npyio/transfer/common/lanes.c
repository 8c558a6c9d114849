/*
 * lanes.c - pieces of output made by a backend, such as a GPU
 */
#include "lanes.h"

#include "lib/base/minmax.h"
#include "lib/op/gather_nd.h"

/* Larger blocks keep a bus no busier, and pinned memory is slow to get. */
#define MAX_BLOCK ((int64_t)16 * 1024 * 1024)

/* Of what a view spans so much must be wanted for all of it to be sent. */
#define DENSE_PART 4

/* Each table is sent by itself: many that are small are mostly waited for. */
#define MANY_TABLES 64
#define SMALL_TABLE ((int64_t)1024 * 1024)

/* What a gather has against a device, or NULL. */
static const char *
why_no_gather(const struct tsl_job *job)
{
	const struct tsl_gather_job *g =
		(const struct tsl_gather_job *)(const void *)job;

	if (job->op->road != TSL_ROAD_RUNS)
		return NULL;
	if (g->run_nbytes >= NPYIO_LONG_RUN)
		return "long rows are read into place";
	if (g->ntables > MANY_TABLES && g->table_nbytes < SMALL_TABLE)
		return "many small tables are gathered from";
	return NULL;
}

const char *
npyio_why_no_lanes(const struct npyio_transfer *t)
{
	const struct tsl_job *job = t->job;

	if (job->pattern == TSL_PATTERN_PICKS)
		return "picked as it is read";
	if (!job->op->patch && (job->pattern == TSL_PATTERN_EMPTY ||
				job->pattern == TSL_PATTERN_RUN ||
				job->pattern == TSL_PATTERN_ROWS))
		return "nothing needs reordering";
	return why_no_gather(job);
}

bool
npyio_has_lanes(const struct npyio_transfer *t)
{
	return t->backend && !npyio_why_no_lanes(t);
}

/*
 * Of the memory a quarter each is for the block, its input in pinned memory,
 * and what the input is fetched through; of the rest, half is for the side.
 */
void
npyio_lanes_limit(const struct npyio_transfer *t, int nlanes, int64_t room,
		  struct tsl_lane_sizes *most)
{
	int64_t memory = t->backend->memory / nlanes;
	int64_t block = tsl_min(MAX_BLOCK, room / nlanes / 4);

	most->out = tsl_min(block, tsl_min(memory / 4, t->backend->max_block));
	most->in = tsl_min(block, memory / 2);
	most->in = tsl_min(most->in, tsl_array_extent(&t->job->in));
	most->side = tsl_min(room / nlanes / 8, memory / 8);
}

enum tsl_status
npyio_lane_open(struct npyio_lane *l, const struct npyio_transfer *t,
		const struct tsl_lane_sizes *sizes, struct tsl_error *err)
{
	l->backend = t->backend;
	l->room = sizes->in;
	return l->backend->open(&l->lane, l->backend, t->job, sizes, err);
}

void
npyio_lane_close(struct npyio_lane *l)
{
	if (l->lane)
		l->backend->close(l->lane);
	l->lane = NULL;
}

enum tsl_status
npyio_lane_feed(struct npyio_lane *l, struct npyio_fetch *f, int64_t base,
		int64_t lo, int64_t hi, struct tsl_error *err)
{
	enum tsl_status status;
	const char *bytes;
	char *input;

	if (f->forward) {
		/* The next block may want some of it once more. */
		status = npyio_fetch_look(f, base + lo, base + hi, false,
					  &bytes, err);
	} else {
		status = l->backend->input(l->lane, &input, err);
		if (!status)
			status = npyio_fetch_bytes(f, base + lo, hi - lo, input,
						   err);
		bytes = input;
	}
	return status ? status : l->backend->feed(l->lane, bytes, lo, hi, err);
}

/* The elements alone, packed one behind the other in the input's order. */
static enum tsl_status
make_packed(struct npyio_lane *l, struct npyio_fetch *f,
	    enum tsl_pattern pattern, const struct tsl_block *block, char *dst,
	    struct tsl_error *err)
{
	struct tsl_block part = *block;
	struct tsl_view packed;
	enum tsl_status status;
	char *input;

	status = l->backend->input(l->lane, &input, err);
	if (!status)
		status = npyio_fetch_packed(f, pattern, block->view, &packed,
					    input, err);
	part.view = &packed;
	if (!status)
		status = l->backend->begin(l->lane, &part, err);
	if (!status)
		status = l->backend->feed(l->lane, input, 0, block->n, err);
	return status ? status : l->backend->end(l->lane, dst, err);
}

enum tsl_status
npyio_lane_view(struct npyio_lane *l, struct npyio_fetch *f,
		enum tsl_pattern pattern, const struct tsl_block *block,
		char *dst, struct tsl_error *err)
{
	enum tsl_status status;
	int64_t lo, hi;

	tsl_view_span(block->view, &lo, &hi);
	if (hi - lo > l->room ||
	    (!f->forward && block->n < (hi - lo) / DENSE_PART))
		return make_packed(l, f, pattern, block, dst, err);
	status = l->backend->begin(l->lane, block, err);
	if (!status)
		status = npyio_lane_feed(l, f, 0, lo, hi, err);
	return status ? status : l->backend->end(l->lane, dst, err);
}
