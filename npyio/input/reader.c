/*
 * reader.c - one array of an .npy file or stream: what is known, and its data
 */
#include "reader.h"

#include "inflate.h"
#include "lib/base/minmax.h"
#include "npyio/file/fd.h"
#include "npyio/remote/remote.h"
#include "reader_private.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A stream's bytes are dropped in steps, as they arrive. */
#define STREAM_STEP (int64_t)(256 * 1024)

/* Less is there before a thread is. */
#define MIN_AHEAD ((int64_t)4 * 1024 * 1024)

void
npyio_reader_close(struct npyio_reader *r)
{
	if (!r)
		return;
	npyio_reader_close(r->ordered);
	npyio_stream_buffer_drop(&r->buffer);
	npyio_source_close(&r->source);
	if (r->shared)
		npyio_shared_descriptor_drop(r->shared);
	else if (r->source.fd > STDERR_FILENO)
		close(r->source.fd);
	free(r->ordered_descr);
	npyio_reader_drop_field(r);
	free(r->descr);
	free(r->file_new);
	free(r);
}

/* ---- what is known ------------------------------------------------------- */

const struct tsl_array *
npyio_reader_array(const struct npyio_reader *r)
{
	return &r->array;
}

const char *
npyio_reader_name(const struct npyio_reader *r)
{
	return r->name;
}

int64_t
npyio_reader_data_offset(const struct npyio_reader *r)
{
	return r->data_offset;
}

bool
npyio_reader_stat(const struct npyio_reader *r, struct stat *st)
{
	if (r->idle.is_on) {
		*st = r->idle.st;
		return true;
	}
	if (r->source.remote)
		npyio_remote_stat(r->source.remote, st);
	return r->source.remote || fstat(r->source.fd, st) == 0;
}

bool
npyio_reader_is_stream(const struct npyio_reader *r)
{
	return r->source.is_stream;
}

const char *
npyio_reader_file_name(const struct npyio_reader *r)
{
	return r->file;
}

bool
npyio_reader_is_member(const struct npyio_reader *r)
{
	return r->is_member;
}

bool
npyio_reader_is_in_place(const struct npyio_reader *r)
{
	return r->file && !r->source.is_stream &&
	       (!r->is_member || r->member.is_bare);
}

const struct npyio_member *
npyio_reader_stored(const struct npyio_reader *r)
{
	bool as_it_is =
		!r->source.is_stream && !r->buffer.memory && !r->ordered;

	return r->is_member && as_it_is ? &r->member : NULL;
}

/* ---- files that are not open all the time -------------------------------- */

void
npyio_reader_idle(struct npyio_reader *r)
{
	if (!r->source.is_stream && !r->shared && r->source.fd > STDERR_FILENO)
		npyio_idle_file_begin(&r->idle, &r->source.fd,
				      r->data_offset + r->nbytes);
	else if (r->source.inflate && !r->source.thread)
		npyio_inflate_rest(r->source.inflate);
}

enum tsl_status
npyio_reader_hold(struct npyio_reader *r, struct tsl_error *err)
{
	return tsl_about(
		npyio_idle_file_hold(&r->idle, r->file, &r->source.fd, err),
		r->name, err);
}

void
npyio_reader_release(struct npyio_reader *r)
{
	npyio_idle_file_release(&r->idle, &r->source.fd);
}

/* ---- data ---------------------------------------------------------------- */

static enum tsl_status
became_shorter(struct tsl_error *err)
{
	return tsl_fail(err, TSL_EIO,
			"the file became shorter while being read");
}

bool
npyio_reader_read_ahead(struct npyio_reader *r)
{
	if (r->nbytes - r->taken >= MIN_AHEAD)
		npyio_source_read_ahead(&r->source);
	return r->source.thread;
}

static enum tsl_status
take_data(void *stream, char *dst, int64_t n, struct tsl_error *err)
{
	struct npyio_reader *r = stream;
	size_t got;
	enum tsl_status status =
		npyio_source_get(&r->source, dst, (size_t)n, 0, &got, err);

	r->taken += (int64_t)got;
	if (!status && (int64_t)got < n)
		status = tsl_fail(
			err, r->is_raw ? TSL_ETRUNCATED : TSL_ETRUNCATED_DATA,
			"%s %lld byte%s of data, but the input ends after "
			"%lld",
			r->is_raw ? "the array has" : "the header promises",
			(long long)r->nbytes, r->nbytes == 1 ? "" : "s",
			(long long)r->taken);
	return tsl_about(status, r->name, err);
}

enum tsl_status
npyio_reader_take(struct npyio_reader *r, char *dst, int64_t n,
		  struct tsl_error *err)
{
	return take_data(r, dst, n, err);
}

