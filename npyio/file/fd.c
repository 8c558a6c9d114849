/*
 * fd.c - whole reads and writes on a descriptor
 */
#define _GNU_SOURCE /* preadv2 */
#include "fd.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/uio.h>
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

bool
npyio_fd_again(int fd, short events)
{
	struct pollfd p = { .fd = fd, .events = events };

	if (errno == EINTR)
		return true;
	if (errno != EAGAIN && errno != EWOULDBLOCK)
		return false;
	return poll(&p, 1, -1) >= 0 || errno == EINTR;
}

/* At 'offset', or with NO_OFFSET from where the descriptor stands. */
#define NO_OFFSET (-1)

static enum tsl_status
read_all(int fd, char *buf, size_t n, int64_t offset, size_t *got,
	 struct tsl_error *err)
{
	*got = 0;
	while (*got < n) {
		char *to = buf + *got;
		size_t left = n - *got;
		ssize_t r = offset == NO_OFFSET
				    ? read(fd, to, left)
				    : pread(fd, to, left, offset + (off_t)*got);

		if (r == 0)
			break;
		if (r > 0)
			*got += (size_t)r;
		else if (!npyio_fd_again(fd, POLLIN))
			return npyio_fail_sys(err, "cannot read");
	}
	return TSL_OK;
}

static enum tsl_status
write_all(int fd, const char *buf, size_t n, int64_t offset,
	  struct tsl_error *err)
{
	size_t done = 0;

	while (done < n) {
		const char *from = buf + done;
		size_t left = n - done;
		ssize_t r = offset == NO_OFFSET ? write(fd, from, left)
						: pwrite(fd, from, left,
							 offset + (off_t)done);

		if (r > 0) {
			done += (size_t)r;
			continue;
		}
		/* A device that takes nothing, and says nothing: no end. */
		if (r == 0)
			errno = EIO;
		if (!npyio_fd_again(fd, POLLOUT))
			return npyio_fail_sys(err, "cannot write");
	}
	return TSL_OK;
}

enum tsl_status
npyio_fd_read(int fd, void *buf, size_t n, size_t *got, struct tsl_error *err)
{
	return read_all(fd, buf, n, NO_OFFSET, got, err);
}

enum tsl_status
npyio_fd_pread(int fd, void *buf, size_t n, int64_t offset, size_t *got,
	       struct tsl_error *err)
{
	return read_all(fd, buf, n, offset, got, err);
}

enum tsl_status
npyio_fd_write(int fd, const void *buf, size_t n, struct tsl_error *err)
{
	return write_all(fd, buf, n, NO_OFFSET, err);
}

enum tsl_status
npyio_fd_pwrite(int fd, const void *buf, size_t n, int64_t offset,
		struct tsl_error *err)
{
	return write_all(fd, buf, n, offset, err);
}

bool
npyio_fd_is_at_hand(int fd, int64_t offset)
{
	char byte;
	struct iovec v = { .iov_base = &byte, .iov_len = 1 };

	return preadv2(fd, &v, 1, offset, RWF_NOWAIT) >= 0 || errno != EAGAIN;
}

void
npyio_fd_expect(int fd, int64_t offset, int64_t n)
{
	(void)posix_fadvise(fd, offset, n, POSIX_FADV_WILLNEED);
}

enum tsl_status
npyio_fd_sync(int fd, struct tsl_error *err)
{
	/* A pipe or a terminal has nothing to sync. */
	if (fsync(fd) == 0 || errno == EINVAL || errno == EROFS)
		return TSL_OK;
	return npyio_fail_sys(err, "cannot sync");
}
