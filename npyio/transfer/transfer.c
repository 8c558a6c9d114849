/*
 * transfer.c - a job's output, piece by piece, from a reader to a writer
 */
#include "transfer.h"

#include "boxes.h"
#include "output.h"
#include "runs.h"
#include "sides.h"

static enum tsl_status
write_data(struct npyio_output *out, struct tsl_error *err)
{
	const struct npyio_transfer *t = out->t;
	enum tsl_status status;

	/* Without any data there is still a header to write. */
	if (t->job->nbytes == 0)
		return npyio_put(out, out->header.s + out->header.len, 0, 0,
				 err);
	status = npyio_keep_sides(t, err);
	out->room = npyio_room_left(t);
	if (status)
		return status;
	return t->job->op->road == TSL_ROAD_RUNS ? npyio_write_runs(out, err)
						 : npyio_write_boxes(out, err);
}

enum tsl_status
npyio_transfer(const struct npyio_transfer *t, struct tsl_error *err)
{
	struct npyio_output out;
	enum tsl_status status = npyio_output_begin(&out, t, err);

	if (!status)
		status = write_data(&out, err);
	npyio_output_end(&out);
	return status;
}
