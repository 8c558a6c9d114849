/*
 * fetch.h - the elements of a view of an input, into memory
 *
 * However the input is best got at: read into place, read with the gaps
 * between, mapped part by part, or taken from a stream as it comes; never more
 * of it at once than was allowed.
 */
#ifndef NPYIO_FETCH_H
#define NPYIO_FETCH_H

#include "lib/op/job.h"
#include "npyio/file/window.h"
#include "npyio/input/reader.h"

/* With less room than this, that of a huge page, all is read. */
#define NPYIO_MIN_MAPPED_ROOM ((int64_t)2 * 1024 * 1024)

/* Runs of at least so many bytes are worth a read each, into place. */
#define NPYIO_LONG_RUN ((int64_t)16 * 1024)

/* Used by one thread at a time; several may fetch from one reader. */
struct npyio_fetch {
	struct npyio_reader *in;
	int64_t room; /* bytes of input that may be held at once */
	struct npyio_window window;
	const char
		*mapped; /* all that is wanted; NULL: not mapped as a whole */
	int64_t mapped_lo; /* of the input, its first byte */
	char *scratch;
	int64_t scratch_nbytes;
	bool forward; /* from a stream that is not kept */
	int64_t lo, hi; /* its bytes that are in scratch */
};

/*
 * npyio_fetch_init() prepares for fetching from 'in', which must outlive the
 * fetch: a regular file, what was kept of a stream, or a stream that nobody
 * has taken data from, which is then fetched from forward.
 */
void npyio_fetch_init(struct npyio_fetch *f, struct npyio_reader *in,
		      int64_t room);
void npyio_fetch_close(struct npyio_fetch *f);

/*
 * npyio_fetch_from() is for who has mapped all that is going to be fetched: at
 * 'bytes' is the input from 'lo' on, for as long as the fetch is used.
 */
void npyio_fetch_from(struct npyio_fetch *f, const char *bytes, int64_t lo);

/*
 * npyio_fetch() copies all elements of 'v' to 'dst', as tsl_view_fill() does.
 * 'pattern' is that of the view, or the one it is a part of.  From a stream,
 * no view may begin before an earlier one, nor span more than there is room;
 * if any row lies before an earlier one, in this view or the next, the pattern
 * must not be one whose rows are read into place.
 *
 * Returns TSL_OK; TSL_EIO, TSL_EMEMORY, TSL_ETRUNCATED_DATA.
 */
enum tsl_status TSL_MUST_USE npyio_fetch(struct npyio_fetch *f,
					 enum tsl_pattern pattern,
					 const struct tsl_view *v,
					 const int64_t dst_stride[], char *dst,
					 struct tsl_error *err);

/*
 * npyio_fetch_packed() copies all elements of 'v' to 'dst' in the order of the
 * input, without gaps, and stores the view that they are there.  Not from a
 * stream.
 */
enum tsl_status TSL_MUST_USE npyio_fetch_packed(struct npyio_fetch *f,
						enum tsl_pattern pattern,
						const struct tsl_view *v,
						struct tsl_view *packed,
						char *dst,
						struct tsl_error *err);

/* npyio_fetch_bytes() copies bytes [lo, lo + n) of the input to 'dst'. */
enum tsl_status TSL_MUST_USE npyio_fetch_bytes(struct npyio_fetch *f,
					       int64_t lo, int64_t n, char *dst,
					       struct tsl_error *err);

/*
 * npyio_fetch_expect() is for n runs of 'nbytes' that are about to be fetched,
 * at offset[] of the input, or nowhere if that is negative.  If the first has
 * to come from a disk, some are asked for at once: it answers them together
 * sooner than one after the other.
 */
void npyio_fetch_expect(const struct npyio_fetch *f, const int64_t offset[],
			int64_t n, int64_t nbytes);
#define NPYIO_MAX_EXPECTED 64

/*
 * npyio_fetch_look() is bytes [lo, hi) of the input, mapped or read, until the
 * next call on 'f'.  They must be no more than there is room for.
 */
enum tsl_status TSL_MUST_USE npyio_fetch_look(struct npyio_fetch *f, int64_t lo,
					      int64_t hi, bool map,
					      const char **bytes,
					      struct tsl_error *err);

#endif /* NPYIO_FETCH_H */
