/*
 * part.c - a part of a job, where other processes make the others
 */
#include "part.h"

#include "cancel.h"
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

/*
 * A process may have been asleep for hours; what it would write to by now is a
 * finished file, that somebody may have changed since.
 */
static enum tsl_status
write_part(const struct common_options *co, const struct tsl_job *job,
	   const struct inputs *inputs, const struct npyio_parts *p,
	   struct tsl_error *err)
{
	enum tsl_status status;

	cancel_watch(is_over, p);
	status = run_portion(p->path, p->file.fd, co, job, inputs, err);
	return was_cancelled() ? TSL_OK : status;
}

enum tsl_status
part_run(const struct common_options *co, const struct tsl_job *job,
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
