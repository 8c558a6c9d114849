/*
 * transfer.c - a job's output, piece by piece, from a reader to a writer
 */
#include "transfer.h"

#include "boxes.h"
#include "in_place.h"
#include "output.h"
#include "prepare.h"
#include "runs.h"
#include "weave.h"

/*
 * Whether the output's file, but for what goes over it, is the input's as it
 * stands there: then its blocks can be shared, if the file system can do that.
 */
static bool
share_base(const struct npyio_output *out)
{
	const struct npyio_transfer *t = out->t;
	const struct tsl_job *job = t->job;
	int64_t header = (int64_t)out->header.len;
	int64_t offset;
	int fd;

	if (!tsl_share_is_all(&out->share) || job->is_bare ||
	    job->pattern != TSL_PATTERN_RUN ||
	    job->nbytes != tsl_array_nbytes(&job->in) ||
	    npyio_reader_is_stream(t->in[0]) ||
	    !npyio_reader_file(t->in[0], &fd, &offset) || offset != header)
		return false;
	return npyio_writer_clone(t->out, fd, header + job->nbytes);
}

static enum tsl_status
paint(const struct npyio_output *out, struct tsl_error *err)
{
	struct npyio_canvas canvas;

	npyio_writer_canvas(out->t->out, (int64_t)out->header.len, &canvas);
	if (!tsl_share_is_all(&out->share))
		canvas.share = &out->share;
	return npyio_paint(out->t, &canvas, err);
}

static enum tsl_status
write_over_shared(const struct npyio_output *out, struct tsl_error *err)
{
	enum tsl_status status = npyio_writer_put(out->t->out, out->header.s,
						  out->header.len, 0, err);

	if (out->t->shared)
		*out->t->shared = true;
	return status ? status : paint(out, err);
}

static enum tsl_status
write_copy(struct npyio_output *out, struct tsl_error *err)
{
	enum tsl_status status = npyio_output_reserve(out, err);

	/* What comes as a stream comes in order, but a share is no beginning.
	 */
	if (!status && !tsl_share_is_all(&out->share) &&
	    out->t->job->op->road != TSL_ROAD_WEAVE)
		status = npyio_keep_input(out->t, err);
	if (status)
		return status;
	out->room = npyio_room_left(out->t);
	if (out->t->job->op->road == TSL_ROAD_RUNS)
		return npyio_write_runs(out, err);
	if (out->t->job->op->road == TSL_ROAD_WEAVE)
		return npyio_write_weave(out, err);
	status = npyio_write_boxes(out, err);
	if (status || out->t->job->op->road != TSL_ROAD_SCATTER)
		return status;
	return paint(out, err);
}

static enum tsl_status
write_data(struct npyio_output *out, struct tsl_error *err)
{
	enum tsl_status status;

	status = out->t->job->nbytes ? npyio_prepare(out->t, err)
				     : npyio_prepare_empty(out->t, err);
	if (status)
		return status;
	/* Without any data there is still a header to write. */
	if (out->t->job->nbytes == 0 && out->t->headless)
		return TSL_OK;
	if (out->t->job->nbytes == 0)
		return npyio_put(out, out->header.s + out->header.len, 0, 0,
				 err);
	return share_base(out) ? write_over_shared(out, err)
			       : write_copy(out, err);
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
