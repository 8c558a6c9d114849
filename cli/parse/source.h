/*
 * source.h - text from a file or a stream, from its begin and once more
 */
#ifndef CLI_PARSE_SOURCE_H
#define CLI_PARSE_SOURCE_H

#include "npyio/input/stream_buffer.h"

#include <stddef.h>
#include <sys/stat.h>

struct source {
	const char *name; /* for messages */
	int fd;
	bool is_file; /* read by position; a stream is not */
	struct stat st;
	int64_t start, at; /* bytes: of the first, and of the next */
	/* Of a stream, what may be wanted once more. */
	bool keeps;
	bool ended; /* it has; a terminal would be asked again */
	int64_t room; /* of it in memory */
	struct npyio_stream_buffer buffer;
};

/*
 * source_open() opens 'path', "-" for standard input, which is read from where
 * it stands; 'room': bytes of memory for what is kept of a stream.  Close it,
 * on failure too.
 *
 * Returns, as the others, TSL_OK; TSL_EIO, TSL_EMEMORY, with the subject set.
 */
enum tsl_status TSL_MUST_USE source_open(struct source *s, const char *path,
					 int64_t room, struct tsl_error *err);
void source_close(struct source *s);

/* source_read() reads the next n bytes; fewer only where the text ends. */
enum tsl_status TSL_MUST_USE source_read(struct source *s, char *to, size_t n,
					 size_t *got, struct tsl_error *err);

/* source_size() is how many bytes there are; -1: not known. */
int64_t source_size(const struct source *s);

/*
 * source_keep() says that what is read from now on may be wanted once more;
 * source_rewind() goes back to the begin, for the last time if 'last'.
 */
void source_keep(struct source *s);
void source_rewind(struct source *s, bool last);

#endif /* CLI_PARSE_SOURCE_H */
