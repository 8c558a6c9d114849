/*
 * parts.c - an output that is made part by part, by processes that know nothing
 * of each other
 */
#define _GNU_SOURCE /* O_DIRECTORY, O_NOFOLLOW */
#include "parts.h"

#include "npyio/file/fd.h"
#include "plan.h"
#include "team_output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SUFFIX ".parts"
#define PLAN "plan"
#define DATA "data"

/* The directory may go while it is being entered, as often as one is made. */
#define MAX_TRIES 100

static enum tsl_status
about(const struct npyio_parts *p, enum tsl_status status,
      struct tsl_error *err)
{
	if (status && err && !err->subject)
		err->subject = p->path;
	return status;
}

static enum tsl_status
fail(const char *what, struct tsl_error *err)
{
	char text[80];

	snprintf(text, sizeof(text), "%s in its directory of parts", what);
	return npyio_fail_sys(err, text);
}

static void
mark_name(char name[16], int number)
{
	snprintf(name, 16, "%d", number);
}

/* ---- the directory ------------------------------------------------------- */

static enum tsl_status
find_target(struct npyio_parts *p, struct tsl_error *err)
{
	const struct npyio_output_path *at = &p->whole.at;
	enum tsl_status status =
		npyio_team_output_find(&p->whole, p->path, p->no_clobber, err);
	int n;

	if (status)
		return status;
	n = snprintf(p->whole.temp, sizeof(p->whole.temp), "%s" SUFFIX "/" DATA,
		     at->name);
	if (n < 0 || (size_t)n >= sizeof(p->whole.temp)) {
		errno = ENAMETOOLONG;
		return npyio_fail_sys(err, "cannot be made in parts");
	}
	p->whole.stays = true;
	snprintf(p->dir_name, sizeof(p->dir_name), "%.*s" SUFFIX,
		 n - (int)strlen(SUFFIX "/" DATA), at->name);
	return TSL_OK;
}

