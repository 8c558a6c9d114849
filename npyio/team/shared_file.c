/*
 * shared_file.c - a file that appears whole or not at all, written by several
 * processes at once
 */
#define _GNU_SOURCE /* O_NOFOLLOW, statx() */
#include "shared_file.h"

#include "npyio/file/cleanup.h"
#include "npyio/file/fd.h"
#include "team_output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void
npyio_shared_file_init(struct npyio_shared_file *j, const char *path)
{
	*j = (struct npyio_shared_file){
		.path = path,
		.file = { .at = { .dir = AT_FDCWD }, .fd = -1, .named = true }
	};
}

static enum tsl_status
describe(const struct npyio_atomic_file *w, struct npyio_shared_file_id *file,
	 struct tsl_error *err)
{
	struct stat st;

	if (fstat(w->fd, &st) != 0)
		return npyio_fail_sys(err, "cannot look at what is written");
	/* All of its bytes go to other processes. */
	memset(file, 0, sizeof(*file));
	snprintf(file->name, sizeof(file->name), "%s", w->temp);
	file->inode = st.st_ino;
	file->owner = st.st_uid;
	file->seconds = st.st_mtim.tv_sec;
	file->nanoseconds = st.st_mtim.tv_nsec;
	return TSL_OK;
}

enum tsl_status
npyio_shared_file_create(struct npyio_shared_file *j, bool no_clobber,
			 struct npyio_shared_file_id *file,
			 struct tsl_error *err)
{
	enum tsl_status status =
		npyio_team_output_find(&j->file, j->path, no_clobber, err);

	if (!status)
		status = npyio_atomic_file_open(&j->file, err);
	if (!status)
		status = describe(&j->file, file, err);
	return tsl_about_new(status, j->path, err);
}

/*
 * A file of that name may be what a process of another host has left.  Not all
 * file systems have one number for a file on all hosts, but then one time.
 */
static enum tsl_status
check_same(int fd, const struct npyio_shared_file_id *file,
	   struct tsl_error *err)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return npyio_fail_sys(err, "cannot look at what is written");
	if (S_ISREG(st.st_mode) && st.st_size == 0 &&
	    st.st_uid == file->owner &&
	    (st.st_ino == file->inode ||
	     (st.st_mtim.tv_sec == file->seconds &&
	      st.st_mtim.tv_nsec == file->nanoseconds)))
		return TSL_OK;
	return tsl_fail(err, TSL_EIO, "its directory is not shared");
}

/* What is another's is not ours to remove. */
static enum tsl_status
open_same(struct npyio_atomic_file *w, const struct npyio_shared_file_id *file,
	  struct tsl_error *err)
{
	enum tsl_status status;

	w->fd = openat(w->at.dir, file->name,
		       O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (w->fd < 0)
		return errno == ENOENT
			       ? tsl_fail(err, TSL_EIO,
					  "its directory is not shared")
			       : npyio_fail_sys(err, "cannot open what is "
						     "written");
	status = check_same(w->fd, file, err);
	if (status)
		return status;
	snprintf(w->temp, sizeof(w->temp), "%s", file->name);
	npyio_cleanup_arm(w->at.dir, w->temp);
	return TSL_OK;
}

enum tsl_status
npyio_shared_file_enter(struct npyio_shared_file *j,
			const struct npyio_shared_file_id *file,
			struct tsl_error *err)
{
	enum tsl_status status =
		npyio_output_path_find(&j->file.at, j->path, err);

	if (status)
		return tsl_about_new(status, j->path, err);
	npyio_cleanup_begin();
	status = open_same(&j->file, file, err);
	npyio_cleanup_end();
	return tsl_about_new(status, j->path, err);
}

/*
 * Nothing else is asked for: the size of a file that many write to is costly to
 * find out for a file system that has it in pieces.
 */
bool
npyio_shared_file_is_gone(const struct npyio_shared_file *j)
{
	struct statx stx;
	struct stat st;

	if (statx(j->file.fd, "", AT_EMPTY_PATH, STATX_NLINK, &stx) == 0)
		return stx.stx_nlink == 0;
	return fstat(j->file.fd, &st) == 0 && st.st_nlink == 0;
}

enum tsl_status
npyio_shared_file_sync(const struct npyio_shared_file *j, struct tsl_error *err)
{
	return tsl_about_new(npyio_fd_sync(j->file.fd, err), j->path, err);
}

enum tsl_status
npyio_shared_file_appear(struct npyio_shared_file *j, bool clobber, bool sync,
			 struct tsl_error *err)
{
	return tsl_about_new(
		npyio_atomic_file_appear(&j->file, clobber, sync, err), j->path,
		err);
}

void
npyio_shared_file_release(struct npyio_shared_file *j)
{
	npyio_cleanup_begin();
	npyio_cleanup_disarm(j->file.temp);
	npyio_cleanup_end();
	j->file.temp[0] = '\0';
}

void
npyio_shared_file_close(struct npyio_shared_file *j)
{
	npyio_atomic_file_close(&j->file);
}
