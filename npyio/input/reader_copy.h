/*
 * reader_copy.h - another reader of an array, for another thread
 */
#ifndef NPYIO_READER_COPY_H
#define NPYIO_READER_COPY_H

#include "reader.h"

/*
 * npyio_reader_open_copy() opens a reader of the data of 'r', which can be read
 * by position and outlives it.  What is done to one is not done to the other.
 * If there is 'room' for the data it has them in memory.
 *
 * Returns TSL_OK; TSL_EIO, TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE npyio_reader_open_copy(
	struct npyio_reader **reader_new, const struct npyio_reader *r,
	int64_t room, struct tsl_error *err);

#endif /* NPYIO_READER_COPY_H */
