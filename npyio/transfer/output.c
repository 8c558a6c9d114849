/*
 * output.c - a transfer under way, as those see it who make its pieces
 */
#include "output.h"

#include "lib/base/minmax.h"
#include "lib/base/overflow.h"

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
				tsl_array_nbytes(npyio_reader_array(t->in[i])),
				room / 2);
	return room;
}

/* How many bytes of the input, from the first on, the output may need. */
static int64_t
needed(const struct tsl_job *job)
{
	int64_t lo, hi;

	if (job->op->road == TSL_ROAD_RUNS || job->is_bare)
		return tsl_array_nbytes(&job->in);
	tsl_view_span(&job->view, &lo, &hi);
	return hi;
}

enum tsl_status
npyio_keep_input(const struct npyio_transfer *t, struct tsl_error *err)
{
	if (t->job->no_input)
		return TSL_OK;
	return npyio_reader_keep(t->in[0], needed(t->job),
				 npyio_room_to_keep(t), err);
}

enum tsl_status
npyio_put(const struct npyio_output *out, char *bytes, int64_t first, int64_t n,
	  struct tsl_error *err)
{
	int64_t header = (int64_t)out->header.len;
	enum tsl_status status;

	if (first == 0 && header > 0) {
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

enum tsl_status
npyio_pass(const struct npyio_output *out, const struct npyio_reader *in,
	   int64_t lo, int64_t first, int64_t n, bool *passed,
	   struct tsl_error *err)
{
	struct npyio_writer *w = out->t->out;
	int64_t header = (int64_t)out->header.len;
	int64_t offset;
	int fd;

	*passed = npyio_reader_file(in, &fd, &offset) &&
		  npyio_writer_copy(w, fd, offset + lo, n, header + first) == n;
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
	enum tsl_status status;
	int64_t total;

	*out = (struct npyio_output){ .t = t };
	if (t->headless)
		return TSL_OK;
	status = npyio_header_format(&out->header, &t->job->out, err);
	if (!status &&
	    !tsl_add((int64_t)out->header.len, t->job->nbytes, &total))
		status = tsl_fail(err, TSL_ETOO_LARGE,
				  "the file would be larger than 2^63-1 bytes");
	return status;
}

enum tsl_status
npyio_output_reserve(const struct npyio_output *out, int64_t first, int64_t n,
		     struct tsl_error *err)
{
	int64_t header = (int64_t)out->header.len;

	return first == 0
		       ? npyio_writer_reserve(out->t->out, 0, header + n, err)
		       : npyio_writer_reserve(out->t->out, header + first, n,
					      err);
}

void
npyio_output_end(struct npyio_output *out)
{
	npyio_text_free(&out->header);
}
