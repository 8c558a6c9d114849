/*
 * prepare.c - all that can be wrong with a job's data, before a byte is written
 */
#include "prepare.h"

#include "output.h"
#include "scatter.h"
#include "sides.h"
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
