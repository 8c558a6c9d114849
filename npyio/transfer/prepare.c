/*
 * prepare.c - all that can be wrong with a job's data, before a byte is written
 */
#include "prepare.h"

#include "output.h"
#include "prove.h"
#include "scatter.h"
#include "sides.h"

enum tsl_status
npyio_prepare(const struct npyio_transfer *t, struct tsl_error *err)
{
	enum tsl_status status = npyio_prove(t, err);

	if (!status)
		status = npyio_keep_sides(t, err);
	if (status || t->job->op->road != TSL_ROAD_SCATTER)
		return status;
	return npyio_scatter_prove(t, npyio_room_left(t), err);
}
