/*
 * source.h - where an array's bytes come from: a file, by position, or a
 * stream, once and in order
 *
 * Offsets are in BYTES from the first that is ours.
 */
#ifndef NPYIO_SOURCE_H
#define NPYIO_SOURCE_H

#include "lib/base/status.h"

#include <stddef.h>

struct npyio_source {
	int fd;
	bool is_stream;
	int64_t start; /* in the file, of the first byte that is ours */
	int64_t size; /* of the file from there on; streams: not known */
};

/*
 * npyio_source_look() finds out what 'fd' is; 'from_here': what lies before
 * the descriptor's position is somebody else's.  Returns TSL_OK; TSL_EIO.
 */
enum tsl_status TSL_MUST_USE npyio_source_look(struct npyio_source *s, int fd,
					       bool from_here,
					       struct tsl_error *err);

/*
 * npyio_source_get() reads up to n bytes at 'offset', or, of a stream, the
 * next, whatever the offset.  '*got' is less than n only where the input ends.
 * Returns TSL_OK; TSL_EIO.
 */
enum tsl_status TSL_MUST_USE npyio_source_get(const struct npyio_source *s,
					      void *buf, size_t n,
					      int64_t offset, size_t *got,
					      struct tsl_error *err);

#endif /* NPYIO_SOURCE_H */
