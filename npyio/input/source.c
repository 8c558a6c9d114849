/*
 * source.c - where an array's bytes come from
 */
#define _GNU_SOURCE /* F_SETPIPE_SZ */
#include "source.h"

#include "inflate.h"
#include "inflate_thread.h"
#include "lib/base/minmax.h"
#include "npyio/file/fd.h"
#include "npyio/remote/remote.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Asked for, for pipes. */
#define PIPE_NBYTES (1024 * 1024)

enum tsl_status
npyio_source_look(struct npyio_source *s, int fd, bool from_here,
		  struct tsl_error *err)
{
	struct stat st;

	*s = (struct npyio_source){ .fd = fd };
	if (fstat(fd, &st) != 0)
		return npyio_fail_sys(err, "cannot read");
	if (S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		return npyio_fail_sys(err, "cannot read");
	}
	/* A larger pipe has both its ends wait less; if we may have one. */
	if (S_ISFIFO(st.st_mode))
		(void)fcntl(fd, F_SETPIPE_SZ, PIPE_NBYTES);
	/* Files of /proc say that they are empty, and are not. */
	s->is_stream = !S_ISREG(st.st_mode) || st.st_size == 0;
	if (!s->is_stream)
		s->start = from_here ? lseek(fd, 0, SEEK_CUR) : 0;
	if (s->start < 0) {
		s->is_stream = true;
		s->start = 0;
	}
	s->size = st.st_size > s->start ? st.st_size - s->start : 0;
	return TSL_OK;
}

void
npyio_source_trust_empty(struct npyio_source *s)
{
	struct stat st;
	char byte;

	if (s->is_stream && !s->remote && fstat(s->fd, &st) == 0 &&
	    S_ISREG(st.st_mode) && pread(s->fd, &byte, 1, 0) == 0)
		s->is_stream = false;
}

void
npyio_source_open_remote(struct npyio_source *s,
			 const struct npyio_shared_descriptor *file)
{
	int64_t size = npyio_remote_size(file->remote);

	*s = (struct npyio_source){ .fd = file->fd,
				    .remote = file->remote,
				    .is_stream = size < 0,
				    .size = size < 0 ? 0 : size };
}

enum tsl_status
npyio_source_open_member(struct npyio_source *s,
			 const struct npyio_shared_descriptor *file,
			 const struct npyio_member *m, struct tsl_error *err)
{
	*s = (struct npyio_source){ .fd = file->fd,
				    .remote = file->remote,
				    .is_stream = m->deflated,
				    .start = m->is_bare ? 0 : m->offset,
				    .size = m->size +
					    (m->is_bare ? m->offset : 0) };
	return m->deflated ? npyio_inflate_open(&s->inflate, file, m, err)
			   : TSL_OK;
}

void
npyio_source_close(struct npyio_source *s)
{
	npyio_inflate_thread_close(s->thread);
	npyio_inflate_close(s->inflate);
	s->thread = NULL;
	s->inflate = NULL;
}

void
npyio_source_read_ahead(struct npyio_source *s)
{
	if (s->inflate && !s->thread)
		s->thread = npyio_inflate_thread_open(s->inflate);
}

enum tsl_status
npyio_source_get(const struct npyio_source *s, void *buf, size_t n,
		 int64_t offset, size_t *got, struct tsl_error *err)
{
	int64_t left = tsl_max(s->size - offset, 0);
	enum tsl_status status = TSL_OK;

	if (s->thread)
		return npyio_inflate_thread_get(s->thread, buf, n, got, err);
	if (s->inflate)
		return npyio_inflate_get(s->inflate, buf, n, got, err);
	if (s->is_stream && s->remote)
		return npyio_remote_take(s->remote, buf, n, got, err);
	if (s->is_stream)
		return npyio_fd_read(s->fd, buf, n, got, err);
	/* What follows may be another member's, or new. */
	if ((uint64_t)left < n)
		n = (size_t)left;
	*got = 0;
	if (s->remote)
		status = npyio_remote_need(s->remote, s->start + offset,
					   s->start + offset + (int64_t)n,
					   s->start + s->size, err);
	if (status)
		return status;
	return npyio_fd_pread(s->fd, buf, n, s->start + offset, got, err);
}
