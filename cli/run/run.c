/*
 * run.c - a job, done: from the inputs to the output that the options name
 */
#include "run.h"

#include "cancel.h"
#include "cli/image/image.h"
#include "cli/option/device.h"
#include "cli/print/print.h"
#include "lib/base/overflow.h"
#include "lib/op/slice.h"
#include "memory.h"
#include "npyio/transfer/common/output.h"
#include "npyio/transfer/transfer.h"
#include "progress.h"
#include "verbose.h"

#include <sys/stat.h>
#include <unistd.h>

/*
 * Writing over a file that is being read would destroy it.  A named output is
 * safe: it is another file until it is whole.
 */
static const char is_output[] =
	"the input is also the output: use -o to replace it";

enum tsl_status
run_check_inputs(const struct stat *out, const struct inputs *inputs,
		 const char *words, struct tsl_error *err)
{
	struct stat st;

	for (int i = 0; i < inputs->n && S_ISREG(out->st_mode); i++) {
		if (!npyio_reader_stat(inputs->in[i], &st) ||
		    out->st_dev != st.st_dev || out->st_ino != st.st_ino)
			continue;
		return tsl_about(tsl_fail(err, TSL_EIO, "%s", words),
				 npyio_reader_name(inputs->in[i]), err);
	}
	return TSL_OK;
}

enum tsl_status
run_check_stdout(const struct inputs *inputs, struct tsl_error *err)
{
	struct stat st;

	return fstat(STDOUT_FILENO, &st) != 0
		       ? TSL_OK
		       : run_check_inputs(&st, inputs, is_output, err);
}

enum tsl_status
run_check_output(const struct npyio_writer *out, const struct inputs *inputs,
		 struct tsl_error *err)
{
	struct stat st;

	return npyio_writer_is_positional(out) || !npyio_writer_stat(out, &st)
		       ? TSL_OK
		       : run_check_inputs(&st, inputs, is_output, err);
}

/* On a terminal, bytes are no use to anybody. */
static bool
is_printed(const struct common_options *co)
{
	return co->print || co->image || (!co->output && isatty(STDOUT_FILENO));
}

static enum tsl_status
put_result(const struct common_options *co, const struct npyio_transfer *t,
	   struct tsl_error *err)
{
	const struct print how = {
		.form = (enum print_form)co->form,
		.precision = co->precision,
		.overview = co->overview,
	};

	if (co->image)
		return image_job(t, &co->image_how, err);
	if (is_printed(co) && !co->print)
		note_form(co);
	return is_printed(co) ? print_job(t, &how, err)
			      : npyio_transfer(t, err);
}

/* The order that is wanted; of what is made in one only, C if none was said. */
static enum tsl_order
order_of(const struct common_options *co, const struct tsl_job *job)
{
	enum tsl_order order = (enum tsl_order)(co->order + 1);

	return order == TSL_ORDER_KEEP && !job->op->any_order ? TSL_ORDER_C
							      : order;
}

/* NumPy's form goes from place to place; the others take what comes. */
static bool
is_shown_in_either_order(const struct common_options *co)
{
	return is_printed(co) && !co->image &&
	       !print_needs_c_order((enum print_form)co->form);
}

/*
 * What an op writes in one order only may be wanted in the other; and what it
 * writes here and there needs a file for that.
 */
static bool
is_turned(const struct common_options *co, const struct tsl_job *job)
{
	return job->out.fortran_order != (order_of(co, job) == TSL_ORDER_F) &&
	       !is_shown_in_either_order(co) && !job->op->any_order &&
	       !tsl_array_is_1d(&job->out);
}

static bool
needs_spool(const struct common_options *co, const struct npyio_transfer *t)
{
	const struct tsl_job *job = t->job;

	if (job->op->road == TSL_ROAD_SCATTER)
		return is_printed(co) || job->as ||
		       !npyio_writer_is_positional(t->out);
	return is_turned(co, job);
}

bool
run_comes_in_order(const struct common_options *co, const struct tsl_job *job)
{
	return job->op->road != TSL_ROAD_SCATTER && !is_turned(co, job);
}

/* What was written to a spool, as a slice of all of it, in that order. */
static enum tsl_status
put_spooled(const struct common_options *co, const struct npyio_transfer *t,
	    const struct npyio_writer *spool, enum tsl_order order,
	    enum tsl_minifloat number, struct tsl_error *err)
{
	struct npyio_transfer second = *t;
	struct npyio_reader *spooled = NULL;
	struct tsl_job all;
	enum tsl_status status = npyio_reader_open_spool(
		&spooled, npyio_writer_descriptor(spool), err);

