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
 * A kernel writes 'rows' rows of n elements: row r, densely, to dst + r *
 * dst_stride.  In the source it begins at src + r * row_stride, and its
 * elements lie 'step' bytes apart.
 */
typedef void tsl_kernel(char *dst, int64_t dst_stride, const char *src,
			int64_t rows, int64_t row_stride, int64_t n,
			int64_t step);

/*
 * tsl_kernel_for() picks the kernel for elements of 'width' bytes (1, 2, 4, 8
 * or 16) that lie 'step' bytes apart: one decision, outside the loops.
 */
tsl_kernel *tsl_kernel_for(int64_t width, int64_t step);

/*
 * tsl_tile_kernel_for() is the kernel for elements that lie side by side in a
 * column and far apart in a row: row_stride must be the width.
 */
tsl_kernel *tsl_tile_kernel_for(int64_t width);

/*
 * tsl_pick_rows() copies n rows of 'nbytes' to their places: for each i of
 * pick[0..n-1] the one at byte offset row[i] to dst + i * nbytes.  'in' holds
 * the bytes from offset 'lo' on.
 */
void tsl_pick_rows(char *dst, const char *in, int64_t lo, const int64_t *row,
		   const uint32_t *pick, int64_t n, size_t nbytes);

#endif /* TSL_KERNEL_H */
