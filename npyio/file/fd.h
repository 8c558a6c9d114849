/*
 * fd.h - whole reads and writes on a descriptor
 *
 * read(2) and write(2) may do less than they are asked for, be interrupted,
 * or, on a descriptor that somebody made non-blocking, have to wait.  These
 * do not return before all is done, the input ends, or an error.
 */
#ifndef NPYIO_FD_H
#define NPYIO_FD_H

#include "lib/base/status.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * npyio_fd_read() reads up to n bytes, from where the descriptor stands.
 * npyio_fd_pread() reads them at 'offset'.  '*got' is less than n only where
 * the input ends.  Return TSL_OK, or TSL_EIO with errno in 'err'.
 */
enum tsl_status TSL_MUST_USE npyio_fd_read(int fd, void *buf, size_t n,
					   size_t *got, struct tsl_error *err);
enum tsl_status TSL_MUST_USE npyio_fd_pread(int fd, void *buf, size_t n,
					    int64_t offset, size_t *got,
					    struct tsl_error *err);

/* npyio_fd_write() and npyio_fd_pwrite() write all n bytes. */
enum tsl_status TSL_MUST_USE npyio_fd_write(int fd, const void *buf, size_t n,
					    struct tsl_error *err);
enum tsl_status TSL_MUST_USE npyio_fd_pwrite(int fd, const void *buf, size_t n,
					     int64_t offset,
					     struct tsl_error *err);

/*
 * npyio_fd_is_at_hand() says whether the byte at 'offset' can be read without
 * waiting for a disk, or that this cannot be known.  npyio_fd_expect() has the
 * kernel begin to read n bytes there, as far as it likes to.
 */
bool npyio_fd_is_at_hand(int fd, int64_t offset);
void npyio_fd_expect(int fd, int64_t offset, int64_t n);

/* npyio_fd_sync() is fsync(2), where there is something to sync. */
enum tsl_status TSL_MUST_USE npyio_fd_sync(int fd, struct tsl_error *err);

/*
 * npyio_fd_again() says whether a call that failed is to be made again, after
 * having waited for POLLIN or POLLOUT if need be.
 */
bool npyio_fd_again(int fd, short events);

/* npyio_fail_sys() is tsl_fail() for a system call that set errno. */
enum tsl_status npyio_fail_sys(struct tsl_error *err, const char *what);

#endif /* NPYIO_FD_H */
