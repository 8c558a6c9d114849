/*
 * lock.c - a file that one process has for itself, as flock(2) has it
 */
#define _DEFAULT_SOURCE /* flock */
#include "lock.h"

#include <errno.h>
#include <sys/file.h>
#include <time.h>

/* So often, 10 ms apart, a look is taken whether another one is done. */
#define MAX_LOOKS 100

int
npyio_lock(int fd)
{
	return flock(fd, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
}

int
npyio_lock_await(int fd)
{
	const struct timespec nap = { .tv_nsec = 10 * 1000 * 1000 };
	int failed = npyio_lock(fd);

	for (int i = 0; i < MAX_LOOKS && failed == EWOULDBLOCK; i++) {
		nanosleep(&nap, NULL);
		failed = npyio_lock(fd);
	}
	return failed;
}
