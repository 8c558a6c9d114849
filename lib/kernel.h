/*
 * kernel.h - the loops that move elements
 *
 * A kernel checks nothing: the op that calls it proved every address.  Source
 * and destination do not overlap and need no alignment.
 */
#ifndef TSL_KERNEL_H
#define TSL_KERNEL_H

#include <stddef.h>
#include <stdint.h>

/*
 * A kernel writes 'rows' rows of n elements densely to 'dst'.  Row r begins
 * at src + r * row_stride; its elements lie 'step' bytes apart.
 */
typedef void tsl_kernel(char *dst, const char *src, int64_t rows,
			int64_t row_stride, int64_t n, int64_t step);

/*
 * tsl_kernel_for() picks the kernel for elements of 'width' bytes (1, 2, 4, 8
 * or 16), 'step' bytes apart in rows 'row_stride' bytes apart.  One decision,
 * outside the loops; the kernel is right for any other row_stride too, if this
 * one was not the width.
 */
tsl_kernel *tsl_kernel_for(int64_t width, int64_t step, int64_t row_stride);

/*
 * tsl_tile_kernel_for() is the kernel for elements that lie side by side in a
 * column and far apart in a row: row_stride is the width.
 */
tsl_kernel *tsl_tile_kernel_for(int64_t width);

/*
 * tsl_copy_rows() writes 'n' rows of 'nbytes' one behind the other to 'dst'.
 * Row i is at byte offset row[i], or zeros if that is negative; 'in' holds
 * the bytes from offset 'lo' on.
 */
void tsl_copy_rows(char *dst, const char *in, int64_t lo, const int64_t *row,
		   int64_t n, size_t nbytes);

#endif /* TSL_KERNEL_H */
