/*
 * team.c - a job, done by all processes of a launcher together
 */
#include "team.h"

#include "cancel.h"
#include "cli/option/device.h"
#include "cli/option/launch.h"
#include "cli/report/message.h"
#include "clock.h"
#include "lib/base/minmax.h"
#include "npyio/team/load.h"
#include "npyio/team/orphan_cleanup.h"
#include "npyio/team/plan.h"
#include "npyio/team/shared_file.h"
#include "progress.h"
#include "run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What is agreed on; the highest wins. */
enum verdict {
	VERDICT_WELL,
	VERDICT_STOPPED, /* because another one failed, who says why */
	VERDICT_FAILED, /* and more, for each status */
};

/* What a process has to say of its failure. */
struct words {
	struct tsl_error err;
	bool has_subject;
	char subject[1024], host[64];
};

static struct {
	const struct npyio_team *team;
	int cleanup;
	bool failed; /* all know that somebody has */
	struct words words; /* of who has failed */
} self = { .cleanup = -1 };

/* ---- agreeing ------------------------------------------------------------ */

static void
format_error(struct words *w, const struct tsl_error *err)
{
	w->err = *err;
	w->has_subject = err->subject;
	snprintf(w->subject, sizeof(w->subject), "%s",
		 err->subject ? err->subject : "");
	if (gethostname(w->host, sizeof(w->host) - 1) != 0)
		snprintf(w->host, sizeof(w->host), "a host without a name");
}

/* What 'who' has to say, in all processes. */
static void
receive_error(int who, const struct tsl_error *err)
{
	struct words *w = &self.words;
	char origin[128];

	if (who == self.team->rank)
		format_error(w, err);
	self.team->share(w, sizeof(*w), who);
	/* An address in another process. */
	w->err.subject = w->has_subject ? w->subject : NULL;
	if (who == 0)
		return;
	snprintf(origin, sizeof(origin), " (process %d of %d, on %s)", who,
		 self.team->size, w->host);
	message_origin(origin);
}

/*
 * One that fails may be at another step than the others: what it says is what
 * they hear at theirs, and from then on nothing is agreed on any more.
 */
static enum tsl_status
agree(enum tsl_status status, struct tsl_error *err)
{
	int verdict = !status           ? VERDICT_WELL
		      : was_cancelled() ? VERDICT_STOPPED
					: VERDICT_FAILED + (int)status;
	int who;

	if (self.failed)
		return status;
	self.failed = self.team->agree(verdict, &who) != VERDICT_WELL;
	if (!self.failed)
		return TSL_OK;
	receive_error(who, err);
	*err = self.words.err;
	return err->code;
}

/* ---- joining and leaving ------------------------------------------------- */

static void
note_team(const struct common_options *co, int64_t ms)
{
	const struct npyio_team *t = self.team;

	if (co->verbose && !co->quiet)
		message_note("%d processes on %d host%s, by %s, joined in "
			     "%" PRId64 " ms",
			     t->size, t->hosts, t->hosts == 1 ? "" : "s",
			     t->library, ms);
}

/* The processors of a host are for all of its processes. */
static void
divide_host(struct common_options *co)
{
	int local = self.team->local;

	if (co->threads_by_default)
		co->threads = (int)tsl_max(
			tsl_min(device_processors() / local, co->threads), 1);
	co->processes = local;
}

enum tsl_status
team_join(struct common_options *co, struct tsl_error *err)
{
	int64_t start = clock_ms();
	enum tsl_status status;

	self.cleanup = npyio_orphan_cleanup_start();
	status =
		npyio_team_load(&self.team, co->launcher, launch_plugin(), err);
	if (status)
		return status;
	message_silence(self.team->rank > 0);
	co->portion.index = self.team->rank;
	co->portion.count = self.team->size;
	divide_host(co);
	if (self.team->rank > 0)
		co->progress = PROGRESS_NEVER;
	note_team(co, clock_ms() - start);
	return TSL_OK;
}

enum tsl_status
team_end(enum tsl_status status, struct tsl_error *err)
{
	status = agree(status, err);
	npyio_orphan_cleanup_release(self.cleanup);
	return status;
}

int
team_highest(int exit_status)
{
	int who;

	return self.failed ? exit_status : self.team->agree(exit_status, &who);
}

/*
 * All at once: a launcher that sees one of them fail ends the others, of which
 * the first may still have something to say.
 */
