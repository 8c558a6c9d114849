/*
 * peek.c - some elements of a job's output, wherever they are
 */
#include "peek.h"

#include "lib/view/walk.h"
#include "npyio/transfer/common/output.h"
#include "operands.h"
#include "prepare.h"

#include <string.h>

static const struct tsl_gather_job *
gather_of(const struct npyio_transfer *t)
{
	return (const struct tsl_gather_job *)(const void *)t->job;
}

static enum tsl_status
init_tuples(struct npyio_peek *p, struct tsl_error *err)
{
	const struct npyio_transfer *t = p->t;
	const struct tsl_gather_job *g = gather_of(t);
	enum tsl_status status =
		npyio_tuples_init(&p->tuples, g, t->in[1], err);

	if (status)
		return status;
	return npyio_tuples_rows(&p->tuples, 0, g->ntuples, NULL, err);
}

enum tsl_status
npyio_peek_init(struct npyio_peek *p, const struct npyio_transfer *t,
		struct tsl_error *err)
{
	enum tsl_status status;

	*p = (struct npyio_peek){ .t = t };
	if (t->job->nbytes == 0)
		return npyio_prepare_empty(t, err);
	if (t->job->op->road == TSL_ROAD_CONCAT) {
		npyio_concat_init(&p->concat, t, t->max_memory / 4);
		return npyio_concat_keep(t, false, err);
	}
	status = npyio_keep_input(t, err);
	if (!status)
		status = npyio_keep_operands(t, err);
	if (status)
		return status;
	npyio_fetch_init(&p->fetch, t->in[0], t->max_memory / 4);
	npyio_layers_init(&p->layers, t, t->max_memory / 4);
	if (t->job->op->road == TSL_ROAD_RUNS)
		return init_tuples(p, err);
	if (t->job->op->patch)
		return npyio_diagonals_init(&p->diagonals, t, err);
	return TSL_OK;
}

void
npyio_peek_close(struct npyio_peek *p)
{
	npyio_fetch_close(&p->fetch);
	npyio_layers_close(&p->layers);
	npyio_concat_close(&p->concat);
	npyio_tuples_close(&p->tuples);
	npyio_diagonals_close(&p->diagonals);
}

/* Bytes of the output from 'first' on, n of them. */
static enum tsl_status
peek_view(struct npyio_peek *p, int64_t first, int64_t nbytes, char *dst,
	  struct tsl_error *err)
{
	const struct tsl_job *job = p->t->job;
	int64_t stride[TSL_MAX_DIMS + 1];
	int64_t width = job->view.width;
	int64_t n = nbytes / width;
	enum tsl_status status = TSL_OK;

	for (int64_t done = 0; done < n && !status && !job->is_bare;) {
		struct tsl_view box;
		int64_t some = tsl_view_head(&job->view, first / width + done,
					     n - done, &box);

		tsl_view_dense(&box, stride);
		status = npyio_fetch(&p->fetch, job->pattern, &box, stride,
				     dst + done * width, err);
		done += some;
	}
	if (status)
		return status;
	if (!job->op->patch)
		return npyio_layers_paint(&p->layers, first, nbytes, dst, err);
	return npyio_diagonals_patch(&p->diagonals, first, nbytes, nbytes, dst,
				     err);
}

static enum tsl_status
peek_run(struct npyio_peek *p, int64_t at, int64_t nbytes, char *dst,
	 struct tsl_error *err)
{
	const struct tsl_gather_job *g = gather_of(p->t);
	int64_t tuple = at / g->row_nbytes;
	int64_t base = tuple / g->ntuples * g->table_nbytes;
	int64_t run = at % g->row_nbytes / g->run_nbytes;
	int64_t row;
	enum tsl_status status =
		npyio_tuples_rows(&p->tuples, tuple % g->ntuples, 1, &row, err);

	if (status)
		return status;
	if (row >= 0)
		return npyio_fetch_bytes(&p->fetch,
					 base + row + at % g->run_nbytes +
						 tsl_gather_run_offset(g, run),
					 nbytes, dst, err);
	memset(dst, 0, (size_t)nbytes);
	return TSL_OK;
}

enum tsl_status
npyio_peek(struct npyio_peek *p, int64_t i, int64_t n, char *dst,
	   struct tsl_error *err)
{
	enum tsl_road road = p->t->job->op->road;
	int64_t size = p->t->job->out.dtype.size;
	enum tsl_status status = TSL_OK;

	if (size == 0)
		return TSL_OK;
	if (road == TSL_ROAD_CONCAT)
		return npyio_concat(&p->concat, i * size, n * size, dst, err);
	if (road != TSL_ROAD_RUNS)
		return peek_view(p, i * size, n * size, dst, err);
	for (int64_t k = 0; k < n && !status; k++)
		status = peek_run(p, (i + k) * size, size, dst + k * size, err);
	return status;
}
