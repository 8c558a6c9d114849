/*
 * source.c - where an array's bytes come from
 */
#define _GNU_SOURCE /* F_SETPIPE_SZ */
#include "source.h"

#include "inflate.h"
#include "inflate_thread.h"
#include "lib/base/minmax.h"
#include "npyio/file/fd.h"

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

enum tsl_status
npyio_source_open_member(struct npyio_source *s, int fd,
			 const struct npyio_member *m, struct tsl_error *err)
{
	*s = (struct npyio_source){ .fd = fd,
				    .is_stream = m->deflated,
				    .start = m->is_bare ? 0 : m->offset,
				    .size = m->size +
					    (m->is_bare ? m->offset : 0) };
	return m->deflated ? npyio_inflate_open(&s->inflate, fd, m, err)
			   : TSL_OK;
}

void
npyio_source_close(struct npyio_source *s)
{
	npyio_inflate_thread_close(s->ahead);
	npyio_inflate_close(s->inflate);
	s->ahead = NULL;
	s->inflate = NULL;
}

void
npyio_source_run_ahead(struct npyio_source *s)
{
	if (s->inflate && !s->ahead)
		s->ahead = npyio_inflate_thread_open(s->inflate);
}

enum tsl_status
npyio_source_get(const struct npyio_source *s, void *buf, size_t n,
		 int64_t offset, size_t *got, struct tsl_error *err)
{
	int64_t left = tsl_max(s->size - offset, 0);

	if (s->ahead)
		return npyio_inflate_thread_get(s->ahead, buf, n, got, err);
	if (s->inflate)
		return npyio_inflate_get(s->inflate, buf, n, got, err);
	if (s->is_stream)
		return npyio_fd_read(s->fd, buf, n, got, err);
	/* What follows may be another member's, or new. */
	if ((uint64_t)left < n)
		n = (size_t)left;
	return npyio_fd_pread(s->fd, buf, n, s->start + offset, got, err);
}
