/*
 * file_header.h - the header of an array, from a file or a stream
 */
#ifndef NPYIO_FILE_HEADER_H
#define NPYIO_FILE_HEADER_H

#include "lib/base/array.h"
#include "source.h"

/*
 * npyio_file_header_read() reads the header at 'offset'; 'array' and '*descr'
 * are as npyio_header_parse() leaves them.  Of a stream no byte more is taken.
 * '*data_offset' is where the data begin, from the header's first byte.
 *
 * Returns TSL_OK; a status of the header, see header.h; TSL_EIO, TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE npyio_file_header_read(
	const struct npyio_source *s, int64_t offset, struct tsl_array *array,
	char **descr, int64_t *data_offset, struct tsl_error *err);

/* What may follow an array's data. */
enum npyio_behind {
	NPYIO_BEHIND_ARRAY, /* another array, or nothing */
	NPYIO_BEHIND_NOTHING, /* it is a member of an archive */
	NPYIO_BEHIND_ANY, /* what is somebody else's */
};

/*
 * npyio_file_header_check() finds out whether a file is as long as the header
 * of array 'a' promises, whose data begin at 'data_offset', and what is behind
 * them.
 *
 * Returns TSL_OK; TSL_ETRUNCATED_DATA, TSL_ETRAILING_DATA; TSL_EIO,
 * TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE npyio_file_header_check(
	const struct npyio_source *source, const struct tsl_array *a,
	int64_t data_offset, enum npyio_behind behind, struct tsl_error *err);

#endif /* NPYIO_FILE_HEADER_H */
