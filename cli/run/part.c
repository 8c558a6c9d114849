/*
 * part.c - a part of a job, where other processes make the others
 */
#include "part.h"

#include "agreement.h"
#include "cancel.h"
#include "cli/option/device.h"
#include "cli/report/message.h"
#include "npyio/team/parts.h"
#include "run.h"

static void
note_parts(const struct common_options *co, const struct npyio_parts *p)
{
	if (!co->verbose || co->quiet)
		return;
	if (p->made)
		message_note("part %d of %d had been made", p->number,
			     p->count);
	if (p->left > 0)
		message_note("%d of %d parts are left to be made", p->left,
			     p->count);
	else
		message_note("all %d parts are made: %s is complete", p->count,
			     p->path);
}

/* Whether others have made the part, and all is done, or was begun anew. */
static bool
is_over(const void *parts)
{
	return npyio_parts_is_over(parts);
}

static struct cancel cancel = { .is_over = is_over };

static bool
is_off(void)
{
	return is_cancelled(&cancel);
}

/*
 * A process may have been asleep for hours; what it would write to by now is a
 * finished file, that somebody may have changed since.
 */
static enum tsl_status
write_part(const struct common_options *co, const struct tsl_job *job,
	   const struct inputs *inputs, const struct npyio_parts *p,
	   struct tsl_error *err)
{
	struct common_options ours = *co;
	struct npyio_writer *out;
	enum tsl_status status =
		npyio_writer_open_at(&out, p->path, p->file.fd, 0, err);

	if (status)
		return status;
	cancel.what = p;
	ours.portion.is_off = is_off;
	status = run_write(out, &ours, job, inputs, err);
	if (!status)
		return npyio_writer_commit(out, err);
	npyio_writer_abort(out);
	return atomic_load(&cancel.over) ? TSL_OK : status;
}

static enum tsl_status
make_part(const struct common_options *co, const struct tsl_job *job,
	  const struct inputs *inputs, const char *plan, struct tsl_error *err)
{
	struct npyio_parts p = {
		.path = co->output,
		.number = co->portion.index + 1,
		.count = co->portion.count,
		.no_clobber = co->no_clobber,
		.sync = co->sync,
	};
	enum tsl_status status = npyio_parts_begin(&p, plan, err);

	if (!status && !p.made)
		status = write_part(co, job, inputs, &p, err);
	if (!status)
		status = npyio_parts_end(&p, err);
	if (!status)
		note_parts(co, &p);
	npyio_parts_close(&p);
	return status;
}

enum tsl_status
part_run(const struct common_options *co, const struct tsl_job *job,
	 const struct inputs *inputs, struct tsl_error *err)
{
	struct npyio_text plan = { 0 };
	enum tsl_status status = agreement(&plan, co, job, inputs, err);

	if (!status)
		status = device_open(co->device, err);
	if (!status) {
		status = make_part(co, job, inputs, plan.s, err);
		device_close();
	}
	npyio_text_free(&plan);
	return status;
}
