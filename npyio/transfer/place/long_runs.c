/*
 * long_runs.c - the output of a gather of runs that are worth a read each
 */
#include "long_runs.h"

#include "lib/base/minmax.h"
#include "npyio/file/workers.h"
#include "npyio/transfer/common/buffer.h"

#include <stdlib.h>
#include <string.h>

struct worker {
	bool ready;
	struct npyio_fetch fetch;
	char *block; /* room for the header and a block */
};

struct long_runs {
	const struct npyio_output *out;
	struct npyio_batch *batch;
	int64_t block; /* bytes of output that are made at once */
	struct worker *workers;
};

static struct worker *
prepare(const struct long_runs *r, int worker)
{
	struct worker *w = &r->workers[worker];

	if (!w->ready)
		npyio_fetch_init(&w->fetch, r->out->t->in[0],
				 r->batch->gather->run_nbytes);
	w->ready = true;
	return w;
}

static void
release(void *work, int worker)
{
	struct long_runs *r = work;
	struct worker *w = &r->workers[worker];

	npyio_fetch_close(&w->fetch);
	npyio_batch_release(r->batch, worker);
	free(w->block);
	*w = (struct worker){ .ready = false };
}

/* Bytes [first, end) of the output, of runs that begin at offset[]. */
static enum tsl_status
read_block(const struct long_runs *r, struct worker *w, const int64_t offset[],
	   int64_t first, int64_t end, char *dst, struct tsl_error *err)
{
	int64_t run = r->batch->gather->run_nbytes;
	int64_t nruns = (end - 1) / run - first / run + 1;
	enum tsl_status status = TSL_OK;

	for (int64_t i = 0; i < nruns && !status; i++) {
		int64_t skipped = first % run;
		int64_t n = tsl_min(run - skipped, end - first);

		/* The first may have been begun in the block before. */
		if (i % NPYIO_MAX_EXPECTED == 0)
			npyio_fetch_expect(
				&w->fetch, offset + i + 1,
				tsl_min(NPYIO_MAX_EXPECTED, nruns - i - 1),
				run);
		if (offset[i] < 0)
			memset(dst, 0, (size_t)n);
		else
			status = npyio_fetch_bytes(
				&w->fetch, offset[i] + skipped, n, dst, err);
		dst += n;
		first += n;
	}
	return status;
}

static enum tsl_status
do_block(void *work, int worker, int64_t i, struct tsl_error *err)
{
	struct long_runs *r = work;
	struct worker *w = prepare(r, worker);
	int64_t run = r->batch->gather->run_nbytes;
	size_t header = r->out->header.len;
	int64_t first = i * r->block;
	int64_t end = tsl_min(first + r->block, r->out->t->job->nbytes);
	int64_t offset[NPYIO_LONG_RUNS_BLOCK / NPYIO_LONG_RUN + 2];
	enum tsl_status status;

	if (!npyio_is_ours(r->out, first, end - first))
		return TSL_OK;
	if (!w->block &&
	    !(w->block = npyio_buffer_new(header + (size_t)r->block)))
		return tsl_fail(err, TSL_EMEMORY, "out of memory for a gather");
	status = npyio_batch_locate_output(r->batch, worker, first / run,
					   (end - 1) / run - first / run + 1,
					   offset, err);
	if (!status)
		status = read_block(r, w, offset, first, end, w->block + header,
				    err);
	if (status)
		return status;
	return npyio_put(r->out, w->block + header, first, end - first, err);
}

enum tsl_status
npyio_write_long_runs(const struct npyio_output *out, struct npyio_batch *b,
		      int nworkers, int64_t block, struct tsl_error *err)
{
	struct long_runs r = { .out = out, .batch = b, .block = block };
	enum tsl_status status;

	r.workers = calloc((size_t)nworkers, sizeof(*r.workers));
	if (!r.workers)
		return tsl_fail(err, TSL_EMEMORY, "out of memory for a gather");
	status = npyio_run_tasks(do_block, release, &r,
				 (out->t->job->nbytes - 1) / block + 1,
				 nworkers, err);
	release(&r, 0);
	free(r.workers);
	return status;
}
