/*
 * extend.h - an array file that grows at its end, in place
 *
 * Data first, and then what of the header has changed, by one write: whenever
 * that is interrupted the file begins with one whole array or the other.  What
 * an interrupted one has left behind the array is written over by the next.
 */
#ifndef NPYIO_EXTEND_H
#define NPYIO_EXTEND_H

#include "lib/base/array.h"
#include "writer.h"

struct npyio_extend {
	const char *path;
	int fd; /* locked against others; -1: not open */
	struct tsl_array array; /* as it is */
	char *descr;
	int64_t data_offset, end; /* in the file, of the array */
	struct npyio_writer *writer; /* of what is added */
};

/*
 * npyio_extend_open() opens the regular file 'path', waits until nobody else
 * extends it, and reads its header.  To be closed on failure too.
 *
 * Returns TSL_OK; a status of the header; TSL_ETRUNCATED_DATA; for a file of
 * several arrays TSL_ETRAILING_DATA; TSL_EIO, TSL_EMEMORY; all with the
 * subject set.
 */
enum tsl_status TSL_MUST_USE npyio_extend_open(struct npyio_extend *x,
					       const char *path,
					       struct tsl_error *err);

/*
 * npyio_extend_begin() makes x->writer, which is positional and writes from
 * the end of the array on.  What is there is cut off, and whatever ends the
 * process, if it can be caught, leaves the file like that.
 *
 * npyio_extend_commit() has the file be the array 'as'.  'sync': data are on
 * the disk before the header changes, and all is in the end.
 *
 * Return TSL_OK; TSL_EIO, TSL_EMEMORY; commit TSL_EBAD_HEADER where there is no
 * room for the new header, which npyio_extend_check() finds out beforehand.
 */
enum tsl_status TSL_MUST_USE npyio_extend_begin(struct npyio_extend *x,
						struct tsl_error *err);
enum tsl_status TSL_MUST_USE npyio_extend_check(const struct npyio_extend *x,
						const struct tsl_array *as,
						struct tsl_error *err);
enum tsl_status TSL_MUST_USE npyio_extend_commit(struct npyio_extend *x,
						 const struct tsl_array *as,
						 bool sync,
						 struct tsl_error *err);

/* npyio_extend_close() leaves the old array, unless another was committed. */
void npyio_extend_close(struct npyio_extend *x);

#endif /* NPYIO_EXTEND_H */
