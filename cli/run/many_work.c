/*
 * many_work.c - one of many inputs after the other: what a worker does
 */
#include "many_work.h"

#include "cli/many/small_input.h"
#include "cli/option/device.h"
#include "in_place.h"
#include "lib/base/minmax.h"
#include "npyio/file/fd.h"
#include "npyio/input/input_name.h"
#include "npyio/input/reader_copy.h"
#include "npyio/input/reader_replace.h"
#include "npyio/output/writer.h"
#include "npyio/transfer/transfer.h"
#include "progress.h"
#include "result_order.h"
#include "run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Plans that are kept, for inputs that have the same header. */
#define PLANS 4

/* More of an input, or a result, is not small. */
#define MAX_SMALL ((int64_t)256 * 1024)

/* As much, written or looked through, is work for several threads. */
#define LARGE_RESULT ((int64_t)8 * 1024 * 1024)
#define LARGE_INPUT ((int64_t)64 * 1024 * 1024)

/* What is made of inputs that have one header. */
struct plan {
	void *request; /* a copy, of which the job is */
	struct small_input *input; /* NULL: there is no plan */
	struct tsl_job *job;
};

struct many_worker {
	struct many *m;
	int number; /* of the queue's workers */
	struct common_options co; /* as for one input, by one thread */
	struct inputs inputs; /* the input, and copies of those shared */
	struct plan plan[PLANS];
	int next_plan; /* to make room for another */
	void *request; /* for what is not small */
	char *input; /* bytes of a small one */
	char *result; /* of 'room' bytes, 'len' of them there */
	size_t room, len;
	struct npyio_writer *sink; /* that they come through */
	struct target_place place;
	struct result_order order; /* of the job that is being done */
};

/* ---- a worker ------------------------------------------------------------ */

static enum tsl_status
put(void *context, const char *bytes, size_t n, struct tsl_error *err)
{
	struct many_worker *w = context;

	if (n > w->room - w->len)
		return tsl_no_memory(err);
	memcpy(w->result + w->len, bytes, n);
	w->len += n;
	return TSL_OK;
}

static void *
copy_request(const struct many_worker *w)
{
	size_t n = w->m->c->command->request_size;
	void *copy = malloc(n);

	return copy ? memcpy(copy, w->m->c->request, n) : NULL;
}

static void
resolve_options(struct many_worker *w)
{
	const struct common_options *co = w->m->c->co;

	w->co = *co;
	w->co.one_of_many = true;
	/* Each has a name: nothing is shown, on a terminal neither. */
	w->co.output = co->target;
	w->co.verbose = false;
	w->co.progress = PROGRESS_NEVER;
	w->co.threads = 1;
	w->co.max_memory =
		tsl_max(w->m->max_memory / w->m->workers, NPYIO_MIN_MEMORY);
	w->co.part = NULL;
	w->co.launcher = NULL;
	w->co.portion = (struct npyio_portion){ .count = 0 };
}

/* To be the worker's own input i. */
static enum tsl_status
open_shared(const struct many_worker *w, int i, struct npyio_reader **own,
	    struct tsl_error *err)
{
	return npyio_reader_open_copy(own, w->m->shared->in[i - 1],
				      w->co.max_memory / 4, err);
}

static enum tsl_status
copy_shared(struct many_worker *w, struct tsl_error *err)
{
	const struct inputs *shared = w->m->shared;
	enum tsl_status status = TSL_OK;

	w->inputs.in =
		calloc((size_t)shared->n + 1, sizeof(struct npyio_reader *));
	if (!w->inputs.in)
		return tsl_no_memory(err);
	w->inputs.n = shared->n + 1;
	for (int i = 1; i < w->inputs.n && !status; i++)
		status = open_shared(w, i, &w->inputs.in[i], err);
	return status;
}

static void
free_request(const struct many_worker *w, void *request)
{
	struct substitutes *s =
		request ? invocation_substitutes(w->m->c->command, request)
			: NULL;

	if (s)
		substitutes_free_made(s);
}

static void
drop_plan(const struct many_worker *w, struct plan *p)
{
	free_request(w, p->request);
	small_input_close(p->input);
	p->input = NULL;
}

static void
drop_plans(struct many_worker *w)
{
	for (int i = 0; i < PLANS; i++)
		drop_plan(w, &w->plan[i]);
}

/* What was laid for the target before, and the jobs that know it, are not for
   the next one. */
