/*
 * raw.h - elements without a header, of which the name says what they are
 *
 *	raw:DTYPE:SHAPE[@OFFSET]:FILE
 *
 * DTYPE is one as NumPy writes it, of no structured type; SHAPE sizes, of which
 * the first may be -1, as many as there are; OFFSET the BYTES before the first
 * element.  FILE is all that follows, colons too.  The order is C.
 */
#ifndef NPYIO_RAW_H
#define NPYIO_RAW_H

#include "lib/base/array.h"
#include "lib/base/status.h"

struct npyio_raw {
	struct tsl_array array;
	char *descr; /* the dtype's; owned */
	bool is_open; /* the first size is what there is */
	int64_t row; /* bytes of a row, then */
	int64_t offset;
	const char *file; /* the end of the name */
};

bool npyio_raw_is(const char *name);

/*
 * npyio_raw_parse() takes such a name, which must outlive 'raw', apart.
 * npyio_raw_free() is due, on failure too.
 *
 * Returns TSL_OK; TSL_ESYNTAX, TSL_EOVERFLOW; TSL_ETOO_LARGE; TSL_EBAD_RESHAPE
 * for rows of no bytes, as many as there are; TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE npyio_raw_parse(struct npyio_raw *raw,
					     const char *name,
					     struct tsl_error *err);
void npyio_raw_free(struct npyio_raw *raw);

/*
 * npyio_raw_fit() settles the first size, and checks that the array fits, where
 * there are 'nbytes' from OFFSET on, less than 0 if not even that.  Returns
 * TSL_OK; TSL_ETRUNCATED.
 */
enum tsl_status TSL_MUST_USE npyio_raw_fit(struct npyio_raw *raw,
					   int64_t nbytes,
					   struct tsl_error *err);

#endif /* NPYIO_RAW_H */
