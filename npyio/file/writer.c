/*
 * writer.c - an output that appears whole or not at all
 */
#define _GNU_SOURCE /* fallocate, renameat2, splice */
#include "writer.h"

#include "cleanup.h"
#include "fd.h"
#include "spool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Less is written as fast without having been reserved. */
#define MIN_RESERVED (256 * 1024)

/* Asked for, for pipes. */
#define PIPE_NBYTES (1024 * 1024)

/* Other processes' leftovers may hold this many names of ours. */
#define MAX_TEMP_NAMES 10000

struct npyio_writer {
	struct npyio_writer_options options;
	const char *path; /* as the user gave it */
	char *target; /* what is to be replaced; NULL: written in place */
	char *temp; /* while it exists */
	int fd;
	mode_t mode; /* of the finished file */
	bool replaces; /* an existing file, whose owner and group are kept */
	uid_t uid;
	gid_t gid;
	int dir; /* to be synced; -1: not */
	bool is_spool;
	bool is_pipe;
	int64_t base; /* in the file, of the array that is being written */
};

static enum tsl_status
about(const struct npyio_writer *w, enum tsl_status status,
      struct tsl_error *err)
{
	if (status && err)
		err->subject = w->path;
	return status;
}

static enum tsl_status
fail(const struct npyio_writer *w, const char *what, struct tsl_error *err)
{
	return about(w, npyio_fail_sys(err, what), err);
}

static enum tsl_status
no_memory(const struct npyio_writer *w, struct tsl_error *err)
{
	return about(w, tsl_fail(err, TSL_EMEMORY, "out of memory"), err);
}

/* The N of /dev/fd/N and its like, or -1. */
static int
descriptor_of(const char *path)
{
	static const char *const prefixes[] = { "/dev/fd/", "/proc/self/fd/" };

	if (strcmp(path, "/dev/stdout") == 0)
		return STDOUT_FILENO;
	if (strcmp(path, "/dev/stderr") == 0)
		return STDERR_FILENO;
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		size_t n = strlen(prefixes[i]);
		char *end;
		long fd;

		if (strncmp(path, prefixes[i], n) != 0 || path[n] < '0' ||
		    path[n] > '9')
			continue;
		fd = strtol(path + n, &end, 10);
		if (*end == '\0' && fd < 1 << 20)
			return (int)fd;
	}
	return -1;
}

/*
 * A descriptor of our own for the same open file: its offset is shared, and
 * closing it tells of errors that the last write has not.
 */
static enum tsl_status
open_descriptor(struct npyio_writer *w, int fd, struct tsl_error *err)
{
	w->fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	return w->fd < 0 ? fail(w, "cannot write", err) : TSL_OK;
}

