/*
 * small_input.c - a file that is read in one call, header and data
 */
#include "small_input.h"

#include "npyio/format/header.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A name that is longer is no matter for who has to be quick. */
#define MAX_PATH 1024

struct small_input {
	char path[MAX_PATH]; /* the reader's name */
	char *descr;
	size_t header; /* bytes of it */
	size_t nbytes; /* of data */
	char *data; /* the reader's */
	struct npyio_reader *in;
	char bytes[]; /* of the header */
};

size_t
small_input_read(const char *path, char *bytes, size_t room, int *fd)
{
	ssize_t n;

	*fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (*fd < 0)
		return 0;
	/* By position: of a pipe nothing is taken. */
	do
		n = pread(*fd, bytes, room, 0);
	while (n < 0 && errno == EINTR);
	/* There may be more of it. */
	if (n <= 0 || (size_t)n == room)
		return 0;
	close(*fd);
	*fd = -1;
	return (size_t)n;
}

/* Whether all is there that a header promises, and nothing more. */
static bool
read_header(struct tsl_array *array, char **descr, size_t *header,
	    const char *bytes, size_t n)
{
	struct npyio_prefix prefix;

	if (npyio_prefix_parse(&prefix, (const unsigned char *)bytes, n, NULL))
		return false;
	*header = (size_t)(prefix.text_offset + prefix.text_nbytes);
	if (*header >= n ||
	    npyio_header_parse(array, descr, prefix.version,
			       bytes + prefix.text_offset,
			       (size_t)prefix.text_nbytes, NULL))
		return false;
	return tsl_array_nbytes(array) == (int64_t)(n - *header);
}

static bool
open_reader(struct small_input *s, const struct tsl_array *array)
{
	struct npyio_stream_buffer buffer;

	npyio_stream_buffer_init(&buffer);
	buffer.nbytes = (int64_t)s->nbytes;
	buffer.memory = s->data = malloc(s->nbytes);
	if (!s->data)
		return false;
	return npyio_reader_open_buffer(&s->in, s->path, array, &buffer,
					NULL) == TSL_OK;
}

static struct small_input *
new_input(const struct tsl_array *array, const char *bytes, size_t header,
	  size_t nbytes)
{
	struct small_input *s = calloc(1, sizeof(*s) + header);

	if (!s)
		return NULL;
	s->header = header;
	s->nbytes = nbytes;
	memcpy(s->bytes, bytes, header);
	if (open_reader(s, array))
		return s;
	free(s);
	return NULL;
}

struct small_input *
small_input_new(const char *path, const char *bytes, size_t n)
{
	struct small_input *s = NULL;
	struct tsl_array array;
	char *descr = NULL;
	size_t header;

	if (read_header(&array, &descr, &header, bytes, n))
		s = new_input(&array, bytes, header, n - header);
	if (!s) {
		free(descr);
		return NULL;
	}
	s->descr = descr;
	if (small_input_again(s, path, bytes, n))
		return s;
	small_input_close(s);
	return NULL;
}

bool
small_input_again(struct small_input *s, const char *path, const char *bytes,
		  size_t n)
{
	size_t len = strlen(path);

	if (n != s->header + s->nbytes || len >= sizeof(s->path) ||
	    memcmp(bytes, s->bytes, s->header) != 0)
		return false;
	memcpy(s->path, path, len + 1);
	memcpy(s->data, bytes + s->header, s->nbytes);
	return true;
}

struct npyio_reader *
small_input_reader(const struct small_input *s)
{
	return s->in;
}

void
small_input_close(struct small_input *s)
{
	if (!s)
		return;
	npyio_reader_close(s->in);
	free(s->descr);
	free(s);
}
