/*
 * stream_buffer.c - bytes of a stream, kept where they can be read by position
 */
#include "stream_buffer.h"

#include "lib/base/minmax.h"
#include "npyio/file/fd.h"
#include "npyio/file/spool.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* They are kept in steps, as they arrive. */
#define STEP ((int64_t)256 * 1024)

static enum tsl_status
no_memory(int64_t nbytes, struct tsl_error *err)
{
	return tsl_fail(err, TSL_EMEMORY, "out of memory for %lld bytes",
			(long long)nbytes);
}

static enum tsl_status
keep_in_memory(struct npyio_stream_buffer *k, int64_t nbytes, npyio_take *take,
	       void *stream, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;
	int64_t cap = 0;

	while (k->nbytes < nbytes && !status) {
		int64_t n = tsl_min(nbytes - k->nbytes, STEP);

		if (k->nbytes + n > cap) {
			char *memory;

			cap = tsl_min(tsl_max(2 * cap, n), nbytes);
			memory = realloc(k->memory, (size_t)cap);
			if (!memory)
				return no_memory(nbytes, err);
			k->memory = memory;
			n = tsl_min(n, cap - k->nbytes);
		}
		status = take(stream, k->memory + k->nbytes, n, err);
		if (!status)
			k->nbytes += n;
	}
	return status;
}

static enum tsl_status
write_to_spool(const struct npyio_stream_buffer *k, const char *buf, int64_t n,
	       struct tsl_error *err)
{
	enum tsl_status status = npyio_fd_pwrite(k->spool, buf, (size_t)n,
						 k->offset + k->nbytes, err);

	return tsl_about(status, npyio_spool_directory(), err);
}

static enum tsl_status
keep_in_spool(struct npyio_stream_buffer *k, int64_t nbytes, npyio_take *take,
	      void *stream, struct tsl_error *err)
{
	enum tsl_status status =
		npyio_spool_share(&k->spool, &k->offset, nbytes, err);
	char *buf;

	if (status)
		return status;
	buf = malloc(STEP);
	if (!buf)
		return no_memory(STEP, err);
	while (k->nbytes < nbytes && !status) {
		int64_t n = tsl_min(nbytes - k->nbytes, STEP);

		status = take(stream, buf, n, err);
		if (!status)
			status = write_to_spool(k, buf, n, err);
		k->nbytes += n;
	}
	free(buf);
	return status;
}

enum tsl_status
npyio_stream_buffer_fill(struct npyio_stream_buffer *k, int64_t nbytes,
			 int64_t room, npyio_take *take, void *stream,
			 struct tsl_error *err)
{
	return nbytes <= room ? keep_in_memory(k, nbytes, take, stream, err)
			      : keep_in_spool(k, nbytes, take, stream, err);
}

void
npyio_stream_buffer_init(struct npyio_stream_buffer *k)
{
	*k = (struct npyio_stream_buffer){ .spool = -1 };
}

static void
drop_spool(const struct npyio_stream_buffer *k)
{
	if (k->is_alone)
		close(k->spool);
	else
		npyio_spool_unshare();
}

void
npyio_stream_buffer_drop(struct npyio_stream_buffer *k)
{
	free(k->memory);
	if (k->spool >= 0)
		drop_spool(k);
	npyio_stream_buffer_init(k);
}

/* All that there is so far, from memory to a file. */
static enum tsl_status
move_to_spool(struct npyio_stream_buffer *k, struct tsl_error *err)
{
	int64_t nbytes = k->nbytes;
	enum tsl_status status = npyio_spool_open(&k->spool, err);

	k->is_alone = true;
	k->nbytes = 0;
	if (!status)
		status = write_to_spool(k, k->memory, nbytes, err);
	k->nbytes = nbytes;
	free(k->memory);
	k->memory = NULL;
	return status;
}

/* Memory grows to the next power of two, so that its size need not be known. */
static enum tsl_status
append_in_memory(struct npyio_stream_buffer *k, const void *bytes, int64_t n,
		 struct tsl_error *err)
{
	int64_t cap = k->memory ? STEP : 0;
	char *memory;

	while (cap && cap < k->nbytes)
		cap *= 2;
	if (k->nbytes + n > cap) {
		cap = tsl_max(cap, STEP);
		while (cap < k->nbytes + n)
			cap *= 2;
		memory = realloc(k->memory, (size_t)cap);
		if (!memory)
			return no_memory(cap, err);
		k->memory = memory;
	}
	memcpy(k->memory + k->nbytes, bytes, (size_t)n);
	k->nbytes += n;
	return TSL_OK;
}

enum tsl_status
npyio_stream_buffer_append(struct npyio_stream_buffer *k, const void *bytes,
			   int64_t n, int64_t room, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;

	if (n == 0)
		return TSL_OK;
	if (k->spool < 0 && k->nbytes + n <= room)
		return append_in_memory(k, bytes, n, err);
	if (k->spool < 0)
		status = move_to_spool(k, err);
	if (!status)
		status = write_to_spool(k, bytes, n, err);
	k->nbytes += n;
	return status;
}
