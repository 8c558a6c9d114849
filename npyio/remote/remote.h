/*
 * remote.h - a file that is behind a URL, and of which parts are brought here
 *
 * What has been brought lies at its own offsets in a file without a name, see
 * npyio/file/spool.h, that is as long as the one it stands for, and has holes
 * where that has not been asked for.  So memory stays bounded, and whoever
 * reads files by position, maps them or has the kernel copy them does so with
 * it, once the bytes are there.
 *
 * A server that knows no ranges sends everything, which is taken as far as it
 * is wanted.
 *
 * Offsets are in BYTES of the file.  All functions may be called by several
 * threads, but for opening and closing.
 */
#ifndef NPYIO_REMOTE_H
#define NPYIO_REMOTE_H

#include "lib/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

struct npyio_remote; /* owns connections, and the file that it is brought to */

/*
 * npyio_remote_open() asks for the beginning of 'url', of 'len' bytes.  Returns
 * TSL_OK; TSL_EIO, also for what the server says; TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE npyio_remote_open(struct npyio_remote **remote_new,
					       const char *url, size_t len,
					       struct tsl_error *err);
void npyio_remote_close(struct npyio_remote *r); /* NULL is allowed */

/*
 * npyio_remote_file() is where the bytes are, once they are; it stays r's.
 * npyio_remote_size() is how many there are, or -1, and the file is only to be
 * taken from its begin on.
 */
int npyio_remote_file(const struct npyio_remote *r);
int64_t npyio_remote_size(const struct npyio_remote *r);

/* npyio_remote_connect() says how many connections there may be at a time. */
void npyio_remote_connect(struct npyio_remote *r, int connections);

/* A next_range stores the next of ascending ranges; false after the last. */
typedef bool npyio_next_range(void *ranges, int64_t *lo, int64_t *hi);

/*
 * npyio_remote_download() has those bytes of some ranges that are not there
 * brought; npyio_remote_need() bytes [lo, hi), as far as the file goes, and
 * what is likely to be wanted next, the more the longer it was right about
 * that, but none from 'end' on.
 *
 * Returns TSL_OK; TSL_EIO, also where the file has changed; TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE npyio_remote_download(struct npyio_remote *r,
						   npyio_next_range *next,
						   void *ranges,
						   struct tsl_error *err);
enum tsl_status TSL_MUST_USE npyio_remote_need(struct npyio_remote *r,
					       int64_t lo, int64_t hi,
					       int64_t end,
					       struct tsl_error *err);

/* npyio_remote_all() brings everything; the size is known from then on. */
enum tsl_status TSL_MUST_USE npyio_remote_all(struct npyio_remote *r,
					      struct tsl_error *err);

/*
 * npyio_remote_flow() has what is taken next begin at 'lo', and end at 'hi' at
 * the latest.  npyio_remote_skip() passes over n bytes.  npyio_remote_take()
 * takes up to n bytes; '*got' is less only where the file ends.  What is behind
 * is forgotten: little of a long file is here at any time.
 */
void npyio_remote_flow(struct npyio_remote *r, int64_t lo, int64_t hi);
void npyio_remote_skip(struct npyio_remote *r, int64_t n);
enum tsl_status TSL_MUST_USE npyio_remote_take(struct npyio_remote *r,
					       void *buf, size_t n, size_t *got,
					       struct tsl_error *err);

/*
 * npyio_remote_stat() says what file it is: two of the same identity and time
 * are one version of one URL.
 */
void npyio_remote_stat(const struct npyio_remote *r, struct stat *st);

struct npyio_traffic {
	int64_t arrived, size; /* bytes; size -1: nobody knows */
	int64_t asked, again; /* requests in all, and asked once more */
	bool whole; /* the server knows no ranges */
};
void npyio_remote_traffic(const struct npyio_remote *r,
			  struct npyio_traffic *traffic);

#endif /* NPYIO_REMOTE_H */
