/*
 * verify_crc.c - the CRC-32 of archive members that are read whole
 *
 * The bytes are gone through once more, before they are used.  To count them
 * on their way would save a copy out of the page cache, which is a tenth of
 * what counting takes; but then what goes to a pipe would be out before it is
 * known to be wrong, nothing could be spliced, and each way in which bytes are
 * got at would have to keep an account.
 */
#include "verify_crc.h"

#include "lib/base/minmax.h"
#include "npyio/file/crc.h"
#include "npyio/transfer/common/workers.h"

#include <stdlib.h>

/* What is read at once stays in the cache until it is counted. */
#define STEP ((int64_t)256 * 1024)

/* Of a member a task counts so much, or more if there were too many tasks. */
#define PIECE ((int64_t)4 * 1024 * 1024)
#define MAX_PIECES ((int64_t)65536)

struct proof {
	const struct npyio_reader *in;
	int64_t first, end; /* of the member's bytes, from the data's first */
	int64_t piece;
	uint32_t *crc; /* of each piece */
	char **buffers; /* of each worker */
};

static int64_t
end_of_piece(const struct proof *p, int64_t i)
{
	return tsl_min(p->first + (i + 1) * p->piece, p->end);
}

static enum tsl_status
count_piece(void *work, int worker, int64_t i, struct tsl_error *err)
{
	struct proof *p = work;
	int64_t end = end_of_piece(p, i);
	enum tsl_status status = TSL_OK;
	char **buffer = &p->buffers[worker];

	if (!*buffer && !(*buffer = malloc((size_t)STEP)))
		return tsl_fail(err, TSL_EMEMORY, "out of memory");
	p->crc[i] = 0;
	for (int64_t at = p->first + i * p->piece; at < end && !status;) {
		int64_t n = tsl_min(STEP, end - at);

		status = npyio_reader_read(p->in, at, n, *buffer, err);
		if (!status)
			p->crc[i] = npyio_crc(p->crc[i], *buffer, (size_t)n);
		at += n;
	}
	return status;
}

static void
release(void *work, int worker)
{
	struct proof *p = work;

	free(p->buffers[worker]);
	p->buffers[worker] = NULL;
}

static enum tsl_status
check_pieces(const struct proof *p, int64_t count, const struct npyio_member *m,
	     struct tsl_error *err)
{
	uint32_t crc = 0;
	enum tsl_status status;

	for (int64_t i = 0; i < count; i++)
		crc = npyio_crc_join(crc, p->crc[i],
				     end_of_piece(p, i) -
					     (p->first + i * p->piece));
	status = npyio_crc_check(crc, m->crc, err);
	if (status && err)
		err->subject = npyio_reader_name(p->in);
	return status;
}

static enum tsl_status
prove_member(const struct npyio_transfer *t, const struct npyio_reader *in,
	     const struct npyio_member *m, struct tsl_error *err)
{
	struct proof p = { .in = in, .first = -npyio_reader_data_offset(in) };
	enum tsl_status status;
	int64_t count, workers;

	p.end = p.first + m->size;
	p.piece = tsl_max(PIECE, m->size / MAX_PIECES + 1);
	count = (m->size - 1) / p.piece + 1;
	workers = tsl_min(t->threads, t->max_memory / 4 / STEP);
	workers = tsl_max(tsl_min(workers, NPYIO_MAX_WORKERS), 1);
	p.crc = malloc((size_t)count * sizeof(*p.crc));
	p.buffers = calloc((size_t)workers, sizeof(*p.buffers));
	status = p.crc && p.buffers
			 ? npyio_run_tasks(count_piece, release, &p, count,
					   (int)workers, err)
			 : tsl_fail(err, TSL_EMEMORY, "out of memory");
	if (p.buffers)
		release(&p, 0);
	if (!status)
		status = check_pieces(&p, count, m, err);
	free(p.crc);
	free(p.buffers);
	return status;
}

enum tsl_status
npyio_verify_member(const struct npyio_transfer *t,
		    const struct npyio_reader *in, struct tsl_error *err)
{
	const struct npyio_member *m = npyio_reader_stored(in);
	enum tsl_status status = m ? npyio_crc_open("an archive", err) : TSL_OK;

	return m && !status ? prove_member(t, in, m, err) : status;
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
	       tsl_array_nbytes(&job->in);
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
