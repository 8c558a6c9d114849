/*
 * kernel_copy.h - from one file to another without coming through memory
 *
 * What stands in both at offsets that agree modulo a block of the file system
 * need not be copied: both files can have the same blocks, until one of them
 * is written to.  Where the file system knows no such thing, and offsets agree
 * modulo a page, the kernel copies once what we would copy twice: a server for
 * both of its files, and else 1.1 to 1.3 times as fast as one thread of ours on
 * ext4 and tmpfs, but only 0.7 to 0.9 times as fast as two, since it lets one
 * in at a time.  (It leaves smaller pieces in the page cache, as cp does, which
 * take longer to map, to who picks elements from the output right away.)
 * Offsets that do not agree it copies no faster than we do.
 *
 * All of this is an attempt.  What could not be done is to be read and written,
 * which tells what is wrong, if anything is.
 */
#ifndef NPYIO_KERNEL_COPY_H
#define NPYIO_KERNEL_COPY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* What has been found out about a file that is written; by any thread. */
struct npyio_kernel_copy {
	atomic_bool cannot_reflink, cannot_copy;
};

/* For fewer bytes the call, and one extent more, cost more than a copy. */
#define NPYIO_MIN_SHARED ((int64_t)256 * 1024)

/* npyio_kernel_copy_block() is what files are shared by; 0 where that is
 * unknown. */
int64_t npyio_kernel_copy_block(int fd);

/*
 * npyio_kernel_copy_reflink() has the n bytes at 'at' of the file 'to' be, as
 * far as they are whole blocks, those at 'lo' of the file 'from'.  Returns how
 * many are, and how many bytes come before them; 0, and nothing of 'to' has
 * changed that is not in these n bytes, where it cannot be.
 */
int64_t npyio_kernel_copy_reflink(struct npyio_kernel_copy *d, int from,
				  int64_t lo, int to, int64_t at, int64_t n,
				  int64_t *before);

/*
 * npyio_kernel_copy_pays() says whether it is faster than 'threads' of ours to
 * have the kernel copy into the file 'to'.
 */
bool npyio_kernel_copy_pays(int to, int threads);

/* npyio_kernel_copy_range() copies them, and returns how many it could. */
int64_t npyio_kernel_copy_range(struct npyio_kernel_copy *d, int from,
				int64_t lo, int to, int64_t at, int64_t n);

/*
 * npyio_kernel_copy_is_remote() says whether others keep the file, who may copy
 * by themselves, and tell of what went wrong when it is closed.
 */
bool npyio_kernel_copy_is_remote(int fd);

#endif /* NPYIO_KERNEL_COPY_H */
