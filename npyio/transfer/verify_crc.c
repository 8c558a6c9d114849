/*
 * verify_crc.c - the CRC-32 of archive members that are read whole
 *
 * The bytes are gone through once more, before they are used; but for those of
 * box/whole_member.h.  To count all of them on their way would save little
 * where they are put in another order; what goes to a pipe would be out before
 * it is known to be wrong, nothing could be spliced, and each way in which
 * bytes are got at would have to keep an account.
 */
#include "verify_crc.h"

#include "lib/base/minmax.h"
#include "npyio/file/crc_pieces.h"
#include "npyio/transfer/box/whole_member.h"

static enum tsl_status
verify_member(const struct npyio_transfer *t, const struct npyio_reader *in,
	      const struct npyio_member *m, struct tsl_error *err)
{
	int64_t workers =
		tsl_min(t->threads, t->max_memory / 4 / NPYIO_CRC_STEP);
	uint32_t crc;
	enum tsl_status status =
		npyio_member_crc(&crc, in, m->size, workers, err);

	return status ? status : npyio_member_crc_check(in, crc, err);
}

enum tsl_status
npyio_verify_member(const struct npyio_transfer *t,
		    const struct npyio_reader *in, struct tsl_error *err)
{
	const struct npyio_member *m = npyio_reader_stored(in);
	enum tsl_status status;

	if (!m || !m->has_crc)
		return TSL_OK;
	status = npyio_crc_open("an archive", err);
	return status ? status : verify_member(t, in, m, err);
}

/* How many of the input's elements the layers take, or more. */
static int64_t
count_in_layers(const struct tsl_job *job, int input, int64_t enough)
{
	int64_t n = 0;
	struct tsl_pair pair;

	for (int64_t i = 0; i < job->nlayers && n < enough; i++)
		if (job->op->layer(job, i, &pair) == input)
			n += tsl_view_count(&pair.from);
	return n;
}

/*
 * Sides are gone through from end to end, whatever is needed of them; if there
 * is nothing to make, tuples only.  Of an array without elements all has been
 * read.
 */
static bool
is_read_whole(const struct npyio_transfer *t, int i)
{
	const struct tsl_job *job = t->job;
	int64_t count;

	if (tsl_array_nbytes(npyio_reader_array(t->in[i])) == 0)
		return true;
	if (job->nbytes == 0)
		return i > 0 && job->op->road == TSL_ROAD_RUNS;
	if (i > 0 || job->no_input || job->op->road == TSL_ROAD_CONCAT)
		return true;
	if (job->op->road == TSL_ROAD_RUNS)
		return false;
	count = tsl_array_count(&job->in);
	if (job->is_bare)
		return count_in_layers(job, 0, count) >= count;
	return tsl_view_count(&job->view) * job->view.width >=
	       tsl_array_extent(&job->in);
}

enum tsl_status
npyio_verify_crc(const struct npyio_transfer *t, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;

	for (int i = 0; i < t->ninputs && !status; i++) {
		if (npyio_reader_stored(t->in[i]) && is_read_whole(t, i))
			status = npyio_verify_member(t, t->in[i], err);
	}
	return status;
}
