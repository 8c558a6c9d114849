/*
 * parts.c - an output that is made part by part, by processes that know nothing
 * of each other
 */
#define _GNU_SOURCE /* flock() */
#include "parts.h"

#include "npyio/file/fd.h"
#include "npyio/file/lock.h"
#include "plan.h"
#include "team_output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define SUFFIX ".parts"
#define PLAN NPYIO_FOLDER_PLAN
#define DATA NPYIO_FOLDER_DATA

/* What is looked for may come and go, as often as others are at work. */
#define MAX_TRIES 100

/* Offers of processes that have died may have so many names. */
#define MAX_OFFERS 10000

static enum tsl_status
fail(const char *what, struct tsl_error *err)
{
	char text[80];

	snprintf(text, sizeof(text), "%s in its directory of parts", what);
	return npyio_fail_sys(err, text);
}

static void
close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void
mark_name(char name[32], int number, const char *suffix)
{
	snprintf(name, 32, "%d%s", number, suffix);
}

static enum tsl_status
find_target(struct npyio_parts *p, struct tsl_error *err)
{
	const struct npyio_output_path *at = &p->file.at;
	enum tsl_status status =
		npyio_team_output_find(&p->file, p->path, p->no_clobber, err);
	int n;

	if (status)
		return status;
	n = snprintf(p->file.temp, sizeof(p->file.temp), "%s" SUFFIX "/" DATA,
		     at->name);
	if (n < 0 || (size_t)n >= sizeof(p->file.temp)) {
		errno = ENAMETOOLONG;
		return npyio_fail_sys(err, "cannot be made in parts");
	}
	p->file.stays = true;
	p->folder.at = at->dir;
	snprintf(p->folder.name, sizeof(p->folder.name), "%.*s" SUFFIX,
		 n - (int)strlen(SUFFIX "/" DATA), at->name);
	return TSL_OK;
}

/* ---- the plan ------------------------------------------------------------ */

/* A file of a name that nobody has. */
static enum tsl_status
make_offer(const struct npyio_parts *p, char name[32], int *fd,
	   struct tsl_error *err)
{
	struct tsl_error own;
	enum tsl_status status = TSL_EIO;

	for (int n = 0; n < MAX_OFFERS && status; n++) {
		snprintf(name, 32, NPYIO_FOLDER_OFFER "%ld",
			 (long)getpid() + n);
		status = npyio_parts_directory_make(&p->folder, name, 0644, fd,
						    &own);
		if (status && own.sys != EEXIST)
			break;
	}
	if (status && err)
		*err = own;
	return status;
}

/* Under a name of its own, so that what is linked is there all at once. */
static enum tsl_status
offer_plan(const struct npyio_parts *p, const char *plan, struct tsl_error *err)
{
	char name[32];
	enum tsl_status status;
	int fd;

	status = make_offer(p, name, &fd, err);
	if (status)
		return status;
	status = npyio_fd_write(fd, plan, strlen(plan), err);
	if (close(fd) != 0 && errno != EINTR && !status)
		status = fail("cannot write the plan", err);
	if (!status && linkat(p->folder.fd, name, p->folder.fd, PLAN, 0) != 0 &&
	    errno != EEXIST)
		status = fail("cannot link the plan", err);
	unlinkat(p->folder.fd, name, 0);
	return status;
}

static enum tsl_status
read_plan(const struct npyio_parts *p, size_t most, char *plan,
	  struct tsl_error *err)
{
	enum tsl_status status;
	size_t got = 0;
	int fd;

	status = npyio_parts_directory_enter(&p->folder, PLAN, &fd, err);
	if (status)
		return status;
	status = npyio_fd_read(fd, plan, most, &got, err);
	plan[got] = '\0';
	close(fd);
	return status;
}

static enum tsl_status
agree_on_plan(const struct npyio_parts *p, const char *plan,
	      struct tsl_error *err)
{
	size_t n = strlen(plan) + 1; /* one more shows that it goes on */
	char *theirs = malloc(n + 1);
	char what[40];
	struct tsl_error own;
	enum tsl_status status;

	if (!theirs)
		return tsl_no_memory(err);
	/* What turns out to be another's stays as it is. */
	status = read_plan(p, n, theirs, &own);
	if (status && own.sys == ENOENT) {
		status = offer_plan(p, plan, &own);
		if (!status)
			status = read_plan(p, n, theirs, &own);
	}
	if (status && err)
		*err = own;
	if (!status && !npyio_plan_compare(plan, theirs, what, sizeof(what)))
		status = tsl_fail(err, TSL_EIO,
				  "%.100s is of another command ('%s' differs);"
				  " remove it to begin anew",
				  p->folder.name, what);
	free(theirs);
	return status;
}

