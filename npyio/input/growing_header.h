/*
 * growing_header.h - the header of a file that somebody may be adding to
 *
 * Who adds to a file, see append.h, holds a lock on it from before the first
 * byte until the header speaks of them all.  Until then the file is the array
 * that it was.  Where nobody holds one, what lies behind the array is what is
 * left of an addition that was cut short.
 */
#ifndef NPYIO_GROWING_HEADER_H
#define NPYIO_GROWING_HEADER_H

#include "file_header.h"
#include "lib/base/array.h"

/*
 * npyio_growing_header_read() reads the header of a regular file, as
 * npyio_file_header_read() does, and checks that the file holds what it
 * promises, as npyio_file_header_check(). The source ends with the array where
 * somebody is adding to it.
 *
 * Returns what these two do.
 */
enum tsl_status TSL_MUST_USE npyio_growing_header_read(
	struct npyio_source *s, struct tsl_array *array, char **descr,
	int64_t *data_offset, enum npyio_behind behind, struct tsl_error *err);

#endif /* NPYIO_GROWING_HEADER_H */
