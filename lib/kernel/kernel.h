/*
 * kernel.h - the loops that move elements
 *
 * A kernel checks nothing: the op that calls it proved every address.  Source
 * and destination do not overlap and need no alignment.  No kernel writes a
 * byte beside its rows, nor reads one that lies outside all of them together.
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
 * or 16), 'step' bytes apart in rows of n elements that are 'row_stride' bytes
 * apart.  One decision, outside the loops.  The kernel is right for any other
 * n too, and for any other row_stride, if this one was not width or -width.
 */
tsl_kernel *tsl_kernel_for(int64_t width, int64_t step, int64_t row_stride,
			   int64_t n);

/*
 * A tile kernel does the same for elements that lie side by side in a column
 * and far apart in a row: row_stride is the width, or less than nothing by as
 * much.  Row r goes to dst + r * dst_stride.
 */
typedef void tsl_tile_kernel(char *dst, int64_t dst_stride, const char *src,
			     int64_t rows, int64_t row_stride, int64_t n,
			     int64_t step);

tsl_tile_kernel *tsl_tile_kernel_for(int64_t width);

/*
 * A spread writes to places that may lie anywhere: element i of row r goes from
 * src + r * src_row + i * src_step to dst + r * dst_row + i * dst_step.  No
 * place is written twice, nor any byte between them.
 */
typedef void tsl_spread(char *dst, int64_t dst_row, int64_t dst_step,
			const char *src, int64_t src_row, int64_t src_step,
			int64_t rows, int64_t n);

/* tsl_spread_for() is that for elements of 1, 2, 4, 8 or 16 bytes. */
tsl_spread *tsl_spread_for(int64_t width);

/*
 * tsl_put_columns() copies rows of 'nbytes', one behind the other at 'src', to
 * places dst_row bytes apart, and writes no byte between them.
 */
void tsl_put_columns(char *dst, int64_t dst_row, const char *src, size_t nbytes,
		     int64_t rows);

/*
 * A weave takes an element of each source in turn, 'rows' times.
 * tsl_interleave_for() is that for n sources of elements of 'width' bytes; NULL
 * if there is none: 2 to 4 of 1, 2, 4 or 8 bytes.
 */
typedef void tsl_interleave(char *dst, const char *const src[], int64_t rows);
tsl_interleave *tsl_interleave_for(int64_t width, int64_t n);

/*
 * tsl_gather_rows() copies n rows of 'nbytes' to their places.  Each word of
 * place[0..n-1] is one of them: its number in the low 'bits' bits, fewer than
 * 64, and in those above the byte at which it begins; 'in' holds the bytes from
 * 'lo' on.  Row number i goes to dst + i * nbytes.
 */
void tsl_gather_rows(char *dst, const char *in, int64_t lo,
		     const uint64_t *place, int bits, int64_t n, size_t nbytes);

/*
 * tsl_take_rows() does so for many tables, 'apart' bytes from one to the next,
 * the first at 'in': the n rows of 'nbytes' that begin at bytes row[0..n-1] of
 * each go to 'dst' without gaps, those of a table behind those of the one
 * before it.  For a row below 0 zeros go there.
 */
void tsl_take_rows(char *dst, const char *in, int64_t ntables, int64_t apart,
		   const int64_t *row, int64_t n, size_t nbytes);

/*
 * tsl_put_rows() is the inverse: for each word of place[0..n-1], in this order,
 * row number i at src + i * nbytes goes to the byte at which it begins, and no
 * other byte is written.  'out' holds the bytes from 'lo' on.
 */
void tsl_put_rows(char *out, int64_t lo, const char *src, const uint64_t *place,
		  int bits, int64_t n, size_t nbytes);

/*
 * tsl_differ_for() counts those of n elements of 'width' bytes that are not the
 * same in 'a' and 'b', bit for bit.  With a 'unit' of 2, 4 or 8 they are
 * numbers, or several of them, of so many bytes, which in 'b' stand the other
 * way round; 0: they do not.  Only those of 4 and 8 bytes may be several.
 */
typedef int64_t tsl_differ(const char *a, const char *b, int64_t n,
			   int64_t width);
tsl_differ *tsl_differ_for(int64_t width, int64_t unit);

#endif /* TSL_KERNEL_H */
