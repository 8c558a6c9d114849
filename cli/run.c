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

/* ---- inputs -------------------------------------------------------------- */

/*
 * A second array can be read from the same stream only when the first is out
 * of the way: all of it is brought into memory.
 */
static enum tsl_status
make_way(struct npyio_reader *first, struct tsl_error *err)
{
	int64_t nbytes = tsl_array_nbytes(npyio_reader_array(first));
	enum tsl_status status = TSL_OK;

	if (npyio_reader_is_stream(first))
		status = npyio_reader_load(first, nbytes, err);
	return status ? status : npyio_reader_finish(first, err);
}

enum tsl_status
run_open(struct run_inputs *inputs, const char *const *paths, int n,
	 struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;

	*inputs = (struct run_inputs){ .n = n };
	for (int i = 0; i < n && !status; i++) {
		if (i > 0 && strcmp(paths[i], "-") == 0 &&
		    strcmp(paths[i - 1], "-") == 0)
			status = make_way(inputs->in[i - 1], err);
		if (!status)
			status = npyio_reader_open(&inputs->in[i], paths[i],
						   err);
	}
	return status;
}

/* Data that was refused has been taken all the same. */
static void
take_refused(const struct run_inputs *inputs)
{
	for (int i = 0; i < inputs->n; i++)
		if (inputs->in[i] && npyio_reader_finish(inputs->in[i], NULL))
			return;
}

void
run_close(struct run_inputs *inputs, enum tsl_status status)
{
	if (tsl_status_exit(status) == 3)
		take_refused(inputs);
	for (int i = 0; i < inputs->n; i++)
		npyio_reader_close(inputs->in[i]);
}

void
run_blame(const struct run_inputs *inputs, enum tsl_status status,
	  struct tsl_error *err)
{
	if (status && !err->subject && err->item >= 0 && err->item < inputs->n)
		err->subject = npyio_reader_name(inputs->in[err->item]);
}

const struct tsl_array *
run_array(const struct run_inputs *inputs, int i)
{
	return npyio_reader_array(inputs->in[i]);
}

static enum tsl_status
finish(const struct run_inputs *inputs, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;

	for (int i = 0; i < inputs->n && !status; i++)
		status = npyio_reader_finish(inputs->in[i], err);
	return status;
}

/* ---- the job ------------------------------------------------------------- */

/*
 * Writing over a file that is being read would destroy it.  A named output is
 * safe: it is another file until it is whole.
 */
static enum tsl_status
check_not_input(const struct stat *out, const struct npyio_reader *in,
		struct tsl_error *err)
{
	struct stat st;

	if (!S_ISREG(out->st_mode) || !npyio_reader_stat(in, &st) ||
	    out->st_dev != st.st_dev || out->st_ino != st.st_ino)
		return TSL_OK;
	tsl_fail(err, TSL_EIO, "the input is also the output");
	if (err)
		err->subject = npyio_reader_name(in);
	return TSL_EIO;
}

enum tsl_status
run_check_stdout(const struct npyio_reader *in, struct tsl_error *err)
{
	struct stat out;

	return fstat(STDOUT_FILENO, &out) != 0 ? TSL_OK
					       : check_not_input(&out, in, err);
}

static enum tsl_status
check_no_input(const struct npyio_writer *out, const struct run_inputs *inputs,
	       struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;
	struct stat st;

	if (npyio_writer_is_positional(out) || !npyio_writer_stat(out, &st))
		return TSL_OK;
	for (int i = 0; i < inputs->n && !status; i++)
		status = check_not_input(&st, inputs->in[i], err);
	return status;
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
	     const struct run_inputs *inputs, struct npyio_writer *out,
	     struct tsl_error *err)
{
	/* On a terminal, bytes are no use to anybody. */
	bool print = co->print || (!co->output && isatty(STDOUT_FILENO));
	const struct npyio_transfer transfer = {
		.job = job,
		.in = inputs->in[0],
		.out = out,
		.threads = co->threads,
	};
	enum tsl_status status = check_no_input(out, inputs, err);

	if (status)
		return status;
	return print ? print_job(&transfer, err)
		     : npyio_transfer(&transfer, err);
}

enum tsl_status
run_job(const struct common_options *co, const struct tsl_job *job,
	const struct run_inputs *inputs, struct tsl_error *err)
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
	status = write_result(co, job, inputs, out, err);
	/* A stream that ends too early is no array: nothing may appear. */
	if (!status)
		status = finish(inputs, err);
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
