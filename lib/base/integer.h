/*
 * integer.h - integers as text
 */
#ifndef TSL_INTEGER_H
#define TSL_INTEGER_H

#include "status.h"

#include <stddef.h>

/*
 * tsl_parse_int64() reads the whole of text[0, len) as a decimal integer: an
 * optional '-', then digits with no leading zero.  The same numbers are taken
 * in slices, lists and JSON.
 *
 * Returns TSL_OK; TSL_ESYNTAX; or TSL_EOVERFLOW with '*value' saturated.
 */
enum tsl_status TSL_MUST_USE tsl_parse_int64(const char *text, size_t len,
					     int64_t *value);

#endif /* TSL_INTEGER_H */
