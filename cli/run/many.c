/*
 * many.c - a command, done with each of many inputs
 */
#include "many.h"

#include "cli/many/result_name.h"
#include "cli/report/message.h"
#include "lib/base/minmax.h"
#include "many_work.h"
#include "memory.h"
#include "npyio/file/cleanup.h"
#include "npyio/file/workers.h"
#include "npyio/input/input_name.h"
#include "npyio/input/reader_remote.h"
#include "npyio/output/atomic_file.h"
#include "npyio/transfer/verify_crc.h"
#include "progress.h"

#include <stdlib.h>
#include <string.h>

/*
 * A worker has an input, a result and a directory open, and sometimes another
 * descriptor of one of these; a large input that all share, one more.  All of
 * them stay below 64, of which the first three are somebody else's.
 */
#define MAX_WORKERS 12
#define MAX_WORKERS_WITH_SHARED 8

/* ---- the command line ---------------------------------------------------- */

/* Returns 0, or an exit status. */
static int
check_names(const struct invocation *c)
{
	struct tsl_error err;

	for (int i = 0; i < c->nmany; i++) {
		if (npyio_input_check(c->many[i], &err))
			return message_error(&err, NULL);
		if (npyio_input_is_stdin(c->many[i]))
			return message_usage("many inputs are files: '-' is "
					     "none");
		if (c->co->in_place && npyio_input_is_url(c->many[i]))
			return message_usage("nothing can be written to a URL");
		if (c->co->parents &&
		    result_name_has_dots(npyio_input_file(c->many[i])))
			return message_usage("--parents takes no name with "
					     "'..' in it: '%s'",
					     npyio_input_shown(c->many[i]));
	}
	if (c->co->files0 && c->nmany > 0)
		return message_usage("--files0-from names the inputs; '%s' is "
				     "one too many",
				     c->many[0]);
	return 0;
}

int
many_detect(struct invocation *c, char ***operands, int *n)
{
	const struct command *command = c->command;
	struct common_options *co = c->co;
	int behind, first;

	if (command->request_size == 0 ||
	    !(co->target || co->files0 || co->in_place))
		return 0;
	behind = invocation_count_others(c, *operands, *n);
	first = *n - behind;
	if (first < (co->files0 ? 0 : 1))
		return options_misuse(command->usage);
	if (first == 1 && co->in_place && !co->files0)
		return 0;
	co->many = true;
	c->many = *operands;
	c->nmany = first;
	*operands += first - 1;
	*n = behind + 1;
	return check_names(c);
}

/* ---- what is read once --------------------------------------------------- */

static enum tsl_status
open_shared(const struct invocation *c, struct inputs *shared,
	    struct tsl_error *err)
{
	const struct npyio_transfer all = {
		.threads = c->co->threads,
		.max_memory = memory_for(c->co, INT64_MAX),
	};
	struct common_options co = *c->co;
	enum tsl_status status;

	/* A field is one of what there are many of. */
	co.field = NULL;
	status = inputs_open(shared, &co, c->input + 1, c->ninputs - 1,
			     c->text_input, err);
	if (!status)
		status = invocation_add_indices(c, shared, err);
	for (int i = 0; i < shared->n && !status; i++) {
		struct npyio_reader *in = shared->in[i];

		status = npyio_reader_buffer(
			in, tsl_array_nbytes(npyio_reader_array(in)),
			all.max_memory / 4, err);
		if (!status)
			status = npyio_reader_download_all(in, err);
		if (!status)
			status = npyio_verify_member(&all, in, err);
	}
	return status;
}

/* ---- workers ------------------------------------------------------------- */

struct crew {
	struct many *many;
	struct many_worker **worker;
};

/* Until there are no more inputs; so one task is a thread's whole work. */
static enum tsl_status
work(void *context, int number, int64_t i, struct tsl_error *err)
{
	struct crew *crew = context;
	struct many_worker **w = &crew->worker[number];
	enum tsl_status status = TSL_OK;
	const struct item *item;
	bool is_made, fatal;

	(void)i;
	if (!*w)
		status = many_worker_new(w, crew->many, number, err);
	/* Others may have had the memory for it. */
	if (status)
		return status;
	while ((item = queue_claim(crew->many->queue, number, &is_made))) {
		status = many_work(*w, item, is_made, &fatal, err);
		queue_done(crew->many->queue, number, status, err, fatal);
	}
	return TSL_OK;
}

