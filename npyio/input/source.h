/*
 * source.h - where an array's bytes come from: a file, by position, or a
 * stream, once and in order
 *
 * Offsets are in BYTES from the first that is ours.
 */
#ifndef NPYIO_SOURCE_H
#define NPYIO_SOURCE_H

#include "npyio/format/container.h"
#include "shared_descriptor.h"

#include <stddef.h>

struct npyio_inflate;
struct npyio_inflate_thread;
struct npyio_remote;

struct npyio_source {
	int fd;
	struct npyio_remote *remote; /* that brings its bytes; or NULL */
	bool is_stream;
	int64_t start; /* in the file, of the first byte that is ours */
	int64_t size; /* of the bytes from there on; pipes: not known */
	struct npyio_inflate *inflate; /* what the stream comes from; or NULL */
	struct npyio_inflate_thread
		*thread; /* what inflates it ahead; or NULL */
};

/*
 * npyio_source_look() finds out what 'fd' is; 'from_here': what lies before
 * the descriptor's position is somebody else's.  Returns TSL_OK; TSL_EIO.
 *
 * npyio_source_trust_empty() has a file that is empty, as it says, and of which
 * that is no failure, be no stream.
 *
 * npyio_source_open_remote() has the bytes come from a remote file, which
 * stays the caller's, as a stream where its size is not known.
 *
 * npyio_source_open_member() has the bytes of an archive's member come from
 * 'file', and npyio_source_close() ends that; the descriptor stays.  Returns
 * TSL_OK; TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE npyio_source_look(struct npyio_source *s, int fd,
					       bool from_here,
					       struct tsl_error *err);
void npyio_source_trust_empty(struct npyio_source *s);
void npyio_source_open_remote(struct npyio_source *s,
			      const struct npyio_shared_descriptor *file);
enum tsl_status TSL_MUST_USE npyio_source_open_member(
	struct npyio_source *s, const struct npyio_shared_descriptor *file,
	const struct npyio_member *m, struct tsl_error *err);
void npyio_source_close(struct npyio_source *s);

/*
 * npyio_source_read_ahead() has what is inflated be so by another thread, if
 * there is one to be had.
 */
void npyio_source_read_ahead(struct npyio_source *s);

/*
 * npyio_source_get() reads up to n bytes at 'offset', or, of a stream, the
 * next, whatever the offset.  '*got' is less than n only where the input ends.
 * Returns TSL_OK; TSL_EIO; what npyio_inflate_get() does.
 */
enum tsl_status TSL_MUST_USE npyio_source_get(const struct npyio_source *s,
					      void *buf, size_t n,
					      int64_t offset, size_t *got,
					      struct tsl_error *err);

#endif /* NPYIO_SOURCE_H */
