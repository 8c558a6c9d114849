/*
 * splice.c - one run of a file, handed to a pipe as it lies in the page cache
 */
#include "splice.h"

#include "lib/base/minmax.h"

#include <stdlib.h>

/* Between two looks at how far it has come. */
#define STEP ((int64_t)4 * 1024 * 1024)

#define BUFFER ((int64_t)256 * 1024)

/* What the system could not hand over is read and written. */
static enum tsl_status
copy_rest(const struct npyio_output *out, int64_t lo, int64_t done,
	  struct tsl_error *err)
{
	const struct npyio_transfer *t = out->t;
	char *buffer = malloc((size_t)BUFFER);
	enum tsl_status status = TSL_OK;

	if (!buffer)
		return tsl_fail(err, TSL_EMEMORY, "out of memory");
	while (done < t->job->nbytes && !status) {
		int64_t n = tsl_min(BUFFER, t->job->nbytes - done);

		status = npyio_reader_read(t->in, lo + done, n, buffer, err);
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

enum tsl_status
npyio_splice_run(const struct npyio_output *out, struct tsl_error *err)
{
	const struct npyio_transfer *t = out->t;
	int64_t lo = t->job->view.offset;
	int64_t done = 0, n = 0, some = 0;
	int64_t offset;
	enum tsl_status status;
	int fd;

	status = npyio_writer_put(t->out, out->header.s, out->header.len, 0,
				  err);
	if (!npyio_reader_file(t->in, &fd, &offset))
		return status ? status : copy_rest(out, lo, 0, err);
	while (!status && some == n && done < t->job->nbytes) {
		n = tsl_min(STEP, t->job->nbytes - done);
		status = npyio_writer_splice(t->out, fd, offset + lo + done, n,
					     &some, err);
		done += some;
		if (!status && t->progress)
			t->progress(some);
	}
	return status ? status : copy_rest(out, lo, done, err);
}
