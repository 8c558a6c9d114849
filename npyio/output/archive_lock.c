/*
 * archive_lock.c - of those who replace an archive at once one is alone
 */
#define _DEFAULT_SOURCE /* flock */
#include "archive_lock.h"

#include "npyio/file/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

/* So often, 10 ms apart, a look is taken whether another one is done. */
#define MAX_LOOKS 100

/* Who runs us gives us few descriptors, and low ones. */
#define MAX_INHERITED 256

static bool
is_locked(int fd)
{
	return flock(fd, LOCK_EX | LOCK_NB) == 0;
}

/* A script may lock the archive, and what it runs has its descriptor. */
static bool
is_locked_for_us(const struct npyio_archive *old)
{
	struct stat st;

	for (int fd = 0; fd < MAX_INHERITED; fd++)
		if (fstat(fd, &st) == 0 && npyio_archive_is_file(old, &st) &&
		    is_locked(fd))
			return true;
	return false;
}

/* Whether it is locked in the end; errno: EWOULDBLOCK if somebody has it. */
static bool
await_lock(int fd, const struct npyio_archive *old)
{
	const struct timespec nap = { .tv_nsec = 10 * 1000 * 1000 };

	if (is_locked(fd))
		return true;
	if (errno != EWOULDBLOCK)
		return false;
	for (int i = 0; i < MAX_LOOKS; i++) {
		if (is_locked(fd) || is_locked_for_us(old))
			return true;
		nanosleep(&nap, NULL);
	}
	errno = EWOULDBLOCK;
	return false;
}

enum tsl_status
npyio_archive_lock(const struct npyio_archive *old,
		   const struct npyio_output_path *at, int *own,
		   struct tsl_error *err)
{
	struct npyio_archive_records records;

	*own = -1;
	npyio_archive_records(old, &records);
	if (await_lock(records.fd, old))
		return TSL_OK;
	/* NFS locks only what is open for writing. */
	if (errno == EBADF) {
		*own = openat(at->dir, at->name,
			      O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK |
				      O_NOFOLLOW);
		if (*own < 0 || await_lock(*own, old))
			return TSL_OK;
	}
	return errno != EWOULDBLOCK
		       ? TSL_OK
		       : tsl_fail(err, TSL_EIO,
				  "the archive is locked by somebody else, "
				  "and stays as it is");
}