static enum tsl_status
renew_shared(struct many_worker *w, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;

	for (int i = 1; i < w->inputs.n && !status; i++) {
		struct npyio_reader *laid = w->inputs.in[i];

		if (!npyio_reader_is_laid(laid))
			continue;
		drop_plans(w);
		status = open_shared(w, i, &w->inputs.in[i], err);
		if (status)
			w->inputs.in[i] = laid;
		else
			npyio_reader_close(laid);
	}
	return status;
}

/* A small input, and a small result, take a quarter of the memory at most. */
static enum tsl_status
get_memory(struct many_worker *w, struct tsl_error *err)
{
	w->room = (size_t)tsl_min(MAX_SMALL, w->co.max_memory / 8);
	w->input = malloc(w->room);
	w->result = malloc(w->room);
	w->request = copy_request(w);
	for (int i = 0; i < PLANS; i++)
		if (!(w->plan[i].request = copy_request(w)))
			return tsl_no_memory(err);
	return w->input && w->result && w->request ? TSL_OK
						   : tsl_no_memory(err);
}

enum tsl_status
many_worker_new(struct many_worker **worker_new, struct many *m, int number,
		struct tsl_error *err)
{
	struct many_worker *w = *worker_new = calloc(1, sizeof(*w));
	enum tsl_status status;

	if (!w)
		return tsl_no_memory(err);
	w->m = m;
	w->number = number;
	target_place_init(&w->place);
	resolve_options(w);
	status = get_memory(w, err);
	if (!status)
		status = npyio_writer_open_sink(&w->sink, NULL, put, w, err);
	if (!status)
		status = copy_shared(w, err);
	if (status) {
		many_worker_free(w);
		*worker_new = NULL;
	}
	return status;
}

void
many_worker_free(struct many_worker *w)
{
	if (!w)
		return;
	drop_plans(w);
	for (int i = 0; i < PLANS; i++)
		free(w->plan[i].request);
	free_request(w, w->request);
	free(w->request);
	for (int i = 1; i < w->inputs.n; i++)
		npyio_reader_close(w->inputs.in[i]);
	free(w->inputs.in);
	npyio_writer_abort(w->sink);
	target_place_free(&w->place);
	result_order_free(&w->order);
	free(w->input);
	free(w->result);
	free(w);
}

/* ---- results ------------------------------------------------------------- */

/* A result of this run is not replaced. */
static enum tsl_status
check_made(const struct many_worker *w, const struct item *item, bool is_made,
	   struct tsl_error *err)
{
	if (!is_made)
		return TSL_OK;
	if (w->co.in_place)
		return tsl_fail(err, TSL_EDUPLICATE_OUTPUT,
				"the same file was written before");
	if (!w->m->target.archive && !target_has(&w->m->target, item->name.s))
		return TSL_OK;
	return tsl_fail(err, TSL_EDUPLICATE_OUTPUT,
			"another input's result has the name '%s'",
			item->name.s);
}

/* Its path; links of several names may lead to one file. */
static enum tsl_status
find_path(struct many_worker *w, const struct item *item, const char **path,
	  struct tsl_error *err)
{
	uint64_t key;
	enum tsl_status status =
		target_path(&w->m->target, &w->place, item->name.s, path, err);

	if (status || !target_link(&w->m->target, *path, &key) ||
	    queue_take(w->m->queue, w->number, key))
		return status;
	return tsl_fail(err, TSL_EDUPLICATE_OUTPUT,
			"another input's result is the file that '%s' leads to",
			item->name.s);
}

/* By its path, with all that goes with replacing a file. */
static enum tsl_status
write_result(struct many_worker *w, const struct item *item,
	     struct tsl_error *err)
{
	struct common_options co = w->co;
	enum tsl_status status = find_path(w, item, &co.output, err);

	return status ? status : run_write_bytes(&co, w->result, w->len, err);
}

/* Members stand in the order of the inputs. */
static enum tsl_status
write_small_member(struct many_worker *w, const struct item *item,
		   struct tsl_error *err)
{
	struct npyio_writer *out;
	enum tsl_status status;

	queue_turn(w->m->queue, w->number);
	status = target_begin_member(&w->m->target, &out, item->name.s, err);
	if (status)
		return status;
	return npyio_writer_end(
		out, npyio_writer_put(out, w->result, w->len, 0, err), err);
}