static void
release(void *context, int number)
{
	struct crew *crew = context;

	many_worker_free(crew->worker[number]);
	crew->worker[number] = NULL;
}

static enum tsl_status
run_crew(struct many *m, struct tsl_error *err)
{
	struct crew crew = { .many = m };
	enum tsl_status status;

	crew.worker = calloc((size_t)m->workers, sizeof(struct many_worker *));
	if (!crew.worker)
		return tsl_no_memory(err);
	status = npyio_run_tasks(work, release, &crew, m->workers, m->workers,
				 err);
	release(&crew, 0);
	free(crew.worker);
	return status;
}

/* No more than there are inputs, as far as that is known. */
static int
count_workers(const struct many *m)
{
	const struct common_options *co = m->c->co;
	int64_t n =
		tsl_min(co->threads, m->shared->n > 0 ? MAX_WORKERS_WITH_SHARED
						      : MAX_WORKERS);

	return (int)tsl_max(tsl_min(n, m->max_memory / NPYIO_MIN_MEMORY), 1);
}

/* Operands of which one may be an archive are any number. */
static int64_t
count_inputs(const struct invocation *c)
{
	const struct common_options *co = c->co;

	if (co->files0 || co->portion.count > 1)
		return -1;
	for (int i = 0; i < c->nmany && !co->in_place; i++)
		if (!npyio_input_has_scheme(c->many[i]) &&
		    npyio_container_by_name(c->many[i], strlen(c->many[i])))
			return -1;
	return c->nmany;
}

static enum tsl_status
run_all(struct many *m, int *exit_status, struct tsl_error *err)
{
	const struct invocation *c = m->c;
	const struct queue_options options = {
		.names = { .operand = c->many,
			   .noperands = c->nmany,
			   .list = c->co->files0,
			   .in_place = c->co->in_place,
			   .parents = c->co->parents,
			   .raw = c->co->raw,
			   .members = m->target.archive },
		.workers = m->workers,
		.index = c->co->portion.index,
		.count = c->co->portion.count,
		.slice = c->slice,
		.done = progress_add,
	};
	enum tsl_status status = queue_new(&m->queue, &options, err);

	/* What a process says of its inputs no other says. */
	message_silence(false);
	progress_start_inputs(c->co, count_inputs(c));
	if (!status)
		status = run_crew(m, err);
	progress_end();
	if (!status)
		status = queue_end(m->queue, exit_status, err);
	queue_free(m->queue);
	return status;
}

/* ---- from end to end ----------------------------------------------------- */

static enum tsl_status
run_with_shared(struct many *m, int *exit_status, struct tsl_error *err)
{
	struct inputs shared = { .n = 0 };
	enum tsl_status status = open_shared(m->c, &shared, err);

	m->shared = &shared;
	m->workers = count_workers(m);
	if (!status)
		status = run_all(m, exit_status, err);
	if (!status)
		status = inputs_finish(&shared, err);
	inputs_blame(&shared, status, err);
	inputs_close(&shared, status);
	return status;
}

static enum tsl_status
open_target(const struct common_options *co, struct target *target,
	    struct tsl_error *err)
{
	const struct npyio_archive_writer_options options = {
		.anew = true,
		.no_clobber = co->no_clobber,
		.sync = co->sync,
		.level = co->level,
		.threads = co->threads,
	};

	return target_is_archive(co->target)
		       ? target_open_archive(target, co->target, &options, err)
		       : target_open(target, co->target, co->sync, err);
}

enum tsl_status
many_run(const struct invocation *c, int *exit_status, struct tsl_error *err)
{
	struct many m = { .c = c, .max_memory = memory_for(c->co, INT64_MAX) };
	enum tsl_status status = TSL_OK;

	m.target.dir = m.target.files.by_number = -1;
	npyio_cleanup_catch();
	npyio_atomic_file_begin_threads();
	if (!c->co->in_place)
		status = open_target(c->co, &m.target, err);
	if (!status)
		status = run_with_shared(&m, exit_status, err);
	if (!status)
		status = target_commit(&m.target, err);
	if (!status)
		status = target_sync(&m.target, err);
	target_close(&m.target);
	return status;
}