void
team_leave(void)
{
	int who;

	if (!self.team)
		return;
	(void)self.team->agree(VERDICT_WELL, &who);
	self.team->leave();
	self.team = NULL;
}

/* ---- the job ------------------------------------------------------------- */

static enum tsl_status
compare(const char *ours, const char *theirs, const struct inputs *inputs,
	struct tsl_error *err)
{
	char what[40];
	int input;

	if (npyio_plan_compare(ours, theirs, what, sizeof(what)))
		return TSL_OK;
	tsl_fail(err, TSL_EIO, "what is to be done is not the same: '%s'",
		 what);
	if (sscanf(what, "input %d", &input) == 1 && input <= inputs->n) {
		tsl_fail(err, TSL_EIO, "is not the same file in all processes");
		err->subject = npyio_reader_name(inputs->in[input - 1]);
	}
	return TSL_EIO;
}

/* Whether what this process is about to do is what the first one does. */
static enum tsl_status
compare_with_first(const char *plan, const struct inputs *inputs,
		   struct tsl_error *err)
{
	size_t n = strlen(plan) + 1;
	char *theirs;
	enum tsl_status status;

	self.team->share(&n, sizeof(n), 0);
	theirs = malloc(n);
	if (!theirs)
		abort(); /* some hundred bytes, that others wait for */
	if (self.team->rank == 0)
		memcpy(theirs, plan, n);
	self.team->share(theirs, n, 0);
	status = compare(plan, theirs, inputs, err);
	free(theirs);
	return status;
}

static enum tsl_status
begin(const struct common_options *co, struct npyio_shared_file *j,
      struct tsl_error *err)
{
	struct npyio_shared_file_id file;
	bool first = self.team->rank == 0;
	enum tsl_status status = TSL_OK;

	if (first)
		status =
			npyio_shared_file_create(j, co->no_clobber, &file, err);
	/* At once: until it knows, nobody would remove it. */
	if (first && !status)
		npyio_orphan_cleanup_watch(self.cleanup, &j->file.at,
					   j->file.temp);
	status = agree(status, err);
	if (status)
		return status;
	self.team->share(&file, sizeof(file), 0);
	if (!first)
		status = npyio_shared_file_enter(j, &file, err);
	if (!first && !status)
		npyio_orphan_cleanup_watch(self.cleanup, &j->file.at,
					   file.name);
	return agree(status, err);
}

/* Whoever fails removes the file. */
static bool
is_gone(const void *file)
{
	return npyio_shared_file_is_gone(file);
}

static enum tsl_status
write_share(const struct common_options *co, const struct tsl_job *job,
	    const struct inputs *inputs, const struct npyio_shared_file *j,
	    struct tsl_error *err)
{
	enum tsl_status status;

	cancel_watch(is_gone, j);
	status = run_portion(j->path, j->file.fd, co, job, inputs, err);
	/* A host that goes down later would leave a hole. */
	if (!status && (co->sync || self.team->hosts > 1))
		status = npyio_shared_file_sync(j, err);
	return status;
}

/* All have written: it is the first one's to rename, or to remove. */
static enum tsl_status
finish(const struct common_options *co, struct npyio_shared_file *j,
       struct tsl_error *err)
{
	if (self.team->rank == 0)
		return npyio_shared_file_appear(j, !co->no_clobber, co->sync,
						err);
	npyio_shared_file_release(j);
	return TSL_OK;
}

static enum tsl_status
make_together(const struct common_options *co, const struct tsl_job *job,
	      const struct inputs *inputs, struct tsl_error *err)
{
	struct npyio_shared_file j;
	enum tsl_status status;

	npyio_shared_file_init(&j, co->output);
	status = begin(co, &j, err);
	if (!status) {
		status = write_share(co, job, inputs, &j, err);
		/* At once: the others need not go on. */
		if (status)
			npyio_shared_file_close(&j);
		status = agree(status, err);
	}
	if (!status)
		status = finish(co, &j, err);
	npyio_shared_file_close(&j);
	return status;
}

enum tsl_status
team_run(const struct common_options *co, const struct tsl_job *job,
	 const struct inputs *inputs, const char *plan, enum tsl_status status,
	 struct tsl_error *err)
{
	status = agree(status, err);
	if (!status) {
		status = compare_with_first(plan, inputs, err);
		status = agree(status, err);
	}
	if (!status)
		status = make_together(co, job, inputs, err);
	return status;
}
