/*
 * scalar.h - one element from text, as it stands on a command line
 */
#ifndef TSL_SCALAR_H
#define TSL_SCALAR_H

#include "dtype.h"
#include "status.h"

#include <stddef.h>

/*
 * tsl_scalar_parse() makes one element of a type from text: true, True, 1,
 * false, False or 0; a decimal integer that fits; a number as decimal.h has
 * it; a complex one of the forms 1, 2j and 1+2j; for S and U text that fits,
 * in UTF-8.  The value is the one that numpy.array(text, dtype) has; for the
 * numbers of minifloat.h the nearest.
 *
 *	element		dtype->size bytes, in the type's byte order; what is
 *			padding in it is zero
 *
 * Returns TSL_OK; TSL_EBAD_VALUE if the text is none of these or does not fit,
 * or if the type is another; 'element' is then unspecified.
 */
enum tsl_status TSL_MUST_USE tsl_scalar_parse(const struct tsl_dtype *dtype,
					      const char *text, size_t len,
					      char *element,
					      struct tsl_error *err);

#endif /* TSL_SCALAR_H */
