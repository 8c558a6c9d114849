/*
 * splice.c - one run of a file, handed to a pipe as it lies in the page cache
 */
#include "splice.h"

#include "lib/base/minmax.h"

#include <stdlib.h>

/* Between two looks at how far it has come. */
#define STEP ((int64_t)4 * 1024 * 1024)

#define BUFFER ((int64_t)256 * 1024)

/* What is not, or could not be, handed over is read and written. */
static enum tsl_status
copy_rest(const struct npyio_output *out, int64_t lo, int64_t done,
	  struct tsl_error *err)
{
	const struct npyio_transfer *t = out->t;
	char *buffer = malloc((size_t)BUFFER);
	enum tsl_status status = TSL_OK;

	if (!buffer)
		return tsl_no_memory(err);
	while (done < t->job->nbytes && !status) {
		int64_t n = tsl_min(BUFFER, t->job->nbytes - done);

		status = npyio_reader_read(t->in[0], lo + done, n, buffer, err);
		if (!status)
			status = npyio_writer_put(t->out, buffer, (size_t)n, 0,
						  err);
		if (!status && t->progress)
			t->progress(n);
		done += n;
	}
	free(buffer);
	return status;
}

/*
 * How many of the bytes that are left may be handed over.  A pipe holds pages
 * of the file, and who reads them later reads what the file is by then: so much
 * as the pipe can hold is copied in the end, and none of them is left in it.
 */
static int64_t
step(const struct npyio_transfer *t, int64_t left)
{
	return tsl_min(STEP, left - npyio_writer_capacity(t->out));
}

enum tsl_status
npyio_splice_run(const struct npyio_output *out, struct tsl_error *err)
{
	const struct npyio_transfer *t = out->t;
	int64_t lo = t->job->view.offset;
	int64_t left = t->job->nbytes;
	int64_t n = 0, some = 0;
	int64_t offset;
	enum tsl_status status;
	int fd;

	status = npyio_writer_put(t->out, out->header.s, out->header.len, 0,
				  err);
	if (!npyio_reader_file(t->in[0], &fd, &offset))
		return status ? status : copy_rest(out, lo, 0, err);
	while (!status && some == n && (n = step(t, left)) > 0) {
		some = npyio_writer_splice(
			t->out, fd, offset + lo + t->job->nbytes - left, n);
		left -= some;
		if (t->progress)
			t->progress(some);
	}
	return status ? status : copy_rest(out, lo, t->job->nbytes - left, err);
}
