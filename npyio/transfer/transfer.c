/*
 * transfer.c - a job's output, piece by piece, from a reader to a writer
 */
#include "transfer.h"

#include "in_place.h"
#include "npyio/transfer/box/boxes.h"
#include "npyio/transfer/box/whole_member.h"
#include "npyio/transfer/common/output.h"
#include "npyio/transfer/concat/concat.h"
#include "npyio/transfer/place/runs.h"
#include "npyio/transfer/place/updates.h"
#include "prepare.h"
#include "reflink.h"
#include "verify_crc.h"

static enum tsl_status
paint(const struct npyio_output *out, struct tsl_error *err)
{
	struct npyio_in_place_file target;

	npyio_writer_in_place_file(out->t->out, (int64_t)out->header.len,
				   &target);
	return npyio_write_in_place(out->t, &target, err);
}

/*
 * Whether all that rows go over is zeros of a new file, which need not be
 * written: they are holes.
 */
static bool
is_over_holes(const struct npyio_output *out)
{
	const struct tsl_job *job = out->t->job;

	if (job->op->road != TSL_ROAD_SCATTER || !job->is_bare ||
	    !npyio_share_is_all(&out->share) ||
	    !npyio_writer_is_positional(out->t->out))
		return false;
	for (int64_t i = 0; i < job->out.dtype.size; i++)
		if (job->fill[i])
			return false;
	return true;
}

static enum tsl_status
write_over_holes(const struct npyio_output *out, struct tsl_error *err)
{
	char *header_end = out->header.s + out->header.len;
	enum tsl_status status = npyio_put(out, header_end, 0, 0, err);

	if (!status)
		status = npyio_writer_leave_hole(out->t->out,
						 (int64_t)out->header.len,
						 out->t->job->nbytes, err);
	if (!status && out->t->progress)
		out->t->progress(out->t->job->nbytes);
	return status ? status : paint(out, err);
}

/* Output bytes [lo, hi), as many at a time as there are updates found of. */
static enum tsl_status
write_painted(const struct npyio_output *out, struct npyio_updates *updates,
	      int64_t lo, int64_t hi, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;

	while (lo < hi && !status) {
		struct npyio_output piece = *out;
		int64_t end = hi;

		piece.room /= 2;
		piece.updates = updates;
		status = npyio_updates_collect(updates, lo, &end, err);
		npyio_share_narrow(&piece.share, lo, end);
		if (!status)
			status = npyio_write_boxes(&piece, err);
		lo = end;
	}
	return status;
}

/*
 * Where others write, too, what is written is final: this process may have been
 * asleep, while another one wrote the same and all of it was done with.
 */
static enum tsl_status
write_scatter_share(const struct npyio_output *out, struct tsl_error *err)
{
	struct npyio_updates updates;
	enum tsl_status status =
		npyio_updates_open(&updates, out->t, out->room / 2, err);

	for (int64_t i = 0; i < npyio_share_ranges(&out->share) && !status;
	     i++) {
		int64_t lo, hi;

		npyio_share_range(&out->share, i, &lo, &hi);
		status = write_painted(out, &updates, lo, hi, err);
	}
	npyio_updates_close(&updates);
	return status;
}

static enum tsl_status
write_copy(const struct npyio_output *out, struct tsl_error *err)
{
	enum tsl_status status;

	if (is_over_holes(out))
		return write_over_holes(out, err);
	status = npyio_output_reserve(out, 0, out->t->job->nbytes, err);
	/* What comes as a stream comes in order, but a share is no beginning.
	 */
	if (!status && !npyio_share_is_all(&out->share) &&
	    out->t->job->op->road != TSL_ROAD_CONCAT)
		status = npyio_keep_input(out->t, err);
	if (status)
		return status;
	if (out->t->job->op->road == TSL_ROAD_RUNS)
		return npyio_write_runs(out, err);
	if (out->t->job->op->road == TSL_ROAD_CONCAT)
		return npyio_write_concat(out, 0, out->t->job->nbytes, err);
	if (out->t->job->op->road == TSL_ROAD_SCATTER &&
	    !npyio_share_is_all(&out->share))
		return write_scatter_share(out, err);
	status = npyio_write_boxes(out, err);
	if (status || out->t->job->op->road != TSL_ROAD_SCATTER)
		return status;
	return paint(out, err);
}

/*
 * What of an output can be shared with an input is, and the rest is made; but
 * not where others write to it, too.  What is shared has not been read.
 */
static enum tsl_status
write_all(const struct npyio_output *out, int64_t *shared,
	  struct tsl_error *err)
{
	const struct tsl_job *job = out->t->job;
	enum tsl_status status;

	*shared = 0;
	if (!npyio_share_is_all(&out->share) || job->op->road == TSL_ROAD_RUNS)
		return write_copy(out, err);
	if (job->op->road == TSL_ROAD_CONCAT)
		return npyio_reflink_parts(out, shared, err);
	if (npyio_is_turned(out))
		return write_copy(out, err);
	status = npyio_reflink_base(out, shared, err);
	if (status)
		return status;
	if (*shared == 0)
		return write_copy(out, err);
	if (npyio_is_whole_member(out->t))
		return npyio_verify_crc(out->t, err);
	return npyio_is_painted(job) ? paint(out, err) : TSL_OK;
}

static enum tsl_status
write_data(struct npyio_output *out, struct tsl_error *err)
{
	enum tsl_status status;
	int64_t shared;

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
	out->room = npyio_room_left(out->t);
	status = write_all(out, &shared, err);
	if (!status && out->t->shared)
		*out->t->shared += shared;
	return status;
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
