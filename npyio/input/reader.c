/*
 * reader.c - one array of an .npy file or stream: what is known, and its data
 */
#include "reader.h"

#include "lib/base/minmax.h"
#include "npyio/file/fd.h"
#include "reader_private.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A stream's bytes are dropped in steps, as they arrive. */
#define STREAM_STEP (int64_t)(256 * 1024)

/* Less is there before a thread is. */
#define MIN_AHEAD ((int64_t)4 * 1024 * 1024)

enum tsl_status
npyio_reader_about(const struct npyio_reader *r, enum tsl_status status,
		   struct tsl_error *err)
{
	if (status && err)
		err->subject = r->name;
	return status;
}

void
npyio_reader_close(struct npyio_reader *r)
{
	if (!r)
		return;
	npyio_reader_close(r->ordered);
	npyio_stream_buffer_drop(&r->kept);
	npyio_source_close(&r->source);
	if (r->shared)
		npyio_shared_descriptor_drop(r->shared);
	else if (r->source.fd > STDERR_FILENO)
		close(r->source.fd);
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
	if (r->rest.is_on) {
		*st = r->rest.st;
		return true;
	}
	return fstat(r->source.fd, st) == 0;
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
	return r->is_member && !r->source.is_stream ? &r->member : NULL;
}

/* ---- files that are not open all the time -------------------------------- */

void
npyio_reader_idle(struct npyio_reader *r)
{
	if (!r->source.is_stream && !r->is_member &&
	    r->source.fd > STDERR_FILENO)
		npyio_idle_file_begin(&r->rest, &r->source.fd,
				      r->data_offset + r->nbytes);
}

enum tsl_status
npyio_reader_hold(struct npyio_reader *r, struct tsl_error *err)
{
	return npyio_reader_about(
		r, npyio_idle_file_hold(&r->rest, r->file, &r->source.fd, err),
		err);
}

void
npyio_reader_release(struct npyio_reader *r)
{
	npyio_idle_file_release(&r->rest, &r->source.fd);
}

/* ---- data ---------------------------------------------------------------- */

static enum tsl_status
became_shorter(struct tsl_error *err)
{
	return tsl_fail(err, TSL_EIO,
			"the file became shorter while being read");
}

bool
npyio_reader_run_ahead(struct npyio_reader *r)
{
	if (r->nbytes - r->taken >= MIN_AHEAD)
		npyio_source_run_ahead(&r->source);
	return r->source.ahead;
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
	return npyio_reader_about(r, status, err);
}

enum tsl_status
npyio_reader_take(struct npyio_reader *r, char *dst, int64_t n,
		  struct tsl_error *err)
{
	return take_data(r, dst, n, err);
}

enum tsl_status
npyio_reader_keep(struct npyio_reader *r, int64_t nbytes, int64_t room,
		  struct tsl_error *err)
{
	enum tsl_status status;

	if (!r->source.is_stream || r->kept.nbytes >= nbytes)
		return TSL_OK;
	status = npyio_keep(&r->kept, nbytes, room, take_data, r, err);
	return err && err->subject ? status
				   : npyio_reader_about(r, status, err);
}

bool
npyio_reader_is_kept(const struct npyio_reader *r)
{
	return r->kept.nbytes > 0;
}

const char *
npyio_reader_memory(const struct npyio_reader *r)
{
	return r->kept.memory;
}

bool
npyio_reader_is_spooled(const struct npyio_reader *r)
{
	return r->kept.spool >= 0;
}

void
npyio_reader_replace(struct npyio_reader *r, const struct tsl_array *as,
		     char *memory, struct npyio_reader *by)
{
	free(r->kept.memory);
	r->kept.memory = memory;
	r->ordered = by;
	r->array = *as;
}

bool
npyio_reader_file(const struct npyio_reader *r, int *fd, int64_t *offset)
{
	if (r->kept.memory)
		return false;
	if (r->ordered)
		return npyio_reader_file(r->ordered, fd, offset);
	*fd = r->kept.spool >= 0 ? r->kept.spool : r->source.fd;
	*offset = r->kept.spool >= 0 ? r->kept.offset
				     : r->source.start + r->data_offset;
	return true;
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
		memcpy(dst, r->kept.memory + lo, (size_t)n);
		return TSL_OK;
	}
	status = npyio_fd_pread(fd, dst, (size_t)n, offset + lo, &got, err);
	if (!status && (int64_t)got < n)
		status = became_shorter(err);
	return npyio_reader_about(r, status, err);
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
	buf = malloc((size_t)size);
	if (!buf)
		return npyio_reader_about(
			r, tsl_fail(err, TSL_EMEMORY, "out of memory"), err);
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
npyio_reader_check(struct npyio_reader *r, bool rest, struct tsl_error *err)
{
	struct stat st;

	if (r->rest.is_on)
		return npyio_reader_about(
			r, npyio_idle_file_check(&r->rest, r->file, err), err);
	if (r->source.inflate && rest)
		return drain(r, err);
	if (r->source.is_stream ||
	    (fstat(r->source.fd, &st) == 0 &&
	     st.st_size - r->source.start >= r->data_offset + r->nbytes))
		return TSL_OK;
	return npyio_reader_about(r, became_shorter(err), err);
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
		return npyio_reader_about(r, npyio_fail_sys(err, "cannot seek"),
					  err);
	return TSL_OK;
}
