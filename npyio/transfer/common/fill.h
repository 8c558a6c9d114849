/*
 * fill.h - updates that are one element, repeated
 */
#ifndef NPYIO_FILL_H
#define NPYIO_FILL_H

#include <stdint.h>

/*
 * npyio_fill() makes bytes [first, first + n) of the element 'fill' of 'size'
 * bytes, more than none, repeated.
 */
void npyio_fill(char *dst, int64_t first, int64_t n, const char *fill,
		int64_t size);

#endif /* NPYIO_FILL_H */
