/*
 * fd.c - whole reads and writes on a descriptor
 */
#include "fd.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

_Static_assert(sizeof(off_t) == 8, "offsets are 64 bits wide");

enum tsl_status
npyio_fail_sys(struct tsl_error *err, const char *what)
{
	int sys = errno;

	tsl_fail(err, TSL_EIO, "%s", what);
	if (err)
		err->sys = sys;
	return TSL_EIO;
}

/* Whether a call that failed is to be made again, after a wait if need be. */
static bool
again(int fd, short events)
{
	struct pollfd p = { .fd = fd, .events = events };

	if (errno == EINTR)
		return true;
	if (errno != EAGAIN && errno != EWOULDBLOCK)
		return false;
	return poll(&p, 1, -1) >= 0 || errno == EINTR;
}

enum tsl_status
npyio_fd_read(int fd, void *buf, size_t n, size_t *got, struct tsl_error *err)
{
	*got = 0;
	while (*got < n) {
		ssize_t r = read(fd, (char *)buf + *got, n - *got);

		if (r == 0)
			break;
		if (r > 0)
			*got += (size_t)r;
		else if (!again(fd, POLLIN))
			return npyio_fail_sys(err, "cannot read");
	}
	return TSL_OK;
}

enum tsl_status
npyio_fd_pread(int fd, void *buf, size_t n, int64_t offset, size_t *got,
	       struct tsl_error *err)
{
	*got = 0;
	while (*got < n) {
		ssize_t r = pread(fd, (char *)buf + *got, n - *got,
				  offset + (int64_t)*got);

		if (r == 0)
			break;
		if (r > 0)
			*got += (size_t)r;
		else if (!again(fd, POLLIN))
			return npyio_fail_sys(err, "cannot read");
	}
	return TSL_OK;
}

enum tsl_status
npyio_fd_write(int fd, const void *buf, size_t n, struct tsl_error *err)
{
	size_t done = 0;

	while (done < n) {
		ssize_t r = write(fd, (const char *)buf + done, n - done);

		if (r >= 0)
			done += (size_t)r;
		else if (!again(fd, POLLOUT))
			return npyio_fail_sys(err, "cannot write");
	}
	return TSL_OK;
}

enum tsl_status
npyio_fd_pwrite(int fd, const void *buf, size_t n, int64_t offset,
		struct tsl_error *err)
{
	size_t done = 0;

	while (done < n) {
		ssize_t r = pwrite(fd, (const char *)buf + done, n - done,
				   offset + (int64_t)done);

		if (r >= 0)
			done += (size_t)r;
		else if (!again(fd, POLLOUT))
			return npyio_fail_sys(err, "cannot write");
	}
	return TSL_OK;
}