static enum tsl_status
open_directory(struct npyio_parts *p, struct tsl_error *err)
{
	int at = p->whole.at.dir;

	for (int i = 0; i < MAX_TRIES && p->dir < 0; i++) {
		if (mkdirat(at, p->dir_name, 0777) != 0 && errno != EEXIST)
			break;
		p->dir = openat(at, p->dir_name,
				O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		/* Somebody has just been done with it. */
		if (p->dir < 0 && errno != ENOENT)
			break;
	}
	return p->dir < 0 ? npyio_fail_sys(err, "cannot make its directory of "
						"parts")
			  : TSL_OK;
}

static void
close_directory(struct npyio_parts *p)
{
	if (p->dir >= 0)
		close(p->dir);
	p->dir = -1;
}

/* A list, from its begin: which names there are may have been asked before. */
static DIR *
list(const struct npyio_parts *p)
{
	int fd = openat(p->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;

	if (!d && fd >= 0)
		close(fd);
	return d;
}

/* The number of the part that it marks; 0: it is no mark. */
static int
mark_of(const struct npyio_parts *p, const char *name)
{
	char same[16];
	long n = strtol(name, NULL, 10);

	if (n < 1 || n > p->count)
		return 0;
	mark_name(same, (int)n);
	return strcmp(name, same) == 0 ? (int)n : 0;
}

/*
 * How many are marked, and whether this one is.  Names are listed, not looked
 * up: a network file system may remember that there was none.
 */
static int
count_marks(const struct npyio_parts *p, bool *ours)
{
	DIR *d = list(p);
	struct dirent *e;
	int n = 0;

	*ours = false;
	while (d && (e = readdir(d))) {
		int number = mark_of(p, e->d_name);

		n += number > 0;
		*ours |= number == p->number;
	}
	if (d)
		closedir(d);
	return n;
}

/* All that is in the directory, or all marks. */
static void
remove_names(const struct npyio_parts *p, bool marks_only)
{
	DIR *d = list(p);
	struct dirent *e;

	while (d && (e = readdir(d)))
		if (marks_only ? mark_of(p, e->d_name) > 0
			       : e->d_name[0] != '.')
			unlinkat(p->dir, e->d_name, 0);
	if (d)
		closedir(d);
}

/* ---- the plan ------------------------------------------------------------ */

/* Under a name of its own, so that what is linked is there all at once. */
static enum tsl_status
offer_plan(const struct npyio_parts *p, const char *plan, struct tsl_error *err)
{
	size_t n = strlen(plan);
	char host[32] = "", name[80];
	enum tsl_status status;
	int fd;

	(void)!gethostname(host, sizeof(host) - 1);
	snprintf(name, sizeof(name), PLAN ".%s.%ld", host, (long)getpid());
	fd = openat(p->dir, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
		    0666);
	if (fd < 0)
		return fail("cannot write the plan", err);
	status = npyio_fd_write(fd, plan, n, err);
	if (close(fd) != 0 && errno != EINTR && !status)
		status = fail("cannot write the plan", err);
	if (!status && linkat(p->dir, name, p->dir, PLAN, 0) != 0 &&
	    errno != EEXIST)
		status = fail("cannot link the plan", err);
	unlinkat(p->dir, name, 0);
	return status;
}

static enum tsl_status
read_plan(const struct npyio_parts *p, size_t most, char *plan,
	  struct tsl_error *err)
{
	int fd = openat(p->dir, PLAN, O_RDONLY | O_CLOEXEC);
	enum tsl_status status;
	size_t got = 0;

	if (fd < 0)
		return fail("cannot read the plan", err);
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
	enum tsl_status status;

	if (!theirs)
		return tsl_fail(err, TSL_EMEMORY, "out of memory");
	status = offer_plan(p, plan, err);
	if (!status)
		status = read_plan(p, n, theirs, err);
	if (!status && !npyio_plan_compare(plan, theirs, what, sizeof(what)))
		status = tsl_fail(err, TSL_EIO,
				  "%.100s is of another command ('%s' differs);"
				  " remove it to begin anew",
				  p->dir_name, what);
	free(theirs);
	return status;
}

/* ---- the data ------------------------------------------------------------ */

/*
 * Who is to create them finds marks only if somebody died who was done with
 * all: these are of other data.
 */
static enum tsl_status
open_data(struct npyio_parts *p, struct tsl_error *err)
{
	const int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW;

	p->whole.fd = openat(p->dir, DATA, flags);
	if (p->whole.fd < 0 && errno == ENOENT) {
		remove_names(p, true);
		p->whole.fd = openat(p->dir, DATA, flags | O_CREAT, 0600);
	}
	return p->whole.fd < 0 ? fail("cannot open the data", err) : TSL_OK;
}

/*
 * Whether what was opened is still what the others write to.  If not, it has
 * become the output: all parts were there, this one among them.
 */
static bool
is_current(const struct npyio_parts *p)
{
	struct stat here, there;

	return fstat(p->whole.fd, &here) == 0 &&
	       fstatat(p->dir, DATA, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
	       here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

/* Whether the directory that was entered is the one of that name. */
static bool
is_in_place(const struct npyio_parts *p)
{
	struct stat here, there;

	return fstat(p->dir, &here) == 0 &&
	       fstatat(p->whole.at.dir, p->dir_name, &there,
		       AT_SYMLINK_NOFOLLOW) == 0 &&
	       here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

static enum tsl_status
join(struct npyio_parts *p, const char *plan, struct tsl_error *err)
{
	enum tsl_status status = open_directory(p, err);

	if (!status)
		status = agree_on_plan(p, plan, err);
	if (!status)
		status = open_data(p, err);
	if (status || is_in_place(p))
		return status;
	close(p->whole.fd);
	p->whole.fd = -1;
	errno = ENOENT;
	return npyio_fail_sys(err, "its directory of parts is gone again");
}

enum tsl_status
npyio_parts_begin(struct npyio_parts *p, const char *plan,
		  struct tsl_error *err)
{
	enum tsl_status status;

	p->dir = p->whole.fd = -1;
	p->whole.at.dir = AT_FDCWD;
	status = find_target(p, err);
	if (!status)
		status = join(p, plan, err);
	/* The directory that was entered has gone: another round begins. */
	for (int i = 0; status && err && err->sys == ENOENT && i < MAX_TRIES &&
			p->dir >= 0;
	     i++) {
		close_directory(p);
		status = join(p, plan, err);
	}
	if (!status)
		(void)count_marks(p, &p->made);
	return about(p, status, err);
}

/* ---- the end ------------------------------------------------------------- */

/* On the disk first: this host may go down while another one goes on. */
static enum tsl_status
mark(const struct npyio_parts *p, struct tsl_error *err)
{
	enum tsl_status status = npyio_fd_sync(p->whole.fd, err);
	char name[16];
	int fd;

	if (status || !is_current(p))
		return status;
	mark_name(name, p->number);
	fd = openat(p->dir, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	if (fd >= 0)
		close(fd);
	else if (errno != ENOENT || is_current(p))
		return fail("cannot set a mark", err);
	return TSL_OK;
}

/* Under another name nobody comes in who begins anew. */
static void
remove_directory(struct npyio_parts *p)
{
	char name[48];
	int at = p->whole.at.dir;

	snprintf(name, sizeof(name), ".tslice.%ld.parts", (long)getpid());
	if (renameat(at, p->dir_name, at, name) == 0)
		snprintf(p->dir_name, sizeof(p->dir_name), "%s", name);
	/* Who made a part at the same time may set its mark once more. */
	for (int i = 0; i < MAX_TRIES; i++) {
		remove_names(p, false);
		if (unlinkat(at, p->dir_name, AT_REMOVEDIR) == 0 ||
		    (errno != ENOTEMPTY && errno != EEXIST))
			return;
	}
}

static enum tsl_status
finish(struct npyio_parts *p, struct tsl_error *err)
{
	enum tsl_status status = npyio_atomic_file_appear(
		&p->whole, !p->no_clobber, p->sync, err);

	if (!status)
		remove_directory(p);
	/* Another one was quicker. */
	return status && err && err->sys == ENOENT ? TSL_OK : status;
}

enum tsl_status
npyio_parts_end(struct npyio_parts *p, struct tsl_error *err)
{
	struct tsl_error own; /* its errno says more than a status */
	bool ours;
	enum tsl_status status = p->made ? TSL_OK : mark(p, &own);

	p->left = 0;
	if (!status && is_current(p)) {
		p->left = p->count - count_marks(p, &ours);
		status = p->left == 0 ? finish(p, &own) : TSL_OK;
	}
	if (status && err)
		*err = own;
	return about(p, status, err);
}

void
npyio_parts_close(struct npyio_parts *p)
{
	close_directory(p);
	npyio_atomic_file_close(&p->whole);
}
