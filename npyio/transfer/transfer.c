/*
 * transfer.c - a job's output, piece by piece, from a reader to a writer
 */
#include "transfer.h"

#include "boxes.h"
#include "output.h"
#include "runs.h"
#include "scatter.h"
#include "sides.h"

/* Tuples are proved before the first byte is written. */
static enum tsl_status
write_and_scatter(const struct npyio_output *out, struct tsl_error *err)
{
	struct npyio_canvas canvas;
	enum tsl_status status = npyio_scatter_prove(out->t, out->room, err);

	if (!status)
		status = npyio_write_boxes(out, err);
	if (status)
		return status;
	npyio_writer_canvas(out->t->out, (int64_t)out->header.len, &canvas);
	return npyio_scatter(out->t, &canvas, out->room, err);
}

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
	switch (t->job->op->road) {
	case TSL_ROAD_RUNS:
		return npyio_write_runs(out, err);
	case TSL_ROAD_SCATTER:
		return write_and_scatter(out, err);
	default:
		return npyio_write_boxes(out, err);
	}
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