static enum tsl_status
write_member(struct many_worker *w, const struct item *item,
	     const struct common_options *co, const struct tsl_job *job,
	     struct tsl_error *err)
{
	struct npyio_writer *out;
	enum tsl_status status =
		target_begin_member(&w->m->target, &out, item->name.s, err);

	if (status)
		return status;
	return npyio_writer_end(out, run_write(out, co, job, &w->inputs, err),
				err);
}

static enum tsl_status
write_small(struct many_worker *w, const struct item *item,
	    struct tsl_error *err)
{
	if (w->m->target.archive)
		return write_small_member(w, item, err);
	switch (target_make(&w->m->target, &w->place, item->name.s, w->result,
			    w->len, err)) {
	case NPYIO_SMALL_FILE_MADE:
		return TSL_OK;
	case NPYIO_SMALL_FILE_FAILED:
		return err->code;
	default:
		return write_result(w, item, err);
	}
}

/* Whether the result can be made in memory. */
static bool
is_small(const struct many_worker *w, const struct tsl_job *job)
{
	/* There is room for the header of any array, but for one with fields.
	 */
	return job->nbytes < (int64_t)w->room / 2 &&
	       strlen(job->out.dtype.descr) < w->room / 8 &&
	       run_comes_in_order(&w->co, job) && !device_is_gpu(w->co.device);
}

static enum tsl_status
make_small(struct many_worker *w, const struct item *item,
	   const struct tsl_job *job, struct tsl_error *err)
{
	const struct npyio_transfer t = {
		.job = job,
		.in = w->inputs.in,
		.ninputs = w->inputs.n,
		.out = w->sink,
		.threads = 1,
		.max_memory = w->co.max_memory,
		.headless = w->co.raw,
	};
	enum tsl_status status;

	w->len = 0;
	status = npyio_transfer(&t, err);
	if (!status)
		status = npyio_reader_check(w->inputs.in[0], true, err);
	return status ? status : write_small(w, item, err);
}

static enum tsl_status
make_large(struct many_worker *w, const struct item *item,
	   struct common_options *co, struct tsl_job *job,
	   struct tsl_error *err)
{
	enum tsl_status status;

	if (w->m->target.archive)
		return write_member(w, item, co, job, err);
	if (co->in_place)
		return in_place_run(co, item->path.s, job, &w->inputs, err);
	status = target_enter(&w->m->target, &w->place, item->name.s, err);
	if (!status)
		status = find_path(w, item, &co->output, err);
	return status ? status : run_job(co, job, &w->inputs, err);
}

/* All threads, and all memory, are for one input. */
static enum tsl_status
make_alone(struct many_worker *w, const struct item *item, struct tsl_job *job,
	   struct tsl_error *err)
{
	struct common_options co = w->co;
	enum tsl_status status;

	co.threads = w->m->c->co->threads;
	co.max_memory = w->m->c->co->max_memory;
	queue_alone(w->m->queue);
	status = make_large(w, item, &co, job, err);
	queue_together(w->m->queue);
	return status;
}

static enum tsl_status
make_result(struct many_worker *w, const struct item *item, struct tsl_job *job,
	    struct tsl_error *err)
{
	struct common_options co;

	if (!w->co.in_place && is_small(w, job))
		return make_small(w, item, job, err);
	if (w->m->target.archive)
		queue_turn(w->m->queue, w->number);
	if (job->nbytes >= LARGE_RESULT ||
	    tsl_array_extent(&job->in) >= LARGE_INPUT ||
	    device_is_gpu(w->co.device))
		return make_alone(w, item, job, err);
	co = w->co;
	return make_large(w, item, &co, job, err);
}

/* ---- inputs -------------------------------------------------------------- */

static enum tsl_status
make_job(struct many_worker *w, void *request, struct npyio_reader *in,
	 struct tsl_job **job, struct tsl_error *err)
{
	free_request(w, request);
	w->inputs.in[0] = in;
	return w->m->c->command->make_job(request, &w->inputs, job, err);
}

/* The plan for a small input whose bytes are there, or NULL: it is not small.
 */
static struct plan *
find_plan(struct many_worker *w, const struct item *item, size_t n,
	  enum tsl_status *status, struct tsl_error *err)
{
	struct plan *p;

