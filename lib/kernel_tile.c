/*
 * kernel_tile.c - transposed access: neighbours of a column are neighbours in
 * memory
 *
 * Walking along the rows would take one element from each cache line and come
 * back for the next when the line is gone.  A square tile is read column by
 * column into a buffer that stays in the first cache, and written from there
 * row by row: with rows a power of two apart, elements written straight to
 * their places would evict each other.
 */
#include "kernel.h"
#include "kernel_types.h"
#include "minmax.h"

#include <stddef.h>
#include <string.h>

/* 'size' elements a side: 16 KiB of tile at the most. */
#define TILE_KERNEL(type, name, size)                                          \
	static void name##_tile(char *restrict dst, int64_t dst_stride,        \
				const char *restrict src, int64_t rows,        \
				int64_t columns, int64_t step)                 \
	{                                                                      \
		type tile[size][size];                                         \
                                                                               \
		for (ptrdiff_t c = 0; c < columns; c++) {                      \
			const type *column =                                   \
				(const type *)(const void *)(src + c * step);  \
			for (ptrdiff_t r = 0; r < rows; r++)                   \
				tile[r][c] = column[r];                        \
		}                                                              \
		for (ptrdiff_t r = 0; r < rows; r++)                           \
			memcpy(dst + r * dst_stride, tile[r],                  \
			       (size_t)columns * sizeof(type));                \
	}                                                                      \
                                                                               \
	static void name(char *dst, int64_t dst_stride, const char *src,       \
			 int64_t rows, int64_t row_stride, int64_t n,          \
			 int64_t step)                                         \
	{                                                                      \
		for (int64_t r = 0; r < rows; r += size)                       \
			for (int64_t c = 0; c < n; c += size)                  \
				name##_tile(dst + r * dst_stride +             \
						    c * (int64_t)sizeof(type), \
					    dst_stride,                        \
					    src + r * row_stride + c * step,   \
					    tsl_min(rows - r, size),           \
					    tsl_min(n - c, size), step);       \
	}

TILE_KERNEL(any_u1, tile_1, 64)
TILE_KERNEL(any_u2, tile_2, 64)
TILE_KERNEL(any_u4, tile_4, 64)
TILE_KERNEL(any_u8, tile_8, 32)
TILE_KERNEL(any_u16, tile_16, 32)

tsl_kernel *
tsl_tile_kernel_for(int64_t width)
{
	static tsl_kernel *const kernels[] = { tile_1, tile_2, tile_4, tile_8,
					       tile_16 };

	return kernels[__builtin_ctzll((unsigned long long)width)];
}
