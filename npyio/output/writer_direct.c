/*
 * writer_direct.c - what a writer has the kernel do: room, blocks, copies
 */
#define _GNU_SOURCE /* fallocate, splice */
#include "npyio/file/fd.h"
#include "writer_private.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Less is written as fast without having been reserved. */
#define MIN_RESERVED (256 * 1024)

/* Returns whether so much is reserved; if not, errno says why. */
static bool
reserve(const struct npyio_writer *w, int64_t offset, int64_t nbytes)
{
	bool done;

	npyio_writer_critical_enter(w);
	/*
	 * fallocate(2) itself: posix_fallocate() would write zeros where the
	 * file system cannot reserve.
	 */
	done = fallocate(w->fd, 0, w->base + offset, nbytes) == 0;
	npyio_writer_critical_leave(w);
	return done;
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
	       (uint64_t)nbytes / st.f_frsize > st.f_bavail && reserve(w, 0, 1);
}

enum tsl_status
npyio_writer_reserve(struct npyio_writer *w, int64_t offset, int64_t nbytes,
		     struct tsl_error *err)
{
	if (!npyio_writer_is_positional(w) || nbytes < MIN_RESERVED)
		return TSL_OK;
	if (is_too_large(w, nbytes)) {
		errno = ENOSPC;
		return npyio_writer_fail(w, "cannot write", err);
	}
	return npyio_writer_reserve_range(w, offset, nbytes, err);
}

enum tsl_status
npyio_writer_reserve_range(struct npyio_writer *w, int64_t offset,
			   int64_t nbytes, struct tsl_error *err)
{
	while (!reserve(w, offset, nbytes)) {
		if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG ||
		    errno == EIO)
			return npyio_writer_fail(w, "cannot write", err);
		if (errno != EINTR)
			break;
	}
	return TSL_OK;
}

enum tsl_status
npyio_writer_leave_hole(struct npyio_writer *w, int64_t offset, int64_t nbytes,
			struct tsl_error *err)
{
	while (ftruncate(w->fd, w->base + offset + nbytes) != 0)
		if (errno != EINTR)
			return npyio_writer_fail(w, "cannot write", err);
	return TSL_OK;
}

bool
npyio_writer_may_reflink(const struct npyio_writer *w)
{
	return npyio_writer_is_positional(w) &&
	       !atomic_load(&w->direct.cannot_reflink);
}

int64_t
npyio_writer_block(const struct npyio_writer *w)
{
	return npyio_writer_may_reflink(w) ? npyio_kernel_copy_block(w->fd) : 0;
}

int64_t
npyio_writer_reflink(struct npyio_writer *w, int fd, int64_t lo, int64_t n,
		     int64_t offset, int64_t *before)
{
	int64_t shared;

	if (!npyio_writer_is_positional(w))
		return 0;
	npyio_writer_critical_enter(w);
	shared = npyio_kernel_copy_reflink(&w->direct, fd, lo, w->fd,
					   w->base + offset, n, before);
	npyio_writer_critical_leave(w);
	return shared;
}

int64_t
npyio_writer_copy(struct npyio_writer *w, int fd, int64_t lo, int64_t n,
		  int64_t offset, int threads)
{
	int64_t copied;

	if (!npyio_writer_is_positional(w) ||
	    !npyio_kernel_copy_pays(w->fd, threads))
		return 0;
	npyio_writer_critical_enter(w);
	copied = npyio_kernel_copy_range(&w->direct, fd, lo, w->fd,
					 w->base + offset, n);
	npyio_writer_critical_leave(w);
	return copied;
}

int64_t
npyio_writer_splice(struct npyio_writer *w, int fd, int64_t offset, int64_t n)
{
	int64_t done = 0;

	while (done < n) {
		off_t at = offset + done;
		ssize_t r = splice(fd, &at, w->fd, NULL, (size_t)(n - done),
				   SPLICE_F_MOVE);

		if (r > 0)
			done += r;
		else if (r == 0 || !npyio_fd_again(w->fd, POLLOUT))
			break;
	}
	return done;
}
