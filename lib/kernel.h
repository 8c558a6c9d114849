/*
 * kernel.h - the loops that move elements
 *
 * A kernel checks nothing: the op that calls it proved every address.  Source
 * and destination do not overlap and need no alignment.
 */
#ifndef TSL_KERNEL_H
#define TSL_KERNEL_H

#include <stdint.h>

/*
 * A kernel writes 'rows' rows of n elements densely to 'dst'.  Row r begins
 * at src + r * row_stride; its elements lie 'step' bytes apart.
 */
typedef void tsl_kernel(char *dst, const char *src, int64_t rows,
			int64_t row_stride, int64_t n, int64_t step);

/*
 * tsl_kernel_for() picks the kernel for elements of 'width' bytes (1, 2, 4, 8
 * or 16), 'step' bytes apart.  One decision, outside the loops.
 */
tsl_kernel *tsl_kernel_for(int64_t width, int64_t step);

#endif /* TSL_KERNEL_H */