enum tsl_status
npyio_reader_buffer(struct npyio_reader *r, int64_t nbytes, int64_t room,
		    struct tsl_error *err)
{
	enum tsl_status status;

	if (!r->source.is_stream || r->buffer.nbytes >= nbytes)
		return TSL_OK;
	status = npyio_stream_buffer_fill(&r->buffer, nbytes, room, take_data,
					  r, err);
	return tsl_about_new(status, r->name, err);
}

bool
npyio_reader_is_buffered(const struct npyio_reader *r)
{
	return r->buffer.nbytes > 0;
}

const char *
npyio_reader_memory(const struct npyio_reader *r)
{
	return r->buffer.memory;
}

bool
npyio_reader_is_spooled(const struct npyio_reader *r)
{
	return r->buffer.spool >= 0;
}

bool
npyio_reader_file(const struct npyio_reader *r, int *fd, int64_t *offset)
{
	if (r->buffer.memory)
		return false;
	if (r->ordered)
		return npyio_reader_file(r->ordered, fd, offset);
	*fd = r->buffer.spool >= 0 ? r->buffer.spool : r->source.fd;
	*offset = r->buffer.spool >= 0 ? r->buffer.offset
				       : r->source.start + r->data_offset;
	return true;
}

/* Brings bytes at 'offset' of the file 'fd', if they are far away. */
static enum tsl_status
need(const struct npyio_reader *r, int fd, int64_t offset, int64_t n,
     struct tsl_error *err)
{
	const struct npyio_source *s = &r->source;

	if (!s->remote || s->is_stream || fd != s->fd)
		return TSL_OK;
	return npyio_remote_need(s->remote, offset, offset + n,
				 s->start + r->data_offset + r->nbytes, err);
}

enum tsl_status
npyio_reader_read(const struct npyio_reader *r, int64_t lo, int64_t n,
		  char *dst, struct tsl_error *err)
{
	enum tsl_status status;
	int64_t offset;
	size_t got;
	int fd;

	if (n == 0)
		return TSL_OK;
	if (!npyio_reader_file(r, &fd, &offset)) {
		memcpy(dst, r->buffer.memory + lo, (size_t)n);
		return TSL_OK;
	}
	status = need(r, fd, offset + lo, n, err);
	if (status)
		return tsl_about(status, r->name, err);
	status = npyio_fd_pread(fd, dst, (size_t)n, offset + lo, &got, err);
	if (!status && (int64_t)got < n)
		status = became_shorter(err);
	return tsl_about(status, r->name, err);
}

static enum tsl_status
drain(struct npyio_reader *r, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;
	int64_t left = r->nbytes - r->taken;
	int64_t size = tsl_min(left, STREAM_STEP);
	char *buf;

	if (left == 0)
		return TSL_OK;
	/* Of what is far away only what is needed is brought. */
	if (r->source.remote) {
		if (!r->source.inflate)
			npyio_remote_skip(r->source.remote, left);
		r->taken += r->source.inflate ? 0 : left;
		return TSL_OK;
	}
	buf = malloc((size_t)size);
	if (!buf)
		return tsl_about(tsl_no_memory(err), r->name, err);
	for (; left > 0 && !status; left -= size)
		status = take_data(r, buf, tsl_min(left, size), err);
	free(buf);
	return status;
}

/*
 * A mapping of a file that was cut short within its last page reads as zeros
 * there, and says nothing.
 */
enum tsl_status
npyio_reader_check(struct npyio_reader *r, bool tail, struct tsl_error *err)
{
	struct stat st;

	if (r->idle.is_on)
		return tsl_about(npyio_idle_file_check(&r->idle, r->file, err),
				 r->name, err);
	if (r->source.inflate && tail)
		return drain(r, err);
	if (r->source.is_stream ||
	    (fstat(r->source.fd, &st) == 0 &&
	     st.st_size - r->source.start >= r->data_offset + r->nbytes))
		return TSL_OK;
	return tsl_about(became_shorter(err), r->name, err);
}

enum tsl_status
npyio_reader_finish(struct npyio_reader *r, struct tsl_error *err)
{
	int64_t end;

	if (r->is_member)
		return TSL_OK;
	if (r->source.is_stream)
		return drain(r, err);
	end = r->source.start + r->data_offset + r->nbytes;
	/* Once: what follows may by now be another reader's. */
	if (r->finished)
		return TSL_OK;
	r->finished = true;
	if (r->source.fd == STDIN_FILENO &&
	    lseek(r->source.fd, end, SEEK_SET) < 0)
		return tsl_about(npyio_fail_sys(err, "cannot seek"), r->name,
				 err);
	return TSL_OK;
}
