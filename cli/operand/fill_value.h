/*
 * fill_value.h - one element, for all that no array has elements for
 */
#ifndef CLI_FILL_VALUE_H
#define CLI_FILL_VALUE_H

#include "lib/base/dtype.h"
#include "lib/base/status.h"

/*
 * fill_value_new() makes the element that 'literal' is, see scalar.h, or, where
 * that is NULL, one of zero bytes.  The caller frees it, on failure too.
 *
 * Returns TSL_OK; TSL_EBAD_VALUE, with 'name' as the error's subject;
 * TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE fill_value_new(char **element_new,
					    const struct tsl_dtype *dtype,
					    const char *literal,
					    const char *name,
					    struct tsl_error *err);

#endif /* CLI_FILL_VALUE_H */
