/*
 * output.c - a transfer under way, as those see it who make its pieces
 */
#include "output.h"

#include "lib/base/minmax.h"
#include "lib/base/overflow.h"
#include "lib/op/mask.h"

#include <string.h>

int64_t
npyio_room_to_keep(const struct npyio_transfer *t)
{
	return t->max_memory / 4;
}

/* What is kept of a stream in memory is not there for anything else. */
int64_t
npyio_room_left(const struct npyio_transfer *t)
{
	int64_t room = t->max_memory;

	for (int i = 0; i < t->ninputs; i++)
		if (npyio_reader_memory(t->in[i]))
			room -= tsl_min(
				tsl_array_extent(npyio_reader_array(t->in[i])),
				room / 2);
	if (t->job && t->job->mask)
		room -= tsl_mask_nbytes(t->job->mask);
	return tsl_max(room, t->max_memory / 8);
}

/* Bytes that an entry of a page table, of 8 bytes, leads to. */
#define MAPPED_PER_BYTE (4096 / 8)

/* Half of the room at most is for what comes of it. */
int64_t
npyio_room_to_map(const struct npyio_transfer *t, int64_t room)
{
	if (t->max_mapped == 0)
		return room / 2;
	return tsl_min(t->max_mapped, room / 2 * MAPPED_PER_BYTE);
}

int64_t
npyio_room_beside(const struct npyio_transfer *t, int64_t room, int64_t mapped)
{
	return room - (t->max_mapped == 0 ? mapped : mapped / MAPPED_PER_BYTE);
}

/* How many bytes of the input, from the first on, the output may need. */
static int64_t
needed(const struct tsl_job *job)
{
	int64_t lo, hi;

	if (job->op->road == TSL_ROAD_RUNS || job->is_bare)
		return tsl_array_extent(&job->in);
	tsl_view_span(&job->view, &lo, &hi);
	return hi;
}

enum tsl_status
npyio_keep_input(const struct npyio_transfer *t, struct tsl_error *err)
{
	if (t->job->no_input)
		return TSL_OK;
	return npyio_reader_buffer(t->in[0], needed(t->job),
				   npyio_room_to_keep(t), err);
}

bool
npyio_is_turned(const struct npyio_output *out)
{
	return out->turner.acts;
}

int64_t
npyio_whole_elements(const struct npyio_output *out, int64_t n)
{
	int64_t size = out->t->job->out.dtype.size;

	return npyio_is_turned(out) ? tsl_max(n / size, 1) * size : n;
}

/* Bytes [at, at + n) of the file, as far as they are in the share. */
static enum tsl_status
put_share(const struct npyio_output *out, const char *bytes, int64_t at,
	  int64_t n, struct tsl_error *err)
{
	const struct npyio_transfer *t = out->t;
	int64_t lo, hi = at;
	enum tsl_status status = TSL_OK;

	while (!status && npyio_share_next(&out->share, hi, at + n, &lo, &hi)) {
		if (t->portion.is_off && t->portion.is_off())
			return tsl_fail(err, TSL_EIO, "another process failed");
		status = npyio_writer_put(t->out, bytes + (lo - at),
					  (size_t)(hi - lo), lo, err);
		if (!status && t->progress)
			t->progress(hi - tsl_max(lo, out->share.header));
	}
	return status;
}

enum tsl_status
npyio_put(const struct npyio_output *out, char *bytes, int64_t first, int64_t n,
	  struct tsl_error *err)
{
	int64_t header = (int64_t)out->header.len;

	if (npyio_is_turned(out))
		tsl_turner_run(&out->turner, bytes, n / out->t->job->as->size);
	if (first > 0 || header == 0)
		return put_share(out, bytes, header + first, n, err);
	bytes -= header;
	memcpy(bytes, out->header.s, (size_t)header);
	return put_share(out, bytes, 0, header + n, err);
}

bool
npyio_is_ours(const struct npyio_output *out, int64_t first, int64_t n)
{
	int64_t at = out->share.header + first;
	int64_t lo, hi;

	return npyio_share_next(&out->share, at, at + n, &lo, &hi);
}

/*
 * A view's boxes may take longer in one place than in another: they are dealt.
 * What is transposed, or gathered, is best made with much of it at once.
 */
static enum npyio_deal
distribution_of(const struct npyio_transfer *t)
{
	return t->job->op->road != TSL_ROAD_VIEW || t->portion.in_blocks ||
			       t->job->pattern == TSL_PATTERN_TRANSPOSED
		       ? NPYIO_DEAL_BLOCKS
		       : NPYIO_DEAL_CHUNKS;
}

static void
share_out(struct npyio_output *out)
{
	const struct npyio_transfer *t = out->t;

	npyio_share_init(&out->share, (int64_t)out->header.len, t->job->nbytes,
			 t->portion.index, (int)tsl_max(t->portion.count, 1),
			 distribution_of(t));
}

enum tsl_status
npyio_pass(const struct npyio_output *out, const struct npyio_reader *in,
	   int64_t lo, int64_t first, int64_t n, bool *passed,
	   struct tsl_error *err)
{
	struct npyio_writer *w = out->t->out;
	int64_t header = (int64_t)out->header.len;
	int64_t offset;
	int fd;

	*passed = npyio_share_is_all(&out->share) && !npyio_is_turned(out) &&
		  npyio_reader_file(in, &fd, &offset) &&
		  npyio_writer_copy(w, fd, offset + lo, n, header + first,
				    out->t->threads) == n;
	if (*passed && out->t->progress)
		out->t->progress(n);
	return *passed && first == 0 ? npyio_writer_put(w, out->header.s,
							out->header.len, 0, err)
				     : TSL_OK;
}

enum tsl_status
npyio_output_begin(struct npyio_output *out, const struct npyio_transfer *t,
		   struct tsl_error *err)
{
	struct tsl_array written = t->job->out;
	enum tsl_status status;
	int64_t total;

	*out = (struct npyio_output){ .t = t };
	if (t->job->as && !t->unturned) {
		written = tsl_job_written(t->job);
		status = tsl_turner_init(&out->turner, &t->job->out.dtype,
					 t->job->as, false, err);
		if (status)
			return status;
	}
	if (t->headless) {
		share_out(out);
		return TSL_OK;
	}
	status = npyio_header_format(&out->header, &written, err);
	if (!status &&
	    !tsl_add((int64_t)out->header.len, t->job->nbytes, &total))
		status = tsl_fail(err, TSL_ETOO_LARGE,
				  "the file would be larger than 2^63-1 bytes");
	if (!status)
		share_out(out);
	return status;
}

enum tsl_status
npyio_output_reserve(const struct npyio_output *out, int64_t first, int64_t n,
		     struct tsl_error *err)
{
	const struct npyio_share *s = &out->share;
	int64_t header = (int64_t)out->header.len;
	int64_t at = first == 0 ? 0 : header + first;
	int64_t end = header + first + n;
	enum tsl_status status = TSL_OK;
	int64_t lo, hi = at;

	if (npyio_share_is_all(s))
		return npyio_writer_reserve(out->t->out, at, end - at, err);
	while (!status && npyio_share_next(s, hi, end, &lo, &hi))
		status = npyio_writer_reserve_range(out->t->out, lo, hi - lo,
						    err);
	return status;
}

void
npyio_output_end(struct npyio_output *out)
{
	npyio_text_free(&out->header);
	tsl_turner_free(&out->turner);
}
