/*
 * reader_remote.h - an array that is far away, and what of it is brought here
 *
 * Whatever is read by npyio_reader_read() is brought as it is asked for.  Who
 * knows beforehand what will be needed says so: it then comes in as few
 * requests as will do, several at a time, and lies in npyio_reader_file().
 *
 * Offsets are in BYTES from the first byte of the array's data.
 */
#ifndef NPYIO_READER_REMOTE_H
#define NPYIO_READER_REMOTE_H

#include "npyio/remote/remote.h"
#include "reader.h"

/*
 * npyio_reader_extent() is where the data lie in the file, or, of a stream,
 * from the array's first byte on.
 */
struct npyio_extent {
	int64_t offset; /* of the first byte */
	int64_t packed; /* so many deflated bytes; 0: they lie there as is */
};
void npyio_reader_extent(const struct npyio_reader *r,
			 struct npyio_extent *extent);

/*
 * npyio_reader_is_remote() says that it is far away, not buffered here.  Then
 * npyio_reader_is_here() says that what will be needed has been brought.
 */
bool npyio_reader_is_remote(const struct npyio_reader *r);
bool npyio_reader_is_here(const struct npyio_reader *r);

/* npyio_reader_connect() is npyio_remote_connect(). */
void npyio_reader_connect(struct npyio_reader *r, int connections);

/*
 * npyio_reader_download() brings the ranges of a remote array's data that will
 * be needed; more of them may follow.  Of a stream it does nothing.  Returns
 * what npyio_remote_download() does, with the subject set.
 */
enum tsl_status TSL_MUST_USE npyio_reader_download(struct npyio_reader *r,
						   npyio_next_range *next,
						   void *ranges,
						   struct tsl_error *err);

/* npyio_reader_download_all() brings all of the data, if it is remote. */
enum tsl_status TSL_MUST_USE npyio_reader_download_all(struct npyio_reader *r,
						       struct tsl_error *err);

/*
 * npyio_reader_flow() has the data of a remote array be a stream from now on,
 * of which nothing is needed from 'hi' on: so a long one never lies here whole.
 *
 * npyio_reader_skip() passes over n bytes of a stream, and returns true, if
 * that can be done without taking them.
 */
void npyio_reader_flow(struct npyio_reader *r, int64_t hi);
bool npyio_reader_skip(struct npyio_reader *r, int64_t n);

/* npyio_reader_traffic() is what has been, if it is remote; or false. */
bool npyio_reader_traffic(const struct npyio_reader *r,
			  struct npyio_traffic *traffic);

#endif /* NPYIO_READER_REMOTE_H */
