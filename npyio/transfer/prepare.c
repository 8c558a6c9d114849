/*
 * prepare.c - all that can be wrong with a job's data, before a byte is written
 */
#include "prepare.h"

#include "output.h"
#include "scatter.h"
#include "sides.h"
#include "tuples.h"
#include "weave.h"

enum tsl_status
npyio_prepare(const struct npyio_transfer *t, struct tsl_error *err)
{
	enum tsl_status status;

	if (t->job->op->road == TSL_ROAD_WEAVE)
		return npyio_weave_keep(t, true, err);
	status = npyio_keep_sides(t, err);

	if (status || t->job->op->road != TSL_ROAD_SCATTER)
		return status;
	return npyio_scatter_prove(t, npyio_room_left(t), err);
}

enum tsl_status
npyio_prepare_empty(const struct npyio_transfer *t, struct tsl_error *err)
{
	const struct tsl_gather_job *g =
		(const struct tsl_gather_job *)(const void *)t->job;
	struct npyio_tuples tuples;
	enum tsl_status status;

	if (t->job->op->road != TSL_ROAD_RUNS || g->options.zero_bad)
		return TSL_OK;
	status = npyio_keep_sides(t, err);
	if (status)
		return status;
	status = npyio_tuples_init(&tuples, g, t->in[1], err);
	if (!status)
		status = npyio_tuples_rows(&tuples, 0, g->ntuples, NULL, err);
	npyio_tuples_close(&tuples);
	return status;
}
