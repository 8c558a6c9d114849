/*
 * run.c - what the commands that make data share
 */
#include "run.h"

#include "explain.h"
#include "message.h"
#include "npyio/fd.h"
#include "npyio/transfer.h"
#include "print.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* An encoding is a few hundred bytes; what is larger is something else. */
#define MAX_SMALL_FILE (1024 * 1024)

/*
 * Writing over the file that is being read would destroy it.  A named output
 * is safe: it is another file until it is whole.
 */
static enum tsl_status
check_not_input(const struct npyio_writer *out, const struct npyio_reader *in,
		struct tsl_error *err)
{
	struct stat a, b;

	if (npyio_writer_is_positional(out) || !npyio_writer_stat(out, &a) ||
	    !npyio_reader_stat(in, &b))
		return TSL_OK;
	if (!S_ISREG(a.st_mode) || a.st_dev != b.st_dev || a.st_ino != b.st_ino)
		return TSL_OK;
	tsl_fail(err, TSL_EIO, "the input is also the output");
	if (err)
		err->subject = npyio_reader_name(in);
	return TSL_EIO;
}

/* What the handler of a mapping's SIGBUS says; NULL means nothing to it. */
static const char *
line_for_shrunk(const struct npyio_reader *in)
{
	struct tsl_error err;
	const char *line;

	tsl_fail(&err, TSL_EIO, "the file became shorter while being read");
	err.subject = npyio_reader_name(in);
	line = message_line(&err);
	return line ? line : "the input became shorter while being read\n";
}

static void
note_plan(const struct common_options *co, const struct tsl_job *job)
{
	if (!co->verbose || co->quiet)
		return;
	message_note("%s: %s; reads %" PRId64 " of %" PRId64
		     " bytes, writes %" PRId64,
		     job->op->name, job->plan, explain_read(job),
		     tsl_array_nbytes(&job->in), job->nbytes);
	message_note("device cpu, at most %d thread%s", co->threads,
		     co->threads == 1 ? "" : "s");
}

static enum tsl_status
write_result(const struct common_options *co, const struct tsl_job *job,
	     struct npyio_reader *in, struct npyio_writer *out,
	     struct tsl_error *err)
{
	/* On a terminal, bytes are no use to anybody. */
	bool print = co->print || (!co->output && isatty(STDOUT_FILENO));
	const struct npyio_transfer transfer = {
		.job = job,
		.in = in,
		.out = out,
		.threads = co->threads,
		.bus_line = job->access == TSL_ACCESS_MAP ? line_for_shrunk(in)
							  : NULL,
	};
	enum tsl_status status = check_not_input(out, in, err);

	if (status)
		return status;
	return print ? print_job(&transfer, err)
		     : npyio_transfer(&transfer, err);
}

enum tsl_status
run_job(const struct common_options *co, const struct tsl_job *job,
	struct npyio_reader *in, struct tsl_error *err)
{
	const struct npyio_writer_options options = {
		.no_clobber = co->no_clobber,
		.sync = co->sync,
	};
	struct npyio_writer *out;
	enum tsl_status status;

	note_plan(co, job);
	status = npyio_writer_open(&out, co->output, &options, err);
	if (status)
		return status;
	status = write_result(co, job, in, out, err);
	/* A stream that ends too early is no array: nothing may appear. */
	if (!status)
		status = npyio_reader_finish(in, err);
	if (status)
		npyio_writer_abort(out);
	else
		status = npyio_writer_commit(out, err);
	return status;
}

enum tsl_status
run_read_file(const char *path, char **text_new, size_t *len,
	      struct tsl_error *err)
{
	int fd = strcmp(path, "-") == 0 ? STDIN_FILENO
					: open(path, O_RDONLY | O_CLOEXEC);
	enum tsl_status status;

	*text_new = NULL;
	if (fd < 0) {
		status = npyio_fail_sys(err, "cannot open");
	} else if (!(*text_new = malloc(MAX_SMALL_FILE))) {
		status = tsl_fail(err, TSL_EMEMORY, "out of memory");
	} else {
		status = npyio_fd_read(fd, *text_new, MAX_SMALL_FILE, len, err);
		if (!status && *len == MAX_SMALL_FILE)
			status = tsl_fail(err, TSL_ESYNTAX,
					  "larger than an encoding can be");
	}
	if (fd > STDERR_FILENO)
		close(fd);
	if (status && err)
		err->subject = path;
	return status;
}