	if (!status) {
		tsl_slice_all_init(&all, npyio_reader_array(spooled), order);
		/* A header does not tell. */
		all.out.dtype.number = number;
		all.as = t->job ? t->job->as : NULL;
		/* The array's descr is the reader's of its own. */
		second.job = &all;
		second.in = &spooled;
		second.ninputs = 1;
		status = put_result(co, &second, err);
	}
	npyio_reader_close(spooled);
	return status;
}

/*
 * The output goes to a temporary file first, and from there to where it is
 * wanted.
 */
static enum tsl_status
put_by_way_of_spool(const struct common_options *co,
		    const struct npyio_transfer *t, struct tsl_error *err)
{
	struct npyio_transfer first = *t, second = *t;
	enum tsl_status status;

	first.progress = NULL;
	first.headless = false;
	first.unturned = true;
	second.shared = NULL;
	status = npyio_writer_open_spool(&first.out, err);
	if (status)
		return status;
	status = npyio_transfer(&first, err);
	if (!status)
		status = put_spooled(co, &second, first.out,
				     order_of(co, t->job),
				     t->job->out.dtype.number, err);
	npyio_writer_abort(first.out);
	return status;
}

enum tsl_status
run_open(struct npyio_writer **out_new, const struct common_options *co,
	 struct tsl_error *err)
{
	const struct npyio_writer_options options = {
		.no_clobber = co->no_clobber,
		.sync = co->sync,
		.level = co->level,
		.threads = co->threads,
	};

	return npyio_writer_open(out_new, co->output, &options, err);
}

enum tsl_status
run_write_bytes(const struct common_options *co, const char *bytes, size_t n,
		struct tsl_error *err)
{
	struct npyio_writer *out;
	enum tsl_status status = run_open(&out, co, err);

	if (status)
		return status;
	return npyio_writer_end(out, npyio_writer_put(out, bytes, n, 0, err),
				err);
}

enum tsl_status
run_begin(struct npyio_writer **out_new, const struct common_options *co,
	  struct tsl_error *err)
{
	enum tsl_status status = device_open(co->device, err);

	*out_new = NULL;
	if (!status)
		status = run_open(out_new, co, err);
	if (status)
		device_close();
	return status;
}

/* How many bytes are read and written at most, as far as is known. */
static int64_t
work_of(const struct tsl_job *job, const struct inputs *inputs)
{
	int64_t work = job->nbytes;

	for (int i = 0; i < inputs->n; i++)
		if (!tsl_add(work, tsl_array_extent(inputs_array(inputs, i)),
			     &work))
			return INT64_MAX;
	return work;
}

struct npyio_transfer
run_transfer_of(struct npyio_writer *out, const struct common_options *co,
		const struct tsl_job *job, const struct inputs *inputs,
		int64_t work)
{
	return (struct npyio_transfer){
		.job = job,
		.in = inputs->in,
		.ninputs = inputs->n,
		.out = out,
		.backend = device_backend(),
		.threads = co->threads,
		.max_memory = memory_for(co, work),
		.max_mapped = memory_to_map(co, work),
		.progress = co->one_of_many ? NULL : progress_add,
		.portion = co->portion,
		.headless = co->raw && !is_printed(co),
	};
}

static struct npyio_transfer
transfer_of(struct npyio_writer *out, const struct common_options *co,
	    const struct tsl_job *job, const struct inputs *inputs)
{
	return run_transfer_of(out, co, job, inputs, work_of(job, inputs));
}

/*
 * A result that goes by way of a spool is whole there: one process makes all of
 * it, and leaves nothing to the others.
 */
static enum tsl_status
put_or_leave(struct npyio_transfer *t, const void *options,
	     struct tsl_error *err)
{
	const struct common_options *co = options;

	/* What is added to is turned, and printed, in the end. */
	if (t->unturned)
		return npyio_transfer(t, err);
	if (!needs_spool(co, t))
		return put_result(co, t, err);
	if (t->portion.index > 0)
		return TSL_OK;
	t->portion = (struct npyio_portion){ .count = 0 };
	return put_by_way_of_spool(co, t, err);
}

/* What of the output this process makes. */
static void
find_share(const struct common_options *co, const struct npyio_transfer *t,
	   int64_t *ranges, int64_t *nbytes)
{
	struct npyio_output out;

	*ranges = needs_spool(co, t) && t->portion.index > 0 ? 0 : 1;
	*nbytes = *ranges * t->job->nbytes;
	if (t->portion.count <= 1 || needs_spool(co, t))
		return;
	if (!npyio_output_begin(&out, t, NULL)) {
		*ranges = npyio_share_ranges(&out.share);
		*nbytes = npyio_share_nbytes(&out.share);
	}
	npyio_output_end(&out);
}

