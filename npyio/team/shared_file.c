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
#include <unistd.h>

static enum tsl_status
about(const struct npyio_shared_file *j, enum tsl_status status,
      struct tsl_error *err)
{
	if (status && err && !err->subject)
		err->subject = j->path;
	return status;
}

void
npyio_shared_file_init(struct npyio_shared_file *j, const char *path)
{
	*j = (struct npyio_shared_file){
		.path = path,
		.whole = { .at = { .dir = AT_FDCWD }, .fd = -1, .named = true }
	};
}

enum tsl_status
npyio_shared_file_create(struct npyio_shared_file *j, bool no_clobber,
			 struct tsl_error *err)
{
	enum tsl_status status =
		npyio_team_output_find(&j->whole, j->path, no_clobber, err);

	if (!status)
		status = npyio_atomic_file_open(&j->whole, err);
	return about(j, status, err);
}

enum tsl_status
npyio_shared_file_enter(struct npyio_shared_file *j, const char *name,
			struct tsl_error *err)
{
	struct npyio_atomic_file *w = &j->whole;
	enum tsl_status status = npyio_output_path_find(&w->at, j->path, err);

	if (status)
		return about(j, status, err);
	npyio_cleanup_begin();
	w->fd = openat(w->at.dir, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	if (w->fd >= 0) {
		snprintf(w->temp, sizeof(w->temp), "%s", name);
		npyio_cleanup_arm(w->at.dir, w->temp);
	}
	npyio_cleanup_end();
	if (w->fd >= 0)
		return TSL_OK;
	status = errno == ENOENT
			 ? tsl_fail(err, TSL_EIO, "its directory is not shared")
			 : npyio_fail_sys(err, "cannot open what is written");
	return about(j, status, err);
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

	if (statx(j->whole.fd, "", AT_EMPTY_PATH, STATX_NLINK, &stx) == 0)
		return stx.stx_nlink == 0;
	return fstat(j->whole.fd, &st) == 0 && st.st_nlink == 0;
}

enum tsl_status
npyio_shared_file_sync(const struct npyio_shared_file *j, struct tsl_error *err)
{
	return about(j, npyio_fd_sync(j->whole.fd, err), err);
}

enum tsl_status
npyio_shared_file_appear(struct npyio_shared_file *j, bool clobber, bool sync,
			 struct tsl_error *err)
{
	return about(j, npyio_atomic_file_appear(&j->whole, clobber, sync, err),
		     err);
}

void
npyio_shared_file_release(struct npyio_shared_file *j)
{
	npyio_cleanup_begin();
	npyio_cleanup_disarm();
	npyio_cleanup_end();
	j->whole.temp[0] = '\0';
}

void
npyio_shared_file_close(struct npyio_shared_file *j)
{
	npyio_atomic_file_close(&j->whole);
}
