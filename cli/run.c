/*
 * run.c - what the commands that make data share
 */
#include "run.h"

#include "device.h"
#include "explain.h"
#include "hint.h"
#include "lib/base/overflow.h"
#include "lib/op/slice.h"
#include "memory.h"
#include "message.h"
#include "npyio/file/fd.h"
#include "npyio/transfer/lanes.h"
#include "npyio/transfer/transfer.h"
#include "print.h"
#include "progress.h"

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
 * of the way: all of it is kept.
 */
static enum tsl_status
make_way(const struct common_options *co, struct npyio_reader *first,
	 struct tsl_error *err)
{
	int64_t nbytes = tsl_array_nbytes(npyio_reader_array(first));
	enum tsl_status status = npyio_reader_keep(
		first, nbytes, memory_for(co, nbytes) / 4, err);

	return status ? status : npyio_reader_finish(first, err);
}

static enum tsl_status
open_input(struct npyio_reader **in_new, const char *path,
	   struct tsl_error *err)
{
	enum tsl_status status = npyio_reader_open(in_new, path, err);

	if (status)
		hint_emptied(err, path);
	return status;
}

enum tsl_status
run_open(struct run_inputs *inputs, const struct common_options *co,
	 const char *const *paths, int n, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;

	*inputs = (struct run_inputs){ .n = n, .drain = !co->no_drain };
	/* Already the opening may have to wait. */
	progress_listen();
	for (int i = 0; i < n && !status; i++) {
		if (i > 0 && strcmp(paths[i], "-") == 0 &&
		    strcmp(paths[i - 1], "-") == 0)
			status = make_way(co, inputs->in[i - 1], err);
		if (!status)
			status = open_input(&inputs->in[i], paths[i], err);
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
	if (tsl_status_exit(status) == 3 && inputs->drain)
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

enum tsl_status
run_drain(const struct run_inputs *inputs, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;

	for (int i = 0; i < inputs->n && !status && inputs->drain; i++)
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
	tsl_fail(err, TSL_EIO,
		 "the input is also the output: use -o to replace it");
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

static bool
is_noted(const struct common_options *co)
{
	return co->verbose && !co->quiet;
}

static void
note_device(const struct common_options *co, const struct npyio_transfer *t)
{
	message_note("device %s, at most %d thread%s, %" PRId64
		     " bytes of working memory%s",
		     t->backend ? t->backend->name : "cpu", co->threads,
		     co->threads == 1 ? "" : "s", t->max_memory,
		     memory_is_scarce(co, t->max_memory)
			     ? ", for the system allows little"
			     : "");
	if (!t->backend)
		return;
	message_note("%s: %s", t->backend->name, device_description());
	if (!npyio_has_lanes(t))
		message_note(
			"nothing needs reordering: the device is not used");
}

static void
note_plan(const struct common_options *co, const struct npyio_transfer *t)
{
	const struct tsl_job *job = t->job;

	if (!is_noted(co))
		return;
	message_note("%s: %s; reads %" PRId64 " of %" PRId64
		     " bytes, writes %" PRId64,
		     job->op->name, tsl_pattern_name(job->pattern),
		     explain_read(job), tsl_array_nbytes(&job->in),
		     job->nbytes);
	note_device(co, t);
}

static void
note_spools(const struct common_options *co, const struct run_inputs *inputs)
{
	for (int i = 0; i < inputs->n && is_noted(co); i++)
		if (npyio_reader_is_spooled(inputs->in[i]))
			message_note("%s went through a temporary file: it is "
				     "not read in the order it arrives",
				     npyio_reader_name(inputs->in[i]));
}

/*
 * Files must still be as long as they were, and standard input, if it is one,
 * is left behind the array; streams are drained when the output is there.
 */
static enum tsl_status
finish_files(const struct run_inputs *inputs, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;

	for (int i = 0; i < inputs->n && !status; i++) {
		status = npyio_reader_check(inputs->in[i], err);
		if (!status && inputs->drain &&
		    !npyio_reader_is_stream(inputs->in[i]))
			status = npyio_reader_finish(inputs->in[i], err);
	}
	return status;
}

/*
 * What an op writes in C order only is written to a temporary file, and from
 * there, as a slice of all of it, in Fortran order.
 */
static enum tsl_status
transfer_by_way_of_c(const struct npyio_transfer *t, struct tsl_error *err)
{
	struct npyio_transfer first = *t, second = *t;
	struct npyio_reader *spooled = NULL;
	struct tsl_job reordered;
	enum tsl_status status;

	first.progress = NULL;
	status = npyio_writer_open_spool(&first.out, err);
	if (status)
		return status;
	status = npyio_transfer(&first, err);
	if (!status)
		status = npyio_reader_open_spool(
			&spooled, npyio_writer_descriptor(first.out), err);
	if (!status) {
		tsl_slice_all_init(&reordered, npyio_reader_array(spooled),
				   TSL_ORDER_F);
		/* The array's descr is the reader's of its own. */
		second.job = &reordered;
		second.in = &spooled;
		second.ninputs = 1;
		status = npyio_transfer(&second, err);
	}
	npyio_reader_close(spooled);
	npyio_writer_abort(first.out);
	return status;
}

static bool
is_to_be_reordered(const struct common_options *co, const struct tsl_job *job)
{
	return (enum tsl_order)(co->order + 1) == TSL_ORDER_F &&
	       !job->op->any_order && !tsl_array_is_1d(&job->out);
}

enum tsl_status
run_begin(struct npyio_writer **out_new, const struct common_options *co,
	  struct tsl_error *err)
{
	const struct npyio_writer_options options = {
		.no_clobber = co->no_clobber,
		.sync = co->sync,
	};

	enum tsl_status status = device_open(co->device, err);

	*out_new = NULL;
	if (!status)
		status = npyio_writer_open(out_new, co->output, &options, err);
	if (status)
		device_close();
	return status;
}

/* How many bytes are read and written at most, as far as is known. */
static int64_t
work_of(const struct tsl_job *job, const struct run_inputs *inputs)
{
	int64_t work = job->nbytes;

	for (int i = 0; i < inputs->n; i++)
		if (!tsl_add(work, tsl_array_nbytes(run_array(inputs, i)),
			     &work))
			return INT64_MAX;
	return work;
}

enum tsl_status
run_write(struct npyio_writer *out, const struct common_options *co,
	  const struct tsl_job *job, const struct run_inputs *inputs,
	  struct tsl_error *err)
{
	/* On a terminal, bytes are no use to anybody. */
	bool print = co->print || (!co->output && isatty(STDOUT_FILENO));
	const struct npyio_transfer transfer = {
		.job = job,
		.in = inputs->in,
		.ninputs = inputs->n,
		.out = out,
		.backend = device_backend(),
		.threads = co->threads,
		.max_memory = memory_for(co, work_of(job, inputs)),
		.progress = progress_add,
	};
	enum tsl_status status = check_no_input(out, inputs, err);

	note_plan(co, &transfer);
	if (status)
		return status;
	progress_start(co->quiet && co->progress == PROGRESS_AUTO
			       ? PROGRESS_NEVER
			       : (enum progress_when)co->progress,
		       job->nbytes);
	if (print)
		status = print_job(&transfer, co->overview, err);
	else if (is_to_be_reordered(co, job))
		status = transfer_by_way_of_c(&transfer, err);
	else
		status = npyio_transfer(&transfer, err);
	if (!status)
		status = finish_files(inputs, err);
	progress_end();
	note_spools(co, inputs);
	return status;
}

enum tsl_status
run_end(struct npyio_writer *out, enum tsl_status status, struct tsl_error *err)
{
	device_close();
	if (!status)
		return npyio_writer_commit(out, err);
	npyio_writer_abort(out);
	return status;
}

enum tsl_status
run_job(const struct common_options *co, const struct tsl_job *job,
	const struct run_inputs *inputs, struct tsl_error *err)
{
	struct npyio_writer *out;
	enum tsl_status status = run_begin(&out, co, err);

	if (status)
		return status;
	status = run_write(out, co, job, inputs, err);
	status = run_end(out, status, err);
	return status ? status : run_drain(inputs, err);
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
					  "too large for an encoding");
	}
	if (fd > STDERR_FILENO)
		close(fd);
	if (status && err)
		err->subject = path;
	return status;
}
