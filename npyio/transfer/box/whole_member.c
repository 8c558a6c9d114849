/*
 * whole_member.c - a stored member that is copied whole, its CRC-32 counted
 */
#include "whole_member.h"

#include "lib/base/minmax.h"
#include "npyio/file/crc_pieces.h"

#include <stdlib.h>

struct npyio_counted {
	int64_t n; /* bytes */
	uint32_t crc;
};

/* One run: its bytes are those of the input if there are as many. */
static bool
is_all_of_input(const struct tsl_job *job)
{
	return job->op->road == TSL_ROAD_VIEW &&
	       job->pattern == TSL_PATTERN_RUN && !job->op->patch &&
	       job->nlayers == 0 && !job->is_bare && !job->no_input &&
	       job->nbytes > 0 && job->nbytes == tsl_array_extent(&job->in);
}

/*
 * Nothing is behind the array, and nothing of it goes anywhere for good.  A
 * field may be put in order first, and is then no member any more.
 */
bool
npyio_is_whole_member(const struct npyio_transfer *t)
{
	const struct npyio_member *m =
		t->ninputs == 1 ? npyio_reader_stored(t->in[0]) : NULL;

	return m && m->has_crc && !npyio_reader_array(t->in[0])->field &&
	       is_all_of_input(t->job) &&
	       m->size == npyio_reader_data_offset(t->in[0]) + t->job->nbytes &&
	       t->portion.count <= 1 && t->out &&
	       npyio_writer_is_atomic(t->out);
}

enum tsl_status
npyio_whole_member_open(struct npyio_whole_member *m,
			const struct npyio_reader *in, int64_t count,
			struct tsl_error *err)
{
	*m = (struct npyio_whole_member){
		.in = in,
		.count = count,
		.piece = calloc((size_t)count, sizeof(*m->piece)),
	};
	return m->piece ? npyio_crc_open("an archive", err)
			: tsl_no_memory(err);
}

void
npyio_whole_member_close(struct npyio_whole_member *m)
{
	free(m->piece);
	m->piece = NULL;
}

/* What is read at once stays in the cache until it is counted. */
enum tsl_status
npyio_whole_member_fetch(const struct npyio_whole_member *m, int64_t i,
			 struct npyio_fetch *f, int64_t lo, int64_t n,
			 char *dst, struct tsl_error *err)
{
	struct npyio_counted *piece = &m->piece[i];
	enum tsl_status status = TSL_OK;

	for (int64_t at = 0; at < n && !status; at += NPYIO_CRC_STEP) {
		int64_t some = tsl_min(NPYIO_CRC_STEP, n - at);

		status = npyio_fetch_bytes(f, lo + at, some, dst + at, err);
		if (!status)
			piece->crc =
				npyio_crc(piece->crc, dst + at, (size_t)some);
	}
	piece->n = n;
	return status;
}

/* The header comes before all pieces. */
enum tsl_status
npyio_whole_member_check(const struct npyio_whole_member *m,
			 struct tsl_error *err)
{
	uint32_t crc;
	enum tsl_status status = npyio_member_crc(
		&crc, m->in, npyio_reader_data_offset(m->in), 1, err);

	if (status)
		return status;
	for (int64_t i = 0; i < m->count; i++)
		crc = npyio_crc_join(crc, m->piece[i].crc, m->piece[i].n);
	return npyio_member_crc_check(m->in, crc, err);
}

/* ---- the CRC-32 of what is only read ------------------------------------- */

static enum tsl_status
read_member(const void *from, int64_t at, int64_t n, char *dst,
	    struct tsl_error *err)
{
	return npyio_reader_read(from, at, n, dst, err);
}

enum tsl_status
npyio_member_crc(uint32_t *crc, const struct npyio_reader *in, int64_t n,
		 int64_t workers, struct tsl_error *err)
{
	int64_t first = -npyio_reader_data_offset(in);

	return npyio_crc_pieces(crc, read_member, in, first, first + n, workers,
				err);
}

enum tsl_status
npyio_member_crc_check(const struct npyio_reader *in, uint32_t crc,
		       struct tsl_error *err)
{
	return tsl_about(
		npyio_crc_check(crc, npyio_reader_stored(in)->crc, err),
		npyio_reader_name(in), err);
}
