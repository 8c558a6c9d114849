/*
 * stream_buffer.h - bytes of a stream, kept where they can be read by position
 */
#ifndef NPYIO_STREAM_BUFFER_H
#define NPYIO_STREAM_BUFFER_H

#include "lib/base/status.h"

#include <stdbool.h>

struct npyio_stream_buffer {
	char *memory; /* if they are kept there */
	int spool; /* or here, a file that others share; see spool.h; -1: not */
	bool is_alone; /* nobody shares it */
	int64_t offset; /* in it, of the first */
	int64_t nbytes;
};

/* A take takes the next n bytes of a stream. */
typedef enum tsl_status npyio_take(void *stream, char *dst, int64_t n,
				   struct tsl_error *err);

/*
 * npyio_stream_buffer_fill() keeps the next 'nbytes', in memory if there is
 * 'room' for them, or else in a file without a name.  What was promised is only
 * a claim: memory grows with the bytes that come.
 *
 * Returns TSL_OK; what 'take' returns; TSL_EMEMORY; TSL_EIO, the spool's, with
 * its directory as the error's subject.
 */
enum tsl_status TSL_MUST_USE npyio_stream_buffer_fill(
	struct npyio_stream_buffer *buffer, int64_t nbytes, int64_t room,
	npyio_take *take, void *stream, struct tsl_error *err);
void npyio_stream_buffer_drop(struct npyio_stream_buffer *buffer);

/*
 * npyio_stream_buffer_init() begins with nothing.  npyio_stream_buffer_append()
 * keeps n bytes more, in memory as long as there is 'room' for all.  TSL_OK;
 * TSL_EMEMORY; TSL_EIO, as above.
 */
void npyio_stream_buffer_init(struct npyio_stream_buffer *buffer);
enum tsl_status TSL_MUST_USE npyio_stream_buffer_append(
	struct npyio_stream_buffer *buffer, const void *bytes, int64_t n,
	int64_t room, struct tsl_error *err);

#endif /* NPYIO_STREAM_BUFFER_H */
