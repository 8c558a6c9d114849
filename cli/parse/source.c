/*
 * source.c - text from a file or a stream, from its begin and once more
 */
#include "source.h"

#include "lib/base/minmax.h"
#include "npyio/file/fd.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum tsl_status
source_open(struct source *s, const char *path, int64_t room,
	    struct tsl_error *err)
{
	bool is_stdin = strcmp(path, "-") == 0;
	off_t here;

	*s = (struct source){ .name = is_stdin ? "standard input" : path,
			      .room = room };
	npyio_stream_buffer_init(&s->buffer);
	s->fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	if (s->fd < 0 || fstat(s->fd, &s->st) != 0)
		return tsl_about_new(
			npyio_fail_sys(err, is_stdin ? "cannot read"
						     : "cannot open"),
			s->name, err);
	here = lseek(s->fd, 0, SEEK_CUR);
	s->is_file = S_ISREG(s->st.st_mode) && here >= 0;
	s->start = s->at = s->is_file ? here : 0;
	return TSL_OK;
}

void
source_close(struct source *s)
{
	npyio_stream_buffer_drop(&s->buffer);
	if (s->fd == STDIN_FILENO && s->is_file)
		(void)lseek(s->fd, (off_t)s->at, SEEK_SET);
	if (s->fd > STDIN_FILENO)
		close(s->fd);
}

/* What has been read before. */
static enum tsl_status
read_kept(struct source *s, char *to, size_t n, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;
	size_t got = n;

	if (s->buffer.memory)
		memcpy(to, s->buffer.memory + s->at, n);
	else
		status = npyio_fd_pread(s->buffer.spool, to, n,
					s->buffer.offset + s->at, &got, err);
	if (!status && got < n)
		status = tsl_fail(err, TSL_EIO, "a temporary file is gone");
	return status;
}

static enum tsl_status
read_stream(struct source *s, char *to, size_t n, size_t *got,
	    struct tsl_error *err)
{
	size_t again =
		s->at >= s->buffer.nbytes
			? 0
			: (size_t)tsl_min((int64_t)n, s->buffer.nbytes - s->at);
	enum tsl_status status =
		again > 0 ? read_kept(s, to, again, err) : TSL_OK;

	if (!status && !s->ended)
		status = npyio_fd_read(s->fd, to + again, n - again, got, err);
	s->ended = s->ended || *got < n - again;
	if (!status && s->keeps)
		status = npyio_stream_buffer_append(
			&s->buffer, to + again, (int64_t)*got, s->room, err);
	*got += again;
	return status;
}

enum tsl_status
source_read(struct source *s, char *to, size_t n, size_t *got,
	    struct tsl_error *err)
{
	enum tsl_status status;

	*got = 0;
	status = s->is_file ? npyio_fd_pread(s->fd, to, n, s->at, got, err)
			    : read_stream(s, to, n, got, err);
	s->at += (int64_t)*got;
	return tsl_about_new(status, s->name, err);
}

int64_t
source_size(const struct source *s)
{
	return s->is_file ? s->st.st_size - s->start : -1;
}

void
source_keep(struct source *s)
{
	s->keeps = true;
}

void
source_rewind(struct source *s, bool last)
{
	s->at = s->start;
	s->keeps = s->keeps && !last;
}
