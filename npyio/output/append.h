/*
 * append.h - an array file that grows at its end, in place
 *
 * Data first, and then what of the header has changed, by one write: whenever
 * that is interrupted the file begins with one whole array or the other.  What
 * an interrupted one has left behind the array is written over by the next, or
 * cut off.  Readers know by the lock what it is; see settled.h.
 *
 * The array grows along its outermost axis.  Its header stays what it is, but
 * for that size.
 */
#ifndef NPYIO_APPEND_H
#define NPYIO_APPEND_H

#include "lib/base/array.h"
#include "writer.h"

struct npyio_append {
	const char *path;
	int fd; /* locked against others; -1: not open */
	struct tsl_array array; /* as it is */
	char *descr;
	char *header; /* all of it, data_offset bytes */
	int64_t data_offset, end; /* in the file, of the array */
	bool has_rest; /* behind the end */
	struct npyio_writer *writer; /* of what is added */
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

/* npyio_append_axis() is the axis along which the array grows. */
int npyio_append_axis(const struct npyio_append *x);

/* npyio_append_cut() cuts off what an interrupted one has left. */
enum tsl_status TSL_MUST_USE npyio_append_cut(struct npyio_append *x, bool sync,
					      struct tsl_error *err);

/*
 * npyio_append_begin() makes x->writer, which is positional and writes from
 * the end of the array on.  What is there is cut off, and whatever ends the
 * process, if it can be caught, leaves the file like that.
 *
 * npyio_append_commit() has the array be of size 'dim' along its axis.  'sync':
 * data are on the disk before the header changes, and all is in the end.
 *
 * Return TSL_OK; TSL_EIO, TSL_EMEMORY; commit TSL_EBAD_HEADER where there is no
 * room for the new header, which npyio_append_check() finds out beforehand.
 */
enum tsl_status TSL_MUST_USE npyio_append_begin(struct npyio_append *x,
						struct tsl_error *err);
enum tsl_status TSL_MUST_USE npyio_append_check(const struct npyio_append *x,
						int64_t dim,
						struct tsl_error *err);
enum tsl_status TSL_MUST_USE npyio_append_commit(struct npyio_append *x,
						 int64_t dim, bool sync,
						 struct tsl_error *err);

/* npyio_append_close() leaves the old array, unless another was committed. */
void npyio_append_close(struct npyio_append *x);

#endif /* NPYIO_APPEND_H */
