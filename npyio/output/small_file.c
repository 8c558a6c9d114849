/*
 * small_file.c - a small file that appears whole or not at all
 */
#define _GNU_SOURCE /* O_TMPFILE */
#include "small_file.h"

#include "npyio/file/fd.h"
#include "npyio/file/kernel_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

void
npyio_small_files_begin(struct npyio_small_files *f, int dir)
{
	f->tells_late = npyio_kernel_copy_is_remote(dir);
	atomic_init(&f->needs_number, false);
	/* A path from the root would be walked for each of them. */
	f->by_number = open("/proc/self/fd", O_PATH | O_DIRECTORY | O_CLOEXEC);
}

void
npyio_small_files_end(struct npyio_small_files *f)
{
	if (f->by_number >= 0)
		close(f->by_number);
	f->by_number = -1;
}

/* See atomic_file.c: kernels and file systems that know nothing of it. */
static bool
is_unknown(int sys)
{
	return sys == EOPNOTSUPP || sys == EISDIR || sys == EINVAL ||
	       sys == ENOSYS;
}

static enum tsl_status
fail_name(struct tsl_error *err)
{
	return npyio_fail_sys(err, "cannot name the finished file");
}

/*
 * A number is looked up in /proc, which makes something new for each.  Linux
 * before 6.10 lets only root do without.
 */
static enum tsl_status
name_it(struct npyio_small_files *f, int fd, int dir, const char *name,
	struct tsl_error *err)
{
	char number[16];

	if (!atomic_load(&f->needs_number)) {
		if (linkat(fd, "", dir, name, AT_EMPTY_PATH) == 0)
			return TSL_OK;
		if (errno != ENOENT)
			return fail_name(err);
		atomic_store(&f->needs_number, true);
	}
	snprintf(number, sizeof(number), "%d", fd);
	if (linkat(f->by_number, number, dir, name, AT_SYMLINK_FOLLOW) == 0)
		return TSL_OK;
	return fail_name(err);
}

static enum tsl_status
sync_name(int dir, struct tsl_error *err)
{
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool synced = fd >= 0 && (fsync(fd) == 0 || errno == EINVAL);
	enum tsl_status status = TSL_OK;

	if (!synced)
		status = npyio_fail_sys(
			err, "is written, but may not outlast a power cut");
	if (fd >= 0)
		close(fd);
	return status;
}

/* What only a close tells of, while the file can still be dropped. */
static enum tsl_status
close_copy(int fd, struct tsl_error *err)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);

	return copy < 0 || (close(copy) != 0 && errno != EINTR)
		       ? npyio_fail_sys(err, "cannot write")
		       : TSL_OK;
}

/* Bytes, and then a name, so that the name never stands for less. */
static enum tsl_status
fill_and_name(struct npyio_small_files *f, int fd, int dir, const char *name,
	      const char *bytes, size_t n, bool sync, struct tsl_error *err)
{
	enum tsl_status status = npyio_fd_write(fd, bytes, n, err);

	if (!status && sync)
		status = npyio_fd_sync(fd, err);
	if (!status && f->tells_late)
		status = close_copy(fd, err);
	if (!status)
		status = name_it(f, fd, dir, name, err);
	return !status && sync ? sync_name(dir, err) : status;
}

enum npyio_small_file
npyio_small_file_make(struct npyio_small_files *f, int dir, const char *name,
		      const char *bytes, size_t n, bool sync,
		      struct tsl_error *err)
{
	enum tsl_status status;
	int fd;

	if (f->by_number < 0)
		return NPYIO_SMALL_FILE_OTHERWISE;
	fd = openat(dir, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
	if (fd < 0 && is_unknown(errno))
		return NPYIO_SMALL_FILE_OTHERWISE;
	if (fd < 0) {
		(void)npyio_fail_sys(err, "cannot create a file beside it");
		return NPYIO_SMALL_FILE_FAILED;
	}
	status = fill_and_name(f, fd, dir, name, bytes, n, sync, err);
	close(fd);
	if (!status)
		return NPYIO_SMALL_FILE_MADE;
	return err->sys == EEXIST ? NPYIO_SMALL_FILE_EXISTS
				  : NPYIO_SMALL_FILE_FAILED;
}
