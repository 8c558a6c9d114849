/*
 * atomic_file.c - a file that appears whole or not at all
 */
#define _GNU_SOURCE /* O_TMPFILE, SYS_renameat2 */
#include "atomic_file.h"

#include "npyio/file/cleanup.h"
#include "npyio/file/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

/* linux/fs.h; not every C library has the call. */
#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE 1
#endif

/* Other processes' leftovers may hold this many names of ours. */
#define MAX_TEMP_NAMES 10000

/* ---- making it ----------------------------------------------------------- */

/* By this name linkat(2) finds a file that has none. */
static const char *
name_of_nameless(int fd, char name[32])
{
	snprintf(name, 32, "/proc/self/fd/%d", fd);
	return name;
}

/* Not built from the target's name, which may already be as long as can be. */
static void
temp_name(struct npyio_atomic_file *w, int n)
{
	snprintf(w->temp, sizeof(w->temp), ".tslice.%ld.%d.tmp", (long)getpid(),
		 n);
}

/*
 * A new file gets from the system what any new file here gets; nobody else can
 * open it meanwhile.  One that replaces another gets what that had.
 */
static bool
open_nameless(struct npyio_atomic_file *w)
{
	mode_t mode = w->at.exists ? 0600 : 0666;
	char name[32];

	w->fd = openat(w->at.dir, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
	if (w->fd < 0 || access(name_of_nameless(w->fd, name), F_OK) == 0)
		return w->fd >= 0;
	/* Without /proc it could not be given a name. */
	close(w->fd);
	w->fd = -1;
	errno = EOPNOTSUPP;
	return false;
}

/* EISDIR: kernels that know nothing of it; EINVAL: some file systems. */
static bool
needs_name(int sys)
{
	return sys == EOPNOTSUPP || sys == EISDIR || sys == EINVAL ||
	       sys == ENOSYS;
}

/* Readable by nobody else until it is whole. */
static void
open_named(struct npyio_atomic_file *w)
{
	npyio_cleanup_begin();
	for (int n = 0; n < MAX_TEMP_NAMES; n++) {
		temp_name(w, n);
		w->fd = openat(w->at.dir, w->temp,
			       O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW |
				       O_CLOEXEC,
			       0600);
		if (w->fd >= 0 || errno != EEXIST)
			break;
	}
	if (w->fd >= 0)
		npyio_cleanup_arm(w->at.dir, w->temp);
	else
		w->temp[0] = '\0';
	npyio_cleanup_end();
}

enum tsl_status
npyio_atomic_file_check(struct npyio_atomic_file *w, struct tsl_error *err)
{
	/* The directory may allow a rename over a file that may not change. */
	if (w->at.exists &&
	    faccessat(w->at.dir, w->at.name, W_OK, AT_EACCESS) != 0)
		return npyio_fail_sys(err, "not replaced");
	if (w->at.exists)
		npyio_acl_get(&w->acl, w->at.dir, w->at.name);
	return TSL_OK;
}

enum tsl_status
npyio_atomic_file_open(struct npyio_atomic_file *w, struct tsl_error *err)
{
	enum tsl_status status = npyio_atomic_file_check(w, err);

	if (status)
		return status;
	if (w->named || (!open_nameless(w) && needs_name(errno)))
		open_named(w);
	return w->fd < 0 ? npyio_fail_sys(err, "cannot create a file beside it")
			 : TSL_OK;
}

/* ---- owner and rights ---------------------------------------------------- */

/*
 * It can only be asked for by changing it, which files that other threads make
 * meanwhile would show: it is asked for once, before there are any.
 */
static pthread_once_t mode_once = PTHREAD_ONCE_INIT;
static mode_t new_mode;

static void
find_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	new_mode = 0666 & ~mask;
}

void
npyio_atomic_file_begin_threads(void)
{
	pthread_once(&mode_once, find_mode);
}

static mode_t
mode_of_new_file(void)
{
	pthread_once(&mode_once, find_mode);
	return new_mode;
}

/* Whether the file is of the group that what it replaces was of. */
static bool
set_owner(const struct npyio_atomic_file *w)
{
	const struct stat *old = &w->at.st;
	struct stat st;

	if (fstat(w->fd, &st) != 0)
		return false;
	if (st.st_uid == old->st_uid && st.st_gid == old->st_gid)
		return true;
	return fchown(w->fd, old->st_uid, old->st_gid) == 0 ||
	       st.st_gid == old->st_gid ||
	       fchown(w->fd, (uid_t)-1, old->st_gid) == 0;
}

/*
 * A file that replaces another keeps its owner and group, as far as we may
 * give them, and who else may do what.  What the group was allowed is not for
 * another group, and with a list that cannot be kept it is not known.
 */
static bool
set_old_rights(struct npyio_atomic_file *w)
{
	mode_t mode = w->at.st.st_mode & 0777;
	bool keeps_group = set_owner(w);

	if (keeps_group && npyio_acl_set(w->fd, &w->acl))
		return true;
	if (!keeps_group || w->acl.nbytes > 0 || w->acl.unknown)
		mode &= ~(mode_t)070;
	npyio_acl_remove(w->fd);
	return fchmod(w->fd, mode) == 0;
}

