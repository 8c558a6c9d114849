/*
 * idle_file.c - a file that is closed while nobody reads it
 */
#include "idle_file.h"

#include "npyio/file/fd.h"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

/* Held for no longer than it takes to open a file. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void
npyio_idle_file_begin(struct npyio_idle_file *idle, int *fd, int64_t end)
{
	if (idle->is_on || fstat(*fd, &idle->st) != 0)
		return;
	idle->is_on = true;
	idle->end = end;
	close(*fd);
	*fd = -1;
}

/* Whether it is the file whose header was read. */
static enum tsl_status
compare(const struct npyio_idle_file *idle, const struct stat *st,
	struct tsl_error *err)
{
	if (st->st_dev != idle->st.st_dev || st->st_ino != idle->st.st_ino)
		return tsl_fail(err, TSL_EIO,
				"the file was replaced meanwhile");
	/* Somebody may add to it, or no longer. */
	if (st->st_size < idle->end)
		return tsl_fail(err, TSL_EIO,
				"the file became shorter while being read");
	return TSL_OK;
}

enum tsl_status
npyio_idle_file_check(const struct npyio_idle_file *idle, const char *path,
		      struct tsl_error *err)
{
	struct stat st;

	if (!idle->is_on)
		return TSL_OK;
	return stat(path, &st) != 0 ? npyio_fail_sys(err, "cannot read")
				    : compare(idle, &st, err);
}

static enum tsl_status
open_again(const struct npyio_idle_file *idle, const char *path, int *fd,
	   struct tsl_error *err)
{
	enum tsl_status status;
	struct stat st;

	*fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (*fd < 0)
		return npyio_fail_sys(err, "cannot open");
	status = fstat(*fd, &st) != 0 ? npyio_fail_sys(err, "cannot read")
				      : compare(idle, &st, err);
	if (status) {
		close(*fd);
		*fd = -1;
	}
	return status;
}

enum tsl_status
npyio_idle_file_hold(struct npyio_idle_file *idle, const char *path, int *fd,
		     struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;

	if (!idle->is_on)
		return TSL_OK;
	pthread_mutex_lock(&lock);
	if (idle->users == 0)
		status = open_again(idle, path, fd, err);
	if (!status)
		idle->users++;
	pthread_mutex_unlock(&lock);
	return status;
}

void
npyio_idle_file_release(struct npyio_idle_file *idle, int *fd)
{
	if (!idle->is_on)
		return;
	pthread_mutex_lock(&lock);
	if (--idle->users == 0) {
		close(*fd);
		*fd = -1;
	}
	pthread_mutex_unlock(&lock);
}