/* How much of it this process is to do. */
static int64_t
tell(const struct common_options *co, const struct npyio_transfer *t)
{
	int64_t ranges, nbytes;

	if (co->one_of_many)
		return 0;
	find_share(co, t, &ranges, &nbytes);
	if (t->portion.count > 1)
		verbose_share(co, ranges, nbytes);
	if (co->launcher && t->portion.is_off)
		progress_stands_for(t->job->nbytes);
	return nbytes;
}

enum tsl_status
run_transfer(struct npyio_transfer *t, const struct common_options *co,
	     const struct inputs *inputs, int64_t nbytes, run_put *put,
	     const void *context, struct tsl_error *err)
{
	enum tsl_status status;

	if (!co->one_of_many)
		progress_start(co, nbytes);
	status = put(t, context, err);
	if (!status)
		status = inputs_finish(inputs, err);
	if (!co->one_of_many)
		progress_end();
	if (!status && t->shared && !t->unturned)
		verbose_shared(co, t, *t->shared);
	verbose_spools(co, inputs);
	return status;
}

static enum tsl_status
transfer(const struct common_options *co, struct npyio_transfer *t,
	 const struct inputs *inputs, struct tsl_error *err)
{
	int64_t shared = 0;
	enum tsl_status status = run_check_output(t->out, inputs, err);

	t->shared = &shared;
	verbose_plan(co, t);
	return status ? status
		      : run_transfer(t, co, inputs, tell(co, t), put_or_leave,
				     co, err);
}

enum tsl_status
run_write(struct npyio_writer *out, const struct common_options *co,
	  const struct tsl_job *job, const struct inputs *inputs,
	  struct tsl_error *err)
{
	struct npyio_transfer t = transfer_of(out, co, job, inputs);

	return transfer(co, &t, inputs, err);
}

enum tsl_status
run_portion(const char *path, int fd, const struct common_options *co,
	    const struct tsl_job *job, const struct inputs *inputs,
	    struct tsl_error *err)
{
	struct npyio_writer *out;
	enum tsl_status status = npyio_writer_open_at(&out, path, fd, 0, err);
	struct npyio_transfer t = transfer_of(out, co, job, inputs);

	if (status)
		return status;
	t.portion.is_off = is_cancelled;
	return npyio_writer_end(out, transfer(co, &t, inputs, err), err);
}

enum tsl_status
run_write_data(struct npyio_writer *out, const struct common_options *co,
	       const struct tsl_job *job, const struct inputs *inputs,
	       struct tsl_error *err)
{
	struct npyio_transfer t = transfer_of(out, co, job, inputs);
	enum tsl_status status;

	t.headless = t.unturned = true;
	status = transfer(co, &t, inputs, err);
	return status ? status : npyio_writer_next(out, err);
}

enum tsl_status
run_end(struct npyio_writer *out, enum tsl_status status, struct tsl_error *err)
{
	device_close();
	return npyio_writer_end(out, status, err);
}

/* ---- an output that grows ------------------------------------------------ */

enum tsl_status
growing_output_open(struct growing_output *g, const struct common_options *co,
		    bool by_spool, struct tsl_error *err)
{
	enum tsl_status status;

	*g = (struct growing_output){ .co = co };
	status = run_begin(&g->out, co, err);
	if (!status &&
	    (by_spool || is_printed(co) || !npyio_writer_is_positional(g->out)))
		status = npyio_writer_open_spool(&g->spool, err);
	return status;
}

struct npyio_writer *
growing_output_writer(const struct growing_output *g)
{
	return g->spool ? g->spool : g->out;
}

enum tsl_status
growing_output_end(const struct growing_output *g, enum tsl_minifloat number,
		   struct tsl_error *err)
{
	const struct common_options *co = g->co;
	const struct npyio_transfer transfer = {
		.out = g->out,
		.backend = device_backend(),
		.threads = co->threads,
		.max_memory = memory_for(co, INT64_MAX),
		.headless = co->raw && !is_printed(co),
	};

	return g->spool ? put_spooled(co, &transfer, g->spool,
				      (enum tsl_order)(co->order + 1), number,
				      err)
			: TSL_OK;
}

enum tsl_status
growing_output_close(const struct growing_output *g, enum tsl_status status,
		     struct tsl_error *err)
{
	npyio_writer_abort(g->spool);
	return g->out ? run_end(g->out, status, err) : status;
}

/* ---- a job --------------------------------------------------------------- */

enum tsl_status
run_job(const struct common_options *co, const struct tsl_job *job,
	const struct inputs *inputs, struct tsl_error *err)
{
	struct npyio_writer *out;
	enum tsl_status status = run_begin(&out, co, err);

	if (status)
		return status;
	status = run_write(out, co, job, inputs, err);
	status = run_end(out, status, err);
	return status ? status : inputs_drain(inputs, err);
}
