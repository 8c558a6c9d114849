/*
 * append.h - an array file that grows at its end
 *
 * Of a file that is there: data first, and then what of the header has changed,
 * by one write: whenever that is interrupted the file begins with one whole
 * array or the other.  What an interrupted one has left behind the array is
 * written over by the next, or cut off.  Readers know by the lock what it is;
 * see growing_header.h.  Its header stays what it is, but for the size.
 *
 * Of a new one: a header, which has room for any size, data, and the header
 * once more.
 *
 * The array grows along its outermost axis.
 */
#ifndef NPYIO_APPEND_H
#define NPYIO_APPEND_H

#include "lib/base/array.h"
#include "writer.h"

struct npyio_append {
	struct npyio_writer
		*writer; /* of what is added; NULL: nothing is yet */
	struct tsl_array array; /* as it is, with what is being added */
	enum tsl_order order; /* along whose outermost axis it grows */
	/* Of a file that is there: */
	const char *path; /* NULL: it is a new one */
	int fd; /* locked against others; -1: not open */
	char *descr;
	char *header; /* all of it, data_offset bytes */
	int64_t data_offset, end; /* in the file, of the array */
	bool has_rest; /* behind the end */
	/* Of a new one: */
	struct npyio_writer *out; /* the caller's */
	bool headless;
};

/*
 * npyio_append_open() opens the regular file 'path', waits until nobody else
 * extends it, and reads its header.  To be closed on failure too.
 *
 * Returns TSL_OK; a status of the header; TSL_ETRUNCATED_DATA; for a file of
 * several arrays TSL_ETRAILING_DATA; TSL_EIO, TSL_EMEMORY; all with the
 * subject set.
 */
enum tsl_status TSL_MUST_USE npyio_append_open(struct npyio_append *x,
					       const char *path,
					       struct tsl_error *err);

/*
 * npyio_append_new() is for a new array, which 'out', positional and the
 * caller's, is to have.  'headless': the array's data alone.
 */
void npyio_append_new(struct npyio_append *x, struct npyio_writer *out,
		      enum tsl_order order, bool headless);

/* npyio_append_cut() cuts off what an interrupted one has left. */
enum tsl_status TSL_MUST_USE npyio_append_cut(struct npyio_append *x, bool sync,
					      struct tsl_error *err);

/*
 * npyio_append_add() has the array grow by 'more', of which a new one takes all
 * but the size from the first, and makes x->writer, positional, which writes
 * from the end of the array on.  What is there is cut off, and whatever ends
 * the process, if it can be caught, leaves the file like that.
 *
 * npyio_append_commit() has the header speak of all that was added.  'sync', of
 * a file that is there: data are on the disk before, and all is in the end.
 *
 * Return TSL_OK; TSL_EIO, TSL_EMEMORY; add TSL_ETOO_LARGE, and TSL_EBAD_HEADER
 * where there is no room for the new header.
 */
enum tsl_status TSL_MUST_USE npyio_append_add(struct npyio_append *x,
					      const struct tsl_array *more,
					      struct tsl_error *err);
enum tsl_status TSL_MUST_USE npyio_append_commit(struct npyio_append *x,
						 bool sync,
						 struct tsl_error *err);

/* npyio_append_close() leaves the old array, unless another was committed. */
void npyio_append_close(struct npyio_append *x);

#endif /* NPYIO_APPEND_H */
