/*
 * spool.c - room on disk for what does not fit into memory
 */
#define _GNU_SOURCE /* O_TMPFILE */
#include "spool.h"

#include "cleanup.h"
#include "fd.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Not every file system can make files without a name: take it away again. */
static int
make_and_unlink(const char *dir)
{
	char path[4096];
	int fd, n;

	n = snprintf(path, sizeof(path), "%s/.tslice.XXXXXX", dir);
	if (n < 0 || (size_t)n >= sizeof(path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	npyio_cleanup_begin();
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	npyio_cleanup_end();
	return fd;
}

const char *
npyio_spool_directory(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && *dir ? dir : "/tmp";
}

enum tsl_status
npyio_spool_open(int *fd, struct tsl_error *err)
{
	const char *dir = npyio_spool_directory();

	*fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (*fd < 0 && errno != ENOENT && errno != EACCES && errno != ENOSPC)
		*fd = make_and_unlink(dir);
	if (*fd >= 0)
		return TSL_OK;
	return tsl_about(
		npyio_fail_sys(err, "cannot make a temporary file there"), dir,
		err);
}

/* ---- one file for many --------------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int shared = -1;
static int users;
static int64_t used;

static enum tsl_status
share(int *fd, int64_t *offset, int64_t nbytes, struct tsl_error *err)
{
	enum tsl_status status =
		users == 0 ? npyio_spool_open(&shared, err) : TSL_OK;

	if (status)
		return status;
	users++;
	*fd = shared;
	*offset = used;
	used += nbytes;
	return TSL_OK;
}

enum tsl_status
npyio_spool_share(int *fd, int64_t *offset, int64_t nbytes,
		  struct tsl_error *err)
{
	enum tsl_status status;

	pthread_mutex_lock(&lock);
	status = share(fd, offset, nbytes, err);
	pthread_mutex_unlock(&lock);
	return status;
}

void
npyio_spool_unshare(void)
{
	pthread_mutex_lock(&lock);
	if (--users == 0) {
		close(shared);
		used = 0;
	}
	pthread_mutex_unlock(&lock);
}
