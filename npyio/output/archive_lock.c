/*
 * archive_lock.c - of those who replace an archive at once one is alone
 */
#include "archive_lock.h"

#include "npyio/file/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>

/* Who runs us gives us few descriptors, and low ones. */
#define MAX_INHERITED 256

/* A script may lock the archive, and what it runs has its descriptor. */
static bool
is_locked_for_us(const struct npyio_archive *old)
{
	struct stat st;

	for (int fd = 0; fd < MAX_INHERITED; fd++)
		if (fstat(fd, &st) == 0 && npyio_archive_is_file(old, &st) &&
		    npyio_lock(fd) == 0)
			return true;
	return false;
}

/* Returns 0, or what npyio_lock() does. */
static int
take_lock(int fd, const struct npyio_archive *old)
{
	int failed = npyio_lock(fd);

	if (failed != EWOULDBLOCK)
		return failed;
	return is_locked_for_us(old) ? 0 : npyio_lock_await(fd);
}

enum tsl_status
npyio_archive_lock(const struct npyio_archive *old,
		   const struct npyio_output_path *at, int *own,
		   struct tsl_error *err)
{
	struct npyio_archive_records records;
	int failed;

	*own = -1;
	npyio_archive_records(old, &records);
	failed = take_lock(records.fd, old);
	/* NFS locks only what is open for writing. */
	if (failed == EBADF) {
		*own = openat(at->dir, at->name,
			      O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK |
				      O_NOFOLLOW);
		failed = *own < 0 ? 0 : take_lock(*own, old);
	}
	return failed != EWOULDBLOCK
		       ? TSL_OK
		       : tsl_fail(err, TSL_EIO,
				  "the archive is locked by somebody else, "
				  "and stays as it is");
}
