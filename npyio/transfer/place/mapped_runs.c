/*
 * mapped_runs.c - the output of a gather from a table that is in memory
 */
#include "mapped_runs.h"

#include "batch.h"
#include "lib/base/minmax.h"
#include "lib/kernel/kernel.h"
#include "npyio/file/window.h"
#include "npyio/file/workers.h"
#include "npyio/input/whole_window.h"
#include "npyio/transfer/common/buffer.h"
#include "npyio/transfer/common/lanes.h"

#include <stdlib.h>

#define MIB ((int64_t)1024 * 1024)

/* Output that is made, and written, at once: it stays in the second cache. */
#define MAX_BLOCK MIB

/* Above this a run is worth a system call of its own. */
#define MAX_RUN (2 * 1024)

/* What a fault maps at least, of pages that are in memory. */
#define FAULT_NBYTES ((int64_t)64 * 1024)

/* With fewer runs for each such piece of the table they are read sooner. */
#define MIN_RUNS_PER_FAULT 2

struct worker {
	char *block; /* room for the header and a block */
};

struct mapped_runs {
	const struct npyio_output *out;
	struct npyio_batch batch; /* knows where runs are */
	int nworkers;
	struct worker *workers;
	int64_t nruns; /* of a block */
	int64_t skew; /* the first has so many less: others are whole pages */
	struct npyio_window window;
	const char *table;
};

static int64_t
count_runs(const struct tsl_gather_job *g)
{
	return g->job.nbytes / g->run_nbytes;
}

static enum tsl_status
no_memory(struct tsl_error *err)
{
	return tsl_fail(err, TSL_EMEMORY, "out of memory for a gather");
}

static void
release(void *work, int worker)
{
	struct mapped_runs *m = work;

	npyio_batch_release(&m->batch, worker);
	free(m->workers[worker].block);
	m->workers[worker].block = NULL;
}

/* ---- one block ----------------------------------------------------------- */

/* Runs [first, first + n) of the output, found and proved again, to 'dst'. */
static enum tsl_status
take_runs(struct mapped_runs *m, int worker, int64_t first, int64_t n,
	  char *dst, struct tsl_error *err)
{
	int64_t run = m->batch.gather->run_nbytes;
	int64_t offset[NPYIO_BATCH_CHUNK];
	enum tsl_status status = TSL_OK;

	while (n > 0 && !status) {
		int64_t some = tsl_min(n, NPYIO_BATCH_CHUNK);

		status = npyio_batch_locate_output(&m->batch, worker, first,
						   some, offset, err);
		if (!status)
			tsl_take_rows(dst, m->table, 1, INT64_MAX, offset, some,
				      (size_t)run);
		dst += some * run;
		first += some;
		n -= some;
	}
	return status;
}

static enum tsl_status
do_block(void *work, int worker, int64_t i, struct tsl_error *err)
{
	struct mapped_runs *m = work;
	struct worker *w = &m->workers[worker];
	const struct tsl_gather_job *g = m->batch.gather;
	size_t header = m->out->header.len;
	int64_t run = g->run_nbytes;
	int64_t end = (i + 1) * m->nruns - m->skew;
	int64_t first = tsl_max(end - m->nruns, 0);
	int64_t n = tsl_min(end, count_runs(g)) - first;
	enum tsl_status status;

	if (!npyio_is_ours(m->out, first * run, n * run))
		return TSL_OK;
	if (!w->block)
		w->block = npyio_buffer_new(header + (size_t)(m->nruns * run));
	if (!w->block)
		return no_memory(err);
	status = take_runs(m, worker, first, n, w->block + header, err);
	return status ? status
		      : npyio_put(m->out, w->block + header, first * run,
				  n * run, err);
}

/* ---- the plan ------------------------------------------------------------ */

/* Whether it is better mapped, if it is in memory; and may be. */
static bool
is_worthwhile(const struct npyio_output *out, const struct tsl_gather_job *g)
{
	int64_t nbytes = tsl_array_extent(&g->job.in);

	return g->run_nbytes < MAX_RUN &&
	       nbytes <= npyio_room_to_map(out->t, out->room) &&
	       count_runs(g) / MIN_RUNS_PER_FAULT >= nbytes / FAULT_NBYTES;
}

/* By how much to shorten the first block, if the output begins at 'origin'. */
static int64_t
skew_of(const struct mapped_runs *m, int64_t origin)
{
	int64_t run = m->batch.gather->run_nbytes;

	return origin % run == 0 ? origin / run % m->nruns : 0;
}

static void
plan(struct mapped_runs *m)
{
	const struct npyio_output *out = m->out;
	struct npyio_writer *w = out->t->out;
	int64_t run = m->batch.gather->run_nbytes;
	int64_t block;

	m->nworkers = npyio_writer_is_positional(w)
			      ? npyio_batch_workers(&m->batch, out->t->threads,
						    out->room / 2)
			      : 1;
	block = tsl_min(MAX_BLOCK, npyio_writer_best_size(w));
	block = tsl_min(block, out->room / 4 / m->nworkers);
	m->nruns = tsl_max(block / run, 1);
	if (npyio_writer_is_positional(w))
		m->skew = skew_of(m, npyio_writer_base(w) +
					     (int64_t)out->header.len);
}

/* All tuples are proved before the first byte; of several makers each does so
   with its own, and nothing appears before all have. */
static enum tsl_status
write_all(struct mapped_runs *m, struct tsl_error *err)
{
	enum tsl_status status = npyio_batch_open(&m->batch, m->nworkers, err);

	m->workers = calloc((size_t)m->nworkers, sizeof(*m->workers));
	if (!m->workers)
		return no_memory(err);
	if (!status && npyio_share_is_all(&m->out->share))
		status = npyio_batch_check(&m->batch, err);
	if (status)
		return status;
	return npyio_run_tasks(
		do_block, release, m,
		(count_runs(m->batch.gather) + m->skew - 1) / m->nruns + 1,
		m->nworkers, err);
}

enum tsl_status
npyio_write_mapped_runs(const struct npyio_output *out, bool needs_large,
			bool *done, struct tsl_error *err)
{
	const struct npyio_transfer *t = out->t;
	const struct tsl_gather_job *g =
		(const struct tsl_gather_job *)(const void *)t->job;
	struct mapped_runs m = { .out = out };
	enum tsl_status status = TSL_OK;

	*done = false;
	if (npyio_has_lanes(t) || !is_worthwhile(out, g) ||
	    (npyio_reader_is_stream(t->in[0]) &&
	     !npyio_reader_is_buffered(t->in[0])))
		return TSL_OK;
	m.table = npyio_window_look_whole(&m.window, t->in[0]);
	*done = m.table && !(needs_large && m.window.base &&
			     !npyio_window_is_large(&m.window));
	if (*done) {
		npyio_batch_init(&m.batch, g, t->in[1]);
		plan(&m);
		status = write_all(&m, err);
		if (m.workers)
			release(&m, 0);
		npyio_batch_close(&m.batch);
		free(m.workers);
	}
	npyio_window_close_by(&m.window, m.nworkers);
	return status;
}
