/*
 * header.h - the header of an .npy file: bytes to array, array to bytes
 *
 *	93 'NUMPY' major minor | text length, 2 bytes (version 1) or 4 | text
 *
 * The text is a Python dict literal of exactly descr, fortran_order and
 * shape, and says all there is to say of the array; its data follow at once.
 * Versions 1.0 and 2.0 are Latin-1, 3.0 is UTF-8.
 *
 * Source: NumPy, numpy/lib/format.py.
 */
#ifndef NPYIO_HEADER_H
#define NPYIO_HEADER_H

#include "lib/base/array.h"
#include "text.h"

#define NPYIO_MAX_PREFIX 12
#define NPYIO_MAX_HEADER \
	(1024 * 1024) /* bytes of text we are willing to read */

struct npyio_prefix {
	int version; /* 1, 2 or 3 */
	int64_t text_offset; /* 10 or 12 */
	int64_t text_nbytes; /* 0..NPYIO_MAX_HEADER */
};

/*
 * npyio_prefix_parse() reads what stands before the text from the first 'len'
 * bytes of a file, of which it looks at NPYIO_MAX_PREFIX at most.  'len' is
 * less than that only where the file ends there.
 *
 * Returns TSL_OK; TSL_EEMPTY_FILE, TSL_EBAD_MAGIC, TSL_EBAD_VERSION,
 * TSL_ETRUNCATED_HEADER; TSL_EBAD_HEADER for a text that is too long.
 */
enum tsl_status TSL_MUST_USE npyio_prefix_parse(struct npyio_prefix *prefix,
						const unsigned char *bytes,
						size_t len,
						struct tsl_error *err);

/*
 * npyio_header_parse() reads the text of a header.  'array' is checked (see
 * tsl_array_check), and its dtype's descr points to *descr_new, which the
 * caller frees, on failure too.
 *
 * Returns TSL_OK; TSL_EBAD_HEADER, TSL_EBAD_SHAPE, TSL_EBAD_DESCR,
 * TSL_EOBJECT_DTYPE; TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE npyio_header_parse(struct tsl_array *array,
						char **descr_new, int version,
						const char *text, size_t len,
						struct tsl_error *err);

/*
 * npyio_header_format() appends prefix and text as numpy.save (1.24 or later)
 * writes them for 'array', to the byte.
 *
 * Returns TSL_OK; TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE npyio_header_format(struct npyio_text *out,
						 const struct tsl_array *array,
						 struct tsl_error *err);

/* npyio_header_length() stores how many bytes that would be. */
enum tsl_status TSL_MUST_USE npyio_header_length(const struct tsl_array *array,
						 int64_t *length,
						 struct tsl_error *err);

/*
 * npyio_header_put_dim() has prefix and text, 'len' bytes that were parsed, say
 * that an axis has the size 'dim'.  Everything else stays, and the length, for
 * there are blanks at the end to be had; what numpy.save wrote becomes what it
 * would write.
 *
 * Returns TSL_OK; TSL_EBAD_HEADER where there is no room; TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE npyio_header_put_dim(char *header, size_t len,
						  int axis, int64_t dim,
						  struct tsl_error *err);

#endif /* NPYIO_HEADER_H */
