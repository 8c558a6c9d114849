/*
 * array_out.c - an array whose shape is known when all its elements are written
 */
#include "array_out.h"

#include "cli/run/dispatch.h"
#include "cli/run/run.h"
#include "lib/base/minmax.h"
#include "lib/op/slice.h"
#include "npyio/file/fd.h"
#include "npyio/format/header.h"

#include <fcntl.h>
#include <stdlib.h>

/* Bytes that are moved at once. */
#define STEP ((int64_t)256 * 1024)

/* ---- headers ------------------------------------------------------------- */

/* n bytes of what was written go further back, from the last to the first. */
static enum tsl_status
move_back(struct npyio_writer *w, char *buf, int64_t from, int64_t to,
	  int64_t n, struct tsl_error *err)
{
	int fd = npyio_writer_descriptor(w);
	enum tsl_status status = TSL_OK;

	while (n > 0 && !status) {
		int64_t step = tsl_min(n, STEP);
		size_t got;

		n -= step;
		status = npyio_fd_pread(fd, buf, (size_t)step, from + n, &got,
					err);
		if (!status && (int64_t)got < step)
			status = tsl_fail(err, TSL_EIO,
					  "the file became shorter");
		if (!status)
			status = npyio_writer_put(w, buf, (size_t)step, to + n,
						  err);
	}
	return status;
}

/* The header is longer than there is room for: its sizes have more digits. */
static enum tsl_status
make_room(struct array_out *o, int64_t length, int64_t nbytes,
	  struct tsl_error *err)
{
	enum tsl_status status;
	char *buf;

	if (length == o->offset)
		return TSL_OK;
	buf = malloc(STEP);
	if (!buf)
		return tsl_no_memory(err);
	status = move_back(growing_output_writer(&o->output), buf, o->offset,
			   length, nbytes, err);
	free(buf);
	o->offset = length;
	return status;
}

/* ---- the output ---------------------------------------------------------- */

/* Whether what is written is made from all of it, as from an input. */
static bool
is_input(const struct common_options *co)
{
	return co->part || co->launcher || co->field;
}

enum tsl_status
array_out_open(struct array_out *o, const struct common_options *co,
	       const struct tsl_array *like, struct tsl_error *err)
{
	bool turned = co->order + 1 == TSL_ORDER_F;
	enum tsl_status status = npyio_header_length(like, &o->offset, err);

	o->output = (struct growing_output){ .co = co };
	if (status)
		return status;
	return is_input(co) ? npyio_writer_open_spool(&o->output.spool, err)
			    : growing_output_open(&o->output, co,
						  turned || co->raw, err);
}

/*
 * The array, in a file without a name, is what a command reads.  Where several
 * processes have one each, and write a part of it, that it is the same is told
 * from its bytes.
 */
static enum tsl_status
put_from_spool(const struct array_out *o, const struct tsl_array *array,
	       struct tsl_error *err)
{
	struct npyio_stream_buffer buffer = {
		.spool = fcntl(npyio_writer_descriptor(o->output.spool),
			       F_DUPFD_CLOEXEC, 3),
		.is_alone = true,
		.offset = o->offset,
		.nbytes = tsl_array_nbytes(array),
	};
	struct npyio_reader *made = NULL;
	struct inputs inputs = { .in = &made, .n = 1 };
	struct tsl_job all;
	enum tsl_status status;

	if (buffer.spool < 0)
		return npyio_fail_sys(err, "cannot read");
	status = npyio_reader_open_buffer(&made, "text", array, &buffer, err);
	if (!status)
		status = inputs_select(made, o->output.co, err);
	if (!status) {
		tsl_slice_all_init(&all, npyio_reader_array(made),
				   (enum tsl_order)(o->output.co->order + 1));
		status = dispatch_job(o->output.co, &all, &inputs, err);
	}
	npyio_reader_close(made);
	return status;
}

enum tsl_status
array_out_end(struct array_out *o, const struct tsl_array *array,
	      struct tsl_error *err)
{
	int64_t length;
	enum tsl_status status = npyio_header_length(array, &length, err);

	if (!status)
		status = make_room(o, length, tsl_array_nbytes(array), err);
	if (!status)
		status = npyio_writer_put_header(
			growing_output_writer(&o->output), array, err);
	if (status)
		return status;
	return o->output.out
		       ? growing_output_end(&o->output, TSL_NO_MINIFLOAT, err)
		       : put_from_spool(o, array, err);
}