/* ---- the data ------------------------------------------------------------ */

/*
 * Who is to make them finds marks only if somebody died who was done with all:
 * these are of other data.
 */
static enum tsl_status
open_data(struct npyio_parts *p, struct tsl_error *err)
{
	struct tsl_error own;
	int *fd = &p->file.fd;
	bool in_turn = false;
	enum tsl_status status = TSL_EIO;

	for (int i = 0; i < MAX_TRIES && status; i++) {
		status =
			npyio_parts_directory_enter(&p->folder, DATA, fd, &own);
		if (!status || own.sys != ENOENT)
			break;
		/* One at a time, if there are locks, and nobody sleeps. */
		if (!in_turn) {
			(void)npyio_lock_await(p->folder.fd);
			in_turn = true;
			continue;
		}
		status = npyio_parts_directory_clear(&p->folder, &own);
		if (!status)
			status = npyio_parts_directory_make(&p->folder, DATA,
							    0600, fd, &own);
		/* Another one is doing the same. */
		if (status && own.sys != EEXIST)
			break;
	}
	if (in_turn)
		flock(p->folder.fd, LOCK_UN);
	if (status && err)
		*err = own;
	return status;
}

/*
 * Whether what was opened is still what the others write to.  If not, it has
 * become the output: all parts were there, this one among them.
 */
static enum tsl_status
look_if_current(const struct npyio_parts *p, bool *current,
		struct tsl_error *err)
{
	return npyio_parts_directory_has(&p->folder, DATA, p->file.fd, current,
					 err);
}

bool
npyio_parts_is_over(const struct npyio_parts *p)
{
	bool current;

	return look_if_current(p, &current, NULL) == TSL_OK && !current;
}

/* ---- the part ------------------------------------------------------------ */

/* Of two who make it the second one ends; without locks both make the same. */
static enum tsl_status
lock(const struct npyio_parts *p, struct tsl_error *err)
{
	if (npyio_lock(p->lock) != EWOULDBLOCK)
		return TSL_OK;
	return tsl_fail(err, TSL_EIO,
			"part %d of %d is being made by another process",
			p->number, p->count);
}

static enum tsl_status
open_begun(struct npyio_parts *p, const char *name, struct tsl_error *err)
{
	enum tsl_status status =
		npyio_parts_directory_enter(&p->folder, name, &p->lock, err);

	return status && err->sys == ENOENT
		       ? npyio_parts_directory_make(&p->folder, name, 0644,
						    &p->lock, err)
		       : status;
}

/*
 * What was opened may have been made, and renamed, before it was locked; or
 * made by somebody else at the same time.
 */
static enum tsl_status
begin_part(struct npyio_parts *p, struct tsl_error *err)
{
	struct tsl_error own = { .sys = 0 };
	char name[32];
	bool held = false;
	enum tsl_status status = TSL_OK;

	mark_name(name, p->number, NPYIO_FOLDER_BEGUN);
	for (int i = 0; i < MAX_TRIES && !held; i++) {
		close_fd(&p->lock);
		status = open_begun(p, name, &own);
		if (status && own.sys == EEXIST)
			continue;
		if (!status)
			status = lock(p, &own);
		if (!status)
			status = npyio_parts_directory_has(
				&p->folder, name, p->lock, &held, &own);
		if (status)
			break;
	}
	if (status && err)
		*err = own;
	return status;
}

static enum tsl_status
look_if_made(struct npyio_parts *p, struct tsl_error *err)
{
	struct npyio_marks marks = { .number = p->number, .count = p->count };
	enum tsl_status status =
		npyio_parts_directory_list(&p->folder, &marks, false, err);
	char name[32];

	p->made = !status && marks.made;
	if (!p->made)
		return status;
	mark_name(name, p->number, NPYIO_FOLDER_BEGUN);
	unlinkat(p->folder.fd, name, 0);
	close_fd(&p->lock);
	return TSL_OK;
}

/* ---- the begin ----------------------------------------------------------- */

static void
leave(struct npyio_parts *p)
{
	close_fd(&p->lock);
	close_fd(&p->file.fd);
	npyio_parts_directory_close(&p->folder);
}

