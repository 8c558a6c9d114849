/*
 * file_header.c - the header of an array, from a file or a stream
 */
#include "file_header.h"

#include "npyio/format/header.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Most headers are 128 bytes; one read of this gets nearly all of them. */
#define FIRST_READ 4096

/*
 * Reads what stands before the text.  '*got' bytes were read in all; of a
 * file some of the text, and perhaps the data, is among them.
 */
static enum tsl_status
read_prefix(const struct npyio_source *s, int64_t offset,
	    unsigned char first[FIRST_READ], size_t *got,
	    struct npyio_prefix *prefix, struct tsl_error *err)
{
	size_t more = 0;
	enum tsl_status status;

	status = npyio_source_get(s, first, s->is_stream ? 10 : FIRST_READ,
				  offset, got, err);
	/* Two bytes more, once it is known that the version has them. */
	if (!status && s->is_stream && *got == 10 && first[6] != 1)
		status = npyio_source_get(s, first + 10, 2, 0, &more, err);
	*got += more;
	if (status)
		return status;
	return npyio_prefix_parse(prefix, first, *got, err);
}

/* Who wrote nothing has mostly said why; it is not this file that is odd. */
static enum tsl_status
name_empty_pipe(const struct npyio_source *s, enum tsl_status status,
		struct tsl_error *err)
{
	struct stat st;

	if (status != TSL_EEMPTY_FILE || s->inflate || fstat(s->fd, &st) != 0 ||
	    !S_ISFIFO(st.st_mode))
		return status;
	return tsl_fail(err, status, "nothing came through the pipe");
}

/* Reads the rest of a text of which 'have' bytes are there, in steps. */
static enum tsl_status
read_text(const struct npyio_source *s, int64_t offset, char *text, size_t have,
	  size_t len, struct tsl_error *err)
{
	size_t got;
	enum tsl_status status;

	status = npyio_source_get(s, text + have, len - have,
				  offset + (int64_t)have, &got, err);
	if (!status && got < len - have)
		return tsl_fail(err, TSL_ETRUNCATED_HEADER,
				"the file ends within its header");
	return status;
}

enum tsl_status
npyio_file_header_read(const struct npyio_source *s, int64_t offset,
		       struct tsl_array *array, char **descr,
		       int64_t *data_offset, struct tsl_error *err)
{
	unsigned char first[FIRST_READ];
	struct npyio_prefix prefix;
	enum tsl_status status;
	size_t have, len;
	char *text;

	*descr = NULL;
	status = read_prefix(s, offset, first, &have, &prefix, err);
	if (status)
		return name_empty_pipe(s, status, err);
	*data_offset = prefix.text_offset + prefix.text_nbytes;
	len = (size_t)prefix.text_nbytes;
	have -= (size_t)prefix.text_offset;
	if (have >= len)
		return npyio_header_parse(array, descr, prefix.version,
					  (char *)first + prefix.text_offset,
					  len, err);
	/* At most NPYIO_MAX_HEADER, whatever the length field says. */
	text = malloc(len);
	if (!text)
		return tsl_no_memory(err);
	memcpy(text, first + prefix.text_offset, have);
	status =
		read_text(s, offset + prefix.text_offset, text, have, len, err);
	if (!status)
		status = npyio_header_parse(array, descr, prefix.version, text,
					    len, err);
	free(text);
	return status;
}

/* ---- what must be there -------------------------------------------------- */

static enum tsl_status
fail_trailing(int64_t nbytes, const char *what, struct tsl_error *err)
{
	return tsl_fail(err, TSL_ETRAILING_DATA,
			"%lld byte%s the array, and %s", (long long)nbytes,
			nbytes == 1 ? " follows" : "s follow", what);
}

/* What follows the array in a regular file: nothing, or another array. */
static enum tsl_status
check_rest(const struct npyio_source *source, int64_t end,
	   struct tsl_error *err)
{
	int64_t next_offset;
	struct tsl_array next;
	enum tsl_status status;
	char *descr;

	status = npyio_file_header_read(source, end, &next, &descr,
					&next_offset, err);
	free(descr);
	if (status == TSL_OK &&
	    source->size - end - next_offset >= tsl_array_nbytes(&next))
		return TSL_OK;
	/* Not what is there is at fault, but the system. */
	if (tsl_status_exit(status) == 4)
		return status;
	return fail_trailing(source->size - end, "not another array", err);
}

enum tsl_status
npyio_file_header_check(const struct npyio_source *source,
			const struct tsl_array *a, int64_t data_offset,
			enum npyio_behind behind, struct tsl_error *err)
{
	int64_t nbytes = tsl_array_nbytes(a);
	int64_t have = source->size - data_offset;

	if (have < nbytes)
		return tsl_fail(err, TSL_ETRUNCATED_DATA,
				"the header promises %lld byte%s of data, but "
				"only %lld follow%s",
				(long long)nbytes, nbytes == 1 ? "" : "s",
				(long long)have, have == 1 ? "s" : "");
	if (have == nbytes || behind == NPYIO_BEHIND_ANY)
		return TSL_OK;
	return behind == NPYIO_BEHIND_ARRAY
		       ? check_rest(source, data_offset + nbytes, err)
		       : fail_trailing(have - nbytes, "a member is one array",
				       err);
}
