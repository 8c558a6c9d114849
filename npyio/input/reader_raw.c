/*
 * reader_raw.c - an array without a header, of which its name tells what it is
 */
#include "lib/base/minmax.h"
#include "npyio/file/fd.h"
#include "npyio/format/raw.h"
#include "npyio/remote/url.h"
#include "reader_private.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A stream is read in steps, as it arrives. */
#define STEP ((int64_t)256 * 1024)

static enum tsl_status
open_file(struct npyio_reader *r, struct tsl_error *err)
{
	bool standard = strcmp(r->file, "-") == 0;
	int fd;

	if (npyio_url_is(r->file))
		return npyio_reader_open_remote(r, r->file, err);
	fd = standard ? STDIN_FILENO
		      : open(r->file, O_RDONLY | O_CLOEXEC | O_NOCTTY);

	if (fd < 0)
		return npyio_fail_sys(err, "cannot open");
	return npyio_source_look(&r->source, fd, standard, err);
}

/*
 * Takes the next n bytes of a stream, or, n being -1, all, and has them kept
 * if 'keep'.  '*taken' is how many came.
 */
static enum tsl_status
take_bytes(struct npyio_reader *r, int64_t n, bool keep, int64_t room,
	   int64_t *taken, struct tsl_error *err)
{
	char *buffer = malloc((size_t)STEP);
	size_t got = 1;
	enum tsl_status status = TSL_OK;

	*taken = 0;
	if (!buffer)
		return tsl_no_memory(err);
	while (!status && got > 0 && (n < 0 || *taken < n)) {
		int64_t size = n < 0 ? STEP : tsl_min(n - *taken, STEP);

		status = npyio_source_get(&r->source, buffer, (size_t)size, 0,
					  &got, err);
		*taken += (int64_t)got;
		if (!status && keep)
			status = npyio_stream_buffer_append(
				&r->buffer, buffer, (int64_t)got, room, err);
	}
	free(buffer);
	return status;
}

/* As many rows as there are: who wants to know has to see the end. */
static enum tsl_status
keep_all(struct npyio_reader *r, struct npyio_raw *raw, int64_t room,
	 struct tsl_error *err)
{
	int64_t nbytes;
	enum tsl_status status = take_bytes(r, -1, true, room, &nbytes, err);

	if (!status)
		status = npyio_raw_fit(raw, nbytes, err);
	r->taken = nbytes;
	return status;
}

static enum tsl_status
begin_stream(struct npyio_reader *r, struct npyio_raw *raw, int64_t room,
	     struct tsl_error *err)
{
	int64_t passed;
	enum tsl_status status =
		take_bytes(r, raw->offset, false, 0, &passed, err);

	if (!status && passed < raw->offset)
		status = npyio_raw_fit(raw, -1, err);
	if (!status && raw->is_open)
		status = keep_all(r, raw, room, err);
	return status;
}

enum tsl_status
npyio_reader_read_raw(struct npyio_reader *r, const char *name, int64_t room,
		      struct tsl_error *err)
{
	struct npyio_raw raw;
	enum tsl_status status = npyio_raw_parse(&raw, name, err);

	r->is_raw = r->is_last = true;
	r->descr = raw.descr;
	r->file = raw.file;
	if (!status)
		status = open_file(r, err);
	if (!status && strcmp(r->file, "-") != 0)
		npyio_source_trust_empty(&r->source);
	if (!status && r->source.is_stream)
		status = begin_stream(r, &raw, room, err);
	else if (!status)
		status = npyio_raw_fit(&raw, r->source.size - raw.offset, err);
	/* What is far away can be opened by nobody else. */
	if (r->source.remote)
		r->file = NULL;
	if (status)
		return status;
	r->array = raw.array;
	r->data_offset = raw.offset;
	r->nbytes = tsl_array_nbytes(&r->array);
	return TSL_OK;
}
