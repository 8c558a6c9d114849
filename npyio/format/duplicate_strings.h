/*
 * duplicate_strings.h - whether any of many strings is there twice
 */
#ifndef NPYIO_DUPLICATE_STRINGS_H
#define NPYIO_DUPLICATE_STRINGS_H

#include "lib/base/status.h"

#include <stddef.h>

struct npyio_string {
	const char *s; /* len bytes */
	size_t len;
};

/*
 * npyio_find_duplicate_string() stores which of string[0, n), n below 2^31, is
 * one that is there before it, or -1: in about as many steps as there are
 * strings, and not many more whoever chose them.  Returns TSL_OK; TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE
npyio_find_duplicate_string(const struct npyio_string *string, int64_t n,
			    int64_t *twice, struct tsl_error *err);

#endif /* NPYIO_DUPLICATE_STRINGS_H */