	for (int i = 0; i < PLANS; i++) {
		p = &w->plan[i];
		if (p->input &&
		    small_input_again(p->input, item->path.s, w->input, n))
			return p;
	}
	p = &w->plan[w->next_plan];
	drop_plan(w, p);
	p->input = small_input_new(item->path.s, w->input, n);
	if (!p->input)
		return NULL;
	*status = make_job(w, p->request, small_input_reader(p->input), &p->job,
			   err);
	w->next_plan = (w->next_plan + 1) % PLANS;
	return p;
}

static enum tsl_status
work_small(struct many_worker *w, const struct item *item, bool is_made,
	   struct plan *p, enum tsl_status status, struct tsl_error *err)
{
	w->inputs.in[0] = small_input_reader(p->input);
	if (!status)
		status = check_made(w, item, is_made, err);
	if (!status)
		return make_result(w, item, p->job, err);
	return status;
}

/* 'fd': the path, opened, or -1. */
static enum tsl_status
open_any(const struct many_worker *w, const struct item *item, int fd,
	 struct npyio_reader **in, struct tsl_error *err)
{
	const struct npyio_reader_options as = { .fd = &fd,
						 .name = item->shown.s };
	enum tsl_status status =
		item->archive
			? npyio_reader_open_member(in, item->archive->archive,
						   item->member, item->shown.s,
						   err)
			: inputs_open_one(in, item->path.s, &as, err);

	if (fd >= 0)
		close(fd);
	return status ? status : inputs_select(*in, &w->co, err);
}

/* What an input is, as it stands in a file, is also what its result is. */
static bool
is_plain(const struct common_options *co, const struct item *item)
{
	return !item->archive && !co->in_place && !co->field &&
	       co->byte_order < 0 && !npyio_input_has_scheme(item->path.s) &&
	       !npyio_input_is_url(item->path.s);
}

static enum tsl_status
work_any(struct many_worker *w, const struct item *item, int fd, bool is_made,
	 struct tsl_error *err)
{
	struct npyio_reader *in = NULL;
	struct tsl_job *job;
	enum tsl_status status =
		w->co.in_place ? in_place_check_file(item->path.s, err)
			       : TSL_OK;

	if (!status)
		status = open_any(w, item, fd, &in, err);
	if (!status)
		status = make_job(w, w->request, in, &job, err);
	if (!status)
		status = result_order_set(&w->order, &w->co, job, err);
	if (!status)
		status = check_made(w, item, is_made, err);
	if (!status)
		status = make_result(w, item, job, err);
	w->inputs.in[0] = in;
	if (in)
		inputs_blame(&w->inputs, status, err);
	npyio_reader_close(in);
	return status;
}

/* What was wrong with one may be wrong with the job, and the name is its own.
 */
static void
fail_plan(const struct many_worker *w, const struct item *item, struct plan *p,
	  struct tsl_error *err)
{
	if (err->subject == npyio_reader_name(small_input_reader(p->input)))
		err->subject = item->shown.s;
	drop_plan(w, p);
}

/*
 * What is wrong may be said of a shared one: then it is to say with
 * which input.
 */
static void
name_input(const struct many_worker *w, const struct item *item,
	   struct tsl_error *err)
{
	size_t len = strlen(err->msg);

	for (int i = 1; i < w->inputs.n; i++)
		if (err->subject == npyio_reader_name(w->inputs.in[i]))
			snprintf(err->msg + len, sizeof(err->msg) - len,
				 " (with %s)", item->shown.s);
}

enum tsl_status
many_work(struct many_worker *w, const struct item *item, bool is_made,
	  bool *fatal, struct tsl_error *err)
{
	enum tsl_status status = item->status;
	struct plan *plan = NULL;
	size_t n = 0;
	int fd = -1;

	*fatal = false;
	*err = item->err;
	if (!status)
		status = renew_shared(w, err);
	if (!status && is_plain(&w->co, item))
		n = small_input_read(item->path.s, w->input, w->room, &fd);
	if (n > 0)
		plan = find_plan(w, item, n, &status, err);
	if (plan) {
		status = work_small(w, item, is_made, plan, status, err);
		inputs_blame(&w->inputs, status, err);
		if (status)
			fail_plan(w, item, plan, err);
	} else if (!status) {
		status = work_any(w, item, fd, is_made, err);
	}
	if (status)
		name_input(w, item, err);
	/* It is so whatever the input. */
	*fatal = status == TSL_EBAD_INDEX_DTYPE;
	return status;
}
