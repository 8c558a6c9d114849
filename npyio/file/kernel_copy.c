/*
 * kernel_copy.c - from one file to another without coming through memory
 */
#define _GNU_SOURCE /* copy_file_range */
#include "kernel_copy.h"

#include <errno.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

/* Within a page of both files, what moves is a whole one. */
#define PAGE 4096

/* Less is as well written together with the header. */
#define MIN_COPIED ((int64_t)64 * 1024)

int64_t
npyio_kernel_copy_block(int fd)
{
	struct statvfs st;

	return fstatvfs(fd, &st) == 0 ? (int64_t)st.f_bsize : 0;
}

/* Not only of these two files, and these bytes of them. */
static bool
is_for_ever(int sys)
{
	return sys == EOPNOTSUPP || sys == ENOTTY || sys == ENOSYS;
}

int64_t
npyio_kernel_copy_reflink(struct npyio_kernel_copy *d, int from, int64_t lo,
			  int to, int64_t at, int64_t n, int64_t *before)
{
	struct file_clone_range range = { .src_fd = from };
	int64_t block;

	if (n < NPYIO_MIN_SHARED || atomic_load(&d->cannot_reflink))
		return 0;
	block = npyio_kernel_copy_block(to);
	if (block <= 0 || (lo - at) % block != 0)
		return 0;
	*before = (block - at % block) % block;
	n = n > *before ? (n - *before) / block * block : 0;
	if (n < NPYIO_MIN_SHARED)
		return 0;
	range.src_offset = (uint64_t)(lo + *before);
	range.src_length = (uint64_t)n;
	range.dest_offset = (uint64_t)(at + *before);
	while (ioctl(to, FICLONERANGE, &range) != 0) {
		if (errno == EINTR)
			continue;
		if (is_for_ever(errno))
			atomic_store(&d->cannot_reflink, true);
		return 0;
	}
	return n;
}

bool
npyio_kernel_copy_is_remote(int fd)
{
	struct statfs st;

	if (fstatfs(fd, &st) != 0)
		return false;
	/* As statfs(2) lists them; older headers do not have them all. */
	switch ((uint32_t)st.f_type) {
	case 0x6969: /* NFS */
	case 0xff534d42: /* CIFS */
	case 0xfe534d42: /* SMB2 */
	case 0x00c36400: /* Ceph */
	case 0x65735546: /* FUSE */
		return true;
	default:
		return false;
	}
}

bool
npyio_kernel_copy_pays(int to, int threads)
{
	return threads == 1 || npyio_kernel_copy_is_remote(to);
}

int64_t
npyio_kernel_copy_range(struct npyio_kernel_copy *d, int from, int64_t lo,
			int to, int64_t at, int64_t n)
{
	int64_t done = 0;

	if (n < MIN_COPIED || (lo - at) % PAGE != 0 ||
	    atomic_load(&d->cannot_copy))
		return 0;
	while (done < n) {
		off_t in = lo + done;
		off_t out = at + done;
		ssize_t some = copy_file_range(from, &in, to, &out,
					       (size_t)(n - done), 0);

		if (some > 0)
			done += some;
		else if (some == 0 || errno != EINTR)
			break;
	}
	/* Another file system, an old kernel: so it will be for all of it. */
	if (done == 0)
		atomic_store(&d->cannot_copy, true);
	return done;
}