static enum tsl_status
join(struct npyio_parts *p, const char *plan, struct tsl_error *err)
{
	enum tsl_status status = npyio_parts_directory_open(&p->folder, err);
	bool is_here = false;

	if (!status)
		status =
			npyio_parts_directory_list(&p->folder, NULL, true, err);
	if (!status)
		status = agree_on_plan(p, plan, err);
	if (!status)
		status = open_data(p, err);
	if (!status)
		status = begin_part(p, err);
	if (!status)
		status = look_if_made(p, err);
	if (!status)
		status = npyio_parts_directory_is_here(&p->folder, &is_here,
						       err);
	if (status || is_here)
		return status;
	errno = ENOENT;
	return npyio_fail_sys(err, "its directory of parts is gone again");
}

enum tsl_status
npyio_parts_begin(struct npyio_parts *p, const char *plan,
		  struct tsl_error *err)
{
	struct tsl_error own = { .sys = 0 };
	enum tsl_status status;

	p->folder.fd = p->file.fd = p->lock = -1;
	p->file.at.dir = AT_FDCWD;
	status = find_target(p, &own);
	if (!status)
		status = join(p, plan, &own);
	/* The directory that was entered has gone: another round begins. */
	for (int i = 0;
	     status && own.sys == ENOENT && i < MAX_TRIES && p->folder.fd >= 0;
	     i++) {
		leave(p);
		status = join(p, plan, &own);
	}
	if (status && err)
		*err = own;
	return tsl_about_new(status, p->path, err);
}

/* ---- the end ------------------------------------------------------------- */

/* What was begun may be another's, who had no lock, and is made by now. */
static enum tsl_status
set_mark(const struct npyio_parts *p, struct tsl_error *err)
{
	int dir = p->folder.fd, fd;
	char begun[32], name[32];
	enum tsl_status status;

	mark_name(begun, p->number, NPYIO_FOLDER_BEGUN);
	mark_name(name, p->number, "");
	if (renameat(dir, begun, dir, name) == 0)
		return TSL_OK;
	if (errno != ENOENT)
		return fail("cannot set a mark", err);
	status = npyio_parts_directory_make(&p->folder, name, 0644, &fd, err);
	if (!status)
		close(fd);
	return status && err->sys == EEXIST ? TSL_OK : status;
}

/* On the disk first: this host may go down while another one goes on. */
static enum tsl_status
mark(struct npyio_parts *p, struct tsl_error *err)
{
	enum tsl_status status = npyio_fd_sync(p->file.fd, err);
	bool current = false;

	if (!status)
		status = look_if_current(p, &current, err);
	if (status || !current)
		return status;
	status = set_mark(p, err);
	/* A server keeps what is open and has no name. */
	close_fd(&p->lock);
	return status && npyio_parts_is_over(p) ? TSL_OK : status;
}

static enum tsl_status
finish(struct npyio_parts *p, struct tsl_error *err)
{
	enum tsl_status status = npyio_atomic_file_appear(
		&p->file, !p->no_clobber, p->sync, err);

	if (!status)
		return npyio_parts_directory_remove(&p->folder, err);
	/* Another one was quicker. */
	return err->sys == ENOENT && npyio_parts_is_over(p) ? TSL_OK : status;
}

/* Counts the marks, and if there are all has the output appear. */
static enum tsl_status
end(struct npyio_parts *p, struct tsl_error *err)
{
	struct npyio_marks marks = { .number = p->number, .count = p->count };
	enum tsl_status status = p->made ? TSL_OK : mark(p, err);
	bool current = false;

	p->left = 0;
	if (!status)
		status = look_if_current(p, &current, err);
	if (status || !current)
		return status;
	status = npyio_parts_directory_list(&p->folder, &marks, false, err);
	/* Another one may be removing them. */
	if (npyio_parts_is_over(p))
		return TSL_OK;
	p->left = p->count - marks.n;
	return status || p->left > 0 ? status : finish(p, err);
}

enum tsl_status
npyio_parts_end(struct npyio_parts *p, struct tsl_error *err)
{
	struct tsl_error own = { .sys = 0 }; /* errno says more than a status */
	enum tsl_status status = end(p, &own);

	if (status && err)
		*err = own;
	return tsl_about_new(status, p->path, err);
}

void
npyio_parts_close(struct npyio_parts *p)
{
	close_fd(&p->lock);
	npyio_parts_directory_close(&p->folder);
	npyio_atomic_file_close(&p->file);
}