static enum tsl_status
open_in_place(struct npyio_writer *w, struct tsl_error *err)
{
	w->fd = open(w->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	return w->fd < 0 ? fail(w, "cannot open for writing", err) : TSL_OK;
}

static mode_t
mode_of_new_file(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

/* Not built from the target's name, which may already be as long as can be. */
static char *
temp_name(const char *target, int n)
{
	const char *slash = strrchr(target, '/');
	int dir = slash ? (int)(slash - target) + 1 : 0;
	size_t size = (size_t)dir + 48;
	char *name = malloc(size);

	if (name)
		snprintf(name, size, "%.*s.tslice.%ld.%d.tmp", dir, target,
			 (long)getpid(), n);
	return name;
}

/* Readable by nobody else until it is whole. */
static enum tsl_status
open_temp(struct npyio_writer *w, struct tsl_error *err)
{
	for (int n = 0; n < MAX_TEMP_NAMES; n++) {
		w->temp = temp_name(w->target, n);
		if (!w->temp)
			return no_memory(w, err);
		npyio_cleanup_begin();
		w->fd = open(w->temp,
			     O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW |
				     O_CLOEXEC,
			     0600);
		if (w->fd >= 0)
			npyio_cleanup_arm(w->temp);
		npyio_cleanup_end();
		if (w->fd >= 0)
			return TSL_OK;
		free(w->temp);
		w->temp = NULL;
		if (errno != EEXIST)
			break;
	}
	return fail(w, "cannot create a file beside it", err);
}

/* What may be replaced, given that it exists. */
static enum tsl_status
check_existing(struct npyio_writer *w, const struct stat *st,
	       struct tsl_error *err)
{
	if (w->options.no_clobber) {
		errno = EEXIST;
		return fail(w, "not replaced", err);
	}
	/* The directory may allow a rename over a file that may not change. */
	if (faccessat(AT_FDCWD, w->target, W_OK, AT_EACCESS) != 0)
		return fail(w, "not replaced", err);
	w->mode = st->st_mode & 0777;
	w->replaces = true;
	w->uid = st->st_uid;
	w->gid = st->st_gid;
	return TSL_OK;
}

/* A link stays, and what it leads to, a regular file, is replaced. */
static enum tsl_status
open_over(struct npyio_writer *w, const struct stat *st, struct tsl_error *err)
{
	enum tsl_status status;

	w->target = realpath(w->path, NULL);
	if (!w->target)
		return fail(w, "cannot write", err);
	status = check_existing(w, st, err);
	return status ? status : open_temp(w, err);
}

static enum tsl_status
open_new(struct npyio_writer *w, struct tsl_error *err)
{
	w->mode = mode_of_new_file();
	w->target = strdup(w->path);
	return w->target ? open_temp(w, err) : no_memory(w, err);
}

static enum tsl_status
open_file(struct npyio_writer *w, struct tsl_error *err)
{
	size_t len = strlen(w->path);
	struct stat st;

	if (len > 0 && w->path[len - 1] == '/') {
		errno = EISDIR;
		return fail(w, "cannot write", err);
	}
	if (len > 0 && lstat(w->path, &st) != 0 && errno == ENOENT)
		return open_new(w, err);
	/* There is something; a link that leads nowhere fails here. */
	if (stat(w->path, &st) != 0)
		return fail(w, "cannot write", err);
	if (S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		return fail(w, "cannot write", err);
	}
	return S_ISREG(st.st_mode) ? open_over(w, &st, err)
				   : open_in_place(w, err);
}

/* A larger pipe has both its ends wait less; not everybody may have one. */
static void
look_at_pipe(struct npyio_writer *w)
{
	struct stat st;

	w->is_pipe =
		!w->target && fstat(w->fd, &st) == 0 && S_ISFIFO(st.st_mode);
	if (w->is_pipe)
		(void)fcntl(w->fd, F_SETPIPE_SZ, PIPE_NBYTES);
}

enum tsl_status
npyio_writer_open(struct npyio_writer **writer_new, const char *path,
		  const struct npyio_writer_options *options,
		  struct tsl_error *err)
{
	struct npyio_writer *w = calloc(1, sizeof(*w));
	bool standard = !path || strcmp(path, "-") == 0;
	int fd = standard ? STDOUT_FILENO : descriptor_of(path);
	enum tsl_status status;

	*writer_new = NULL;
	if (!w)
		return tsl_fail(err, TSL_EMEMORY, "out of memory");
	w->options = *options;
	w->path = standard ? "standard output" : path;
	w->fd = -1;
	w->dir = -1;
	status = fd >= 0 ? open_descriptor(w, fd, err) : open_file(w, err);
	if (status) {
		npyio_writer_abort(w);
		return status;
	}
	look_at_pipe(w);
	*writer_new = w;
	return TSL_OK;
}

enum tsl_status
npyio_writer_open_spool(struct npyio_writer **writer_new, struct tsl_error *err)
{
	struct npyio_writer *w = calloc(1, sizeof(*w));
	enum tsl_status status;

	*writer_new = NULL;
	if (!w)
		return tsl_fail(err, TSL_EMEMORY, "out of memory");
	w->path = npyio_spool_directory();
	w->dir = -1;
	w->is_spool = true;
	status = npyio_spool_open(&w->fd, err);
	if (status)
		npyio_writer_abort(w);
	else
		*writer_new = w;
	return status;
}

int
npyio_writer_descriptor(const struct npyio_writer *w)
{
	return w->fd;
}

bool
npyio_writer_is_positional(const struct npyio_writer *w)
{
	return w->target != NULL || w->is_spool;
}

int64_t
npyio_writer_best_size(const struct npyio_writer *w)
{
	/* What is more than a pipe holds only keeps its reader waiting. */
	return w->is_pipe ? PIPE_NBYTES / 4 : INT64_MAX;
}

bool
npyio_writer_stat(const struct npyio_writer *w, struct stat *st)
{
	return fstat(w->fd, st) == 0;
}

/*
 * What there cannot be is not even begun: until it fails fallocate(2) takes all
 * there is, from everybody.  Where it is not supported less may do, as when
 * the file system compresses.
 */
static bool
is_too_large(const struct npyio_writer *w, int64_t nbytes)
{
	struct statvfs st;

	return fstatvfs(w->fd, &st) == 0 && st.f_frsize > 0 &&
	       (uint64_t)nbytes / st.f_frsize > st.f_bavail &&
	       fallocate(w->fd, 0, w->base, 1) == 0;
}

enum tsl_status
npyio_writer_reserve(struct npyio_writer *w, int64_t nbytes,
		     struct tsl_error *err)
{
	if (!npyio_writer_is_positional(w) || nbytes < MIN_RESERVED)
		return TSL_OK;
	if (is_too_large(w, nbytes)) {
		errno = ENOSPC;
		return fail(w, "cannot write", err);
	}
	/*
	 * fallocate(2) itself: posix_fallocate() would write zeros where the
	 * file system cannot reserve.
	 */
	while (fallocate(w->fd, 0, w->base, nbytes) != 0) {
		if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG ||
		    errno == EIO)
			return fail(w, "cannot write", err);
		if (errno != EINTR)
			break;
	}
	return TSL_OK;
}

enum tsl_status
npyio_writer_next(struct npyio_writer *w, struct tsl_error *err)
{
	struct stat st;

	if (!npyio_writer_is_positional(w))
		return TSL_OK;
	if (fstat(w->fd, &st) != 0)
		return fail(w, "cannot write", err);
	w->base = st.st_size;
	return TSL_OK;
}

bool
npyio_writer_is_pipe(const struct npyio_writer *w)
{
	return w->is_pipe;
}

enum tsl_status
npyio_writer_splice(struct npyio_writer *w, int fd, int64_t offset, int64_t n,
		    int64_t *done, struct tsl_error *err)
{
	*done = 0;
	while (*done < n) {
		off_t at = offset + *done;
		ssize_t r = splice(fd, &at, w->fd, NULL, (size_t)(n - *done),
				   SPLICE_F_MOVE);

		if (r == 0 || (r < 0 && errno == EINVAL))
			break;
		if (r > 0)
			*done += r;
		else if (!npyio_fd_again(w->fd, POLLOUT))
			return fail(w, "cannot write", err);
	}
	return TSL_OK;
}

enum tsl_status
npyio_writer_put(struct npyio_writer *w, const void *bytes, size_t n,
		 int64_t offset, struct tsl_error *err)
{
	if (npyio_writer_is_positional(w))
		return about(
			w,
			npyio_fd_pwrite(w->fd, bytes, n, w->base + offset, err),
			err);
	return about(w, npyio_fd_write(w->fd, bytes, n, err), err);
}

static enum tsl_status
close_fd(struct npyio_writer *w, struct tsl_error *err)
{
	int fd = w->fd;

	w->fd = -1;
	return close(fd) != 0 && errno != EINTR ? fail(w, "cannot write", err)
						: TSL_OK;
}

static enum tsl_status
sync_fd(struct npyio_writer *w, struct tsl_error *err)
{
	/* A pipe or a terminal has nothing to sync. */
	if (!w->options.sync || fsync(w->fd) == 0 || errno == EINVAL ||
	    errno == EROFS)
		return TSL_OK;
	return fail(w, "cannot sync", err);
}

/*
 * The new name itself is durable only once the directory is.  That it can be
 * opened is found out while the old file is still there.
 */
static enum tsl_status
open_directory(struct npyio_writer *w, struct tsl_error *err)
{
	const char *slash = strrchr(w->target, '/');
	char *dir;

	if (!w->options.sync)
		return TSL_OK;
	dir = !slash ? strdup(".")
		     : strndup(w->target,
			       slash == w->target
				       ? 1
				       : (size_t)(slash - w->target));
	if (!dir)
		return no_memory(w, err);
	w->dir = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(dir);
	return w->dir < 0 ? fail(w, "cannot sync the directory", err) : TSL_OK;
}

static enum tsl_status
sync_directory(struct npyio_writer *w, struct tsl_error *err)
{
	if (w->dir < 0 || fsync(w->dir) == 0 || errno == EINVAL)
		return TSL_OK;
	return fail(w, "is written, but may not outlast a power cut", err);
}

/*
 * A file that replaces another keeps its owner and group, as far as we may
 * give them.  What the group was allowed is not for another group.
 */
static enum tsl_status
set_owner_and_mode(struct npyio_writer *w, struct tsl_error *err)
{
	struct stat st;

	if (!w->temp)
		return TSL_OK;
	if (w->replaces && fstat(w->fd, &st) != 0)
		return fail(w, "cannot set the owner", err);
	if (w->replaces && (st.st_uid != w->uid || st.st_gid != w->gid) &&
	    fchown(w->fd, w->uid, w->gid) != 0 && st.st_gid != w->gid &&
	    fchown(w->fd, (uid_t)-1, w->gid) != 0)
		w->mode &= ~(mode_t)070;
	return fchmod(w->fd, w->mode) != 0 ? fail(w, "cannot set the mode", err)
					   : TSL_OK;
}

/*
 * Gives the file its name only if there is none of it.  Not every file system
 * can rename so, and not every one has links.
 */
static bool
rename_new(const char *from, const char *to)
{
	int sys;

	if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
		return true;
	if (errno != EINVAL && errno != ENOSYS)
		return false;
	if (link(from, to) != 0)
		return false;
	if (unlink(from) == 0 || errno == ENOENT)
		return true;
	/* With two names it would be litter, too. */
	sys = errno;
	unlink(to);
	errno = sys;
	return false;
}

/* Gives the file its name, in one step as others see it. */
static enum tsl_status
publish(struct npyio_writer *w, struct tsl_error *err)
{
	bool done;
	int sys;

	npyio_cleanup_begin();
	done = w->options.no_clobber ? rename_new(w->temp, w->target)
				     : rename(w->temp, w->target) == 0;
	sys = errno;
	if (done) {
		npyio_cleanup_disarm();
		free(w->temp);
		w->temp = NULL;
	}
	npyio_cleanup_end();
	errno = sys;
	return done ? TSL_OK : fail(w, "cannot rename the finished file", err);
}

enum tsl_status
npyio_writer_commit(struct npyio_writer *w, struct tsl_error *err)
{
	enum tsl_status status = set_owner_and_mode(w, err);

	if (!status)
		status = sync_fd(w, err);
	if (!status)
		status = close_fd(w, err);
	if (!status && w->target)
		status = open_directory(w, err);
	if (!status && w->temp)
		status = publish(w, err);
	if (!status)
		status = sync_directory(w, err);
	npyio_writer_abort(w);
	return status;
}

void
npyio_writer_abort(struct npyio_writer *w)
{
	if (!w)
		return;
	if (w->fd >= 0)
		close(w->fd);
	if (w->dir >= 0)
		close(w->dir);
	if (w->temp) {
		npyio_cleanup_begin();
		unlink(w->temp);
		npyio_cleanup_disarm();
		npyio_cleanup_end();
	}
	free(w->temp);
	free(w->target);
	free(w);
}
