/*
 * in_place.c - a job, done in the file that it goes through
 */
#include "in_place.h"

#include "cli/report/message.h"
#include "lib/op/scatter_nd.h"
#include "npyio/input/input_name.h"
#include "npyio/transfer/in_place.h"
#include "npyio/transfer/prepare.h"
#include "run.h"
#include "verbose.h"

#include <string.h>
#include <sys/stat.h>

int
in_place_check(const char *path)
{
	if (npyio_input_is_stdin(path))
		return message_usage("--in-place takes the name of a file, "
				     "not '-'");
	if (npyio_input_is_url(path))
		return message_usage("nothing can be written to a URL");
	return 0;
}

/* Opening a pipe would wait for who writes to it, and then take what comes. */
enum tsl_status
in_place_check_file(const char *path, struct tsl_error *err)
{
	struct stat st;

	if (stat(npyio_input_file(path), &st) != 0 || S_ISREG(st.st_mode) ||
	    S_ISDIR(st.st_mode))
		return TSL_OK;
	tsl_fail(err, TSL_EIO, "only a regular file can be written in place");
	return tsl_about(TSL_EIO, path, err);
}

/* What is written must not be read meanwhile. */
static enum tsl_status
check_others(const struct inputs *inputs, struct tsl_error *err)
{
	for (int i = 1; i < inputs->n; i++) {
		if (!inputs_are_same(inputs, 0, i))
			continue;
		return tsl_fail_item(err, TSL_EIO, i,
				     "it is the file to be written in place, "
				     "and cannot be read meanwhile");
	}
	return TSL_OK;
}

/* The bytes that are named, and so will be written. */
static int64_t
count_bytes(const struct tsl_job *job)
{
	int64_t nbytes = 0;
	struct tsl_pair pair;

	if (job->op->road == TSL_ROAD_SCATTER)
		return ((const struct tsl_scatter_job *)(const void *)job)
			->places.job.nbytes;
	for (int64_t i = 0; i < job->nlayers; i++) {
		job->op->layer(job, i, &pair);
		nbytes += tsl_view_count(&pair.to) * pair.to.width;
	}
	return nbytes;
}

/* ---- what a failure leaves ----------------------------------------------- */

/* A failure to write says less than what has happened by then. */
static void
report_partial(struct tsl_error *err)
{
	size_t len = strlen(err->msg);

	if (len + strlen(MESSAGE_PARTLY) < sizeof(err->msg))
		strcpy(err->msg + len, MESSAGE_PARTLY);
}

/* ---- writing ------------------------------------------------------------- */

static enum tsl_status
put_in_place(struct npyio_transfer *t, const void *target,
	     struct tsl_error *err)
{
	enum tsl_status status = npyio_prepare(t, err);

	if (status)
		return status;
	message_in_place();
	return npyio_write_in_place(t, target, err);
}

static enum tsl_status
write_to(const struct npyio_in_place_file *target,
	 const struct common_options *co, const struct tsl_job *job,
	 const struct inputs *inputs, struct tsl_error *err)
{
	int64_t nbytes = count_bytes(job);
	struct npyio_transfer t =
		run_transfer_of(NULL, co, job, inputs, nbytes);

	t.backend = NULL;
	verbose_in_place(co, &t, nbytes);
	return run_transfer(&t, co, inputs, nbytes, put_in_place, target, err);
}

enum tsl_status
in_place_run(const struct common_options *co, const char *path,
	     struct tsl_job *job, const struct inputs *inputs,
	     struct tsl_error *err)
{
	atomic_bool touched = false;
	struct npyio_in_place_file target;
	enum tsl_status status = check_others(inputs, err);

	if (!status)
		status = npyio_in_place_file_open(&target, path, inputs->in[0],
						  &touched, err);
	if (status)
		return status;
	job->out = job->in;
	status = write_to(&target, co, job, inputs, err);
	if (status)
		(void)!npyio_in_place_file_close(&target, false, NULL);
	else
		status = npyio_in_place_file_close(&target, co->sync, err);
	if (status && atomic_load(&touched))
		report_partial(err);
	return status ? status : inputs_drain(inputs, err);
}
