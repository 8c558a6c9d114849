/*
 * transfer.c - a job's output, piece by piece, from a reader to a writer
 */
#include "transfer.h"

#include "lib/minmax.h"
#include "lib/overflow.h"
#include "pieces.h"

#include <string.h>

/* What is kept of a stream in memory is not there for anything else. */
static int64_t
room_left(const struct npyio_transfer *t)
{
	const struct npyio_reader *inputs[] = { t->in, t->second };
	int64_t room = t->max_memory;

	for (int i = 0; i < 2; i++)
		if (inputs[i] && npyio_reader_memory(inputs[i]))
			room -= tsl_min(
				tsl_array_nbytes(npyio_reader_array(inputs[i])),
				room / 2);
	return room;
}

/* How many bytes of the input, from the first on, the output may need. */
static int64_t
needed(const struct tsl_job *job)
{
	int64_t lo, hi;

	if (job->op->kind == TSL_OP_GATHER)
		return tsl_array_nbytes(&job->in);
	tsl_view_span(&job->view, &lo, &hi);
	return hi;
}

enum tsl_status
npyio_keep_input(const struct npyio_transfer *t, struct tsl_error *err)
{
	return npyio_reader_keep(t->in, needed(t->job), npyio_room_to_keep(t),
				 err);
}

enum tsl_status
npyio_put(const struct npyio_output *out, char *bytes, int64_t first, int64_t n,
	  struct tsl_error *err)
{
	int64_t header = (int64_t)out->header.len;
	enum tsl_status status;

	if (first == 0) {
		bytes -= header;
		memcpy(bytes, out->header.s, (size_t)header);
		status = npyio_writer_put(out->t->out, bytes,
					  (size_t)(header + n), 0, err);
	} else {
		status = npyio_writer_put(out->t->out, bytes, (size_t)n,
					  header + first, err);
	}
	if (!status && out->t->progress)
		out->t->progress(n);
	return status;
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
	status = npyio_keep_second(t, err);
	out->room = room_left(t);
	if (status)
		return status;
	return t->job->op->kind == TSL_OP_GATHER ? npyio_write_runs(out, err)
						 : npyio_write_boxes(out, err);
}

enum tsl_status
npyio_transfer(const struct npyio_transfer *t, struct tsl_error *err)
{
	struct npyio_output out = { .t = t };
	enum tsl_status status;
	int64_t total;

	status = npyio_header_format(&out.header, &t->job->out, err);
	if (!status &&
	    !tsl_add((int64_t)out.header.len, t->job->nbytes, &total))
		status = tsl_fail(err, TSL_ETOO_LARGE,
				  "the file would be larger than 2^63-1 bytes");
	if (!status)
		status = npyio_writer_reserve(t->out, total, err);
	if (!status)
		status = write_data(&out, err);
	npyio_text_free(&out.header);
	return status;
}