static bool
set_new_rights(struct npyio_atomic_file *w)
{
	npyio_acl_get_default(&w->acl, w->at.dir);
	if (npyio_acl_set(w->fd, &w->acl))
		return true;
	return fchmod(w->fd, w->acl.nbytes > 0 ? 0600 : mode_of_new_file()) ==
	       0;
}

static enum tsl_status
set_rights(struct npyio_atomic_file *w, struct tsl_error *err)
{
	bool done = w->at.exists ? set_old_rights(w)
				 : !w->temp[0] || set_new_rights(w);

	return done ? TSL_OK : npyio_fail_sys(err, "cannot set the mode");
}

/* ---- its name ------------------------------------------------------------ */

static bool
link_nameless(const struct npyio_atomic_file *w, const char *name)
{
	char from[32];

	return linkat(AT_FDCWD, name_of_nameless(w->fd, from), w->at.dir, name,
		      AT_SYMLINK_FOLLOW) == 0;
}

/*
 * Gives the file its name only if there is none of it.  Not every file system
 * can rename so, and not every one has links.
 */
static bool
rename_new(const struct npyio_atomic_file *w)
{
	int dir = w->at.dir, sys;

	if (syscall(SYS_renameat2, dir, w->temp, dir, w->at.name,
		    RENAME_NOREPLACE) == 0)
		return true;
	if (errno != EINVAL && errno != ENOSYS)
		return false;
	if (linkat(dir, w->temp, dir, w->at.name, 0) != 0)
		return false;
	if (unlinkat(dir, w->temp, 0) == 0 || errno == ENOENT)
		return true;
	/* With two names it would be litter, too. */
	sys = errno;
	unlinkat(dir, w->at.name, 0);
	errno = sys;
	return false;
}

/* No link can replace a name: it takes one of ours, for a moment. */
static bool
link_temp(struct npyio_atomic_file *w)
{
	for (int n = 0; n < MAX_TEMP_NAMES; n++) {
		temp_name(w, n);
		if (link_nameless(w, w->temp))
			return true;
		w->temp[0] = '\0';
		if (errno != EEXIST)
			break;
	}
	return false;
}

static void
remove_temp(struct npyio_atomic_file *w)
{
	int sys = errno;

	if (w->temp[0] && !w->stays)
		unlinkat(w->at.dir, w->temp, 0);
	w->temp[0] = '\0';
	npyio_cleanup_disarm(w->temp);
	errno = sys;
}

/* In one step as others see it, and as signals do. */
static bool
rename_temp(struct npyio_atomic_file *w, bool clobber)
{
	int dir = w->at.dir;
	bool done;

	npyio_cleanup_begin();
	done = w->temp[0] || link_temp(w);
	if (done)
		done = clobber ? renameat(dir, w->temp, dir, w->at.name) == 0
			       : rename_new(w);
	if (done)
		w->temp[0] = '\0';
	remove_temp(w);
	npyio_cleanup_end();
	return done;
}

static bool
give_name(struct npyio_atomic_file *w, bool clobber)
{
	if (!w->temp[0] && !w->at.exists && link_nameless(w, w->at.name))
		return true;
	/* Somebody else may have made a file of that name meanwhile. */
	if (!w->temp[0] && !w->at.exists && (errno != EEXIST || !clobber))
		return false;
	return rename_temp(w, clobber);
}

/* ---- the end ------------------------------------------------------------- */

/* Errors that only a close tells of, while the file can still be dropped. */
static enum tsl_status
close_copy(const struct npyio_atomic_file *w, struct tsl_error *err)
{
	int copy = fcntl(w->fd, F_DUPFD_CLOEXEC, 3);

	return copy < 0 || (close(copy) != 0 && errno != EINTR)
		       ? npyio_fail_sys(err, "cannot write")
		       : TSL_OK;
}

/*
 * The new name itself is durable only once the directory is.  That it can be
 * opened is found out while the old file is still there.
 */
static enum tsl_status
open_directory(const struct npyio_atomic_file *w, int *dir,
	       struct tsl_error *err)
{
	*dir = openat(w->at.dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return *dir < 0 ? npyio_fail_sys(err, "cannot sync the directory")
			: TSL_OK;
}

static enum tsl_status
sync_directory(int dir, struct tsl_error *err)
{
	bool failed = fsync(dir) != 0 && errno != EINVAL;
	enum tsl_status status = TSL_OK;

	if (failed)
		status = npyio_fail_sys(
			err, "is written, but may not outlast a power cut");
	close(dir);
	return status;
}

enum tsl_status
npyio_atomic_file_appear(struct npyio_atomic_file *w, bool clobber, bool sync,
			 struct tsl_error *err)
{
	enum tsl_status status = set_rights(w, err);
	int dir = -1;

	if (!status && sync)
		status = npyio_fd_sync(w->fd, err);
	if (!status)
		status = close_copy(w, err);
	if (!status && sync)
		status = open_directory(w, &dir, err);
	if (!status && !give_name(w, clobber))
		status = npyio_fail_sys(err, "cannot name the finished file");
	if (!status && sync)
		return sync_directory(dir, err);
	if (dir >= 0)
		close(dir);
	return status;
}

void
npyio_atomic_file_close(struct npyio_atomic_file *w)
{
	if (w->fd >= 0)
		close(w->fd);
	w->fd = -1;
	if (w->temp[0]) {
		npyio_cleanup_begin();
		remove_temp(w);
		npyio_cleanup_end();
	}
	npyio_output_path_close(&w->at);
}
