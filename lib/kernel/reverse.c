/*
 * reverse.c - rows of elements next to each other, backwards
 *
 * A vector at a time.  The last one of a row ends where the row does and
 * overlaps the one before, so that no row has a tail of single elements.
 */
#include "types.h"

#include <string.h>

/* reverse_<name>(): the elements of 'size' bytes at src, last one first. */
#define REVERSE(name, bits, size, ...)                                \
	ALWAYS_INLINE void reverse_##name(char *dst, const char *src) \
	{                                                             \
		typedef uint##bits##_t vector                         \
			__attribute__((vector_size(size)));           \
		vector v;                                             \
                                                                      \
		memcpy(&v, src, size);                                \
		v = SHUFFLE(vector, v, v, __VA_ARGS__);               \
		memcpy(dst, &v, size);                                \
	}

REVERSE(u4x4, 32, 16, 3, 2, 1, 0)
REVERSE(u8x2, 64, 16, 1, 0)
REVERSE(u1x16, 8, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
REVERSE(u1x32, 8, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18,
	17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
REVERSE(u2x16, 16, 32, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
REVERSE(u4x8, 32, 32, 7, 6, 5, 4, 3, 2, 1, 0)
REVERSE(u8x4, 64, 32, 3, 2, 1, 0)

/* In the two steps that SSE2 has, so as not to be taken apart. */
ALWAYS_INLINE void
reverse_u2x8(char *dst, const char *src)
{
	typedef uint32_t words __attribute__((vector_size(16)));
	words w;

	memcpy(&w, src, 16);
	w = SHUFFLE(words, w, w, 3, 2, 1, 0);
	w = w >> 16 | w << 16;
	memcpy(dst, &w, 16);
}

/* Without AVX2 there is no such shuffle of bytes, but a swap of words. */
ALWAYS_INLINE void
reverse_u1x16_words(char *dst, const char *src)
{
	uint64_t word[2];

	memcpy(word, src, 16);
	word[0] = __builtin_bswap64(word[0]);
	word[1] = __builtin_bswap64(word[1]);
	memcpy(dst, &word[1], 8);
	memcpy(dst + 8, &word[0], 8);
}

/* Vectors of 'count' elements of w bytes; rows of fewer one by one. */
#define REVERSE_ROWS(attr, name, w, count)                                    \
	attr static void rows_##name(KERNEL_ARGS)                             \
	{                                                                     \
		if (n < (count)) {                                            \
			tsl_step_kernel_for(w)(dst, src, rows, row_stride, n, \
					       step);                         \
			return;                                               \
		}                                                             \
		for (int64_t r = 0; r < rows; r++) {                          \
			char *d = dst + r * n * (w);                          \
			const char *s =                                       \
				src + (r * row_stride - ((count)-1) * (w));   \
			int64_t i = 0;                                        \
                                                                              \
			for (; i < n - (count); i += (count))                 \
				reverse_##name(d + i * (w), s - i * (w));     \
			i = n - (count);                                      \
			reverse_##name(d + i * (w), s - i * (w));             \
		}                                                             \
	}

REVERSE_ROWS(, u1x16_words, 1, 16)
REVERSE_ROWS(, u2x8, 2, 8)
REVERSE_ROWS(, u4x4, 4, 4)
REVERSE_ROWS(, u8x2, 8, 2)
REVERSE_ROWS(AVX2, u1x16, 1, 16)
REVERSE_ROWS(AVX2, u1x32, 1, 32)
REVERSE_ROWS(AVX2, u2x16, 2, 16)
REVERSE_ROWS(AVX2, u4x8, 4, 8)
REVERSE_ROWS(AVX2, u8x4, 8, 4)

tsl_kernel *
tsl_reverse_kernel_for(int64_t width, int64_t n)
{
	static tsl_kernel *const kernels[][4] = {
		/* of 16 bytes; the same with AVX2; of 32 bytes with AVX2 */
		{ rows_u1x16_words, rows_u1x16, rows_u1x32 },
		{ rows_u2x8, rows_u2x8, rows_u2x16 },
		{ rows_u4x4, rows_u4x4, rows_u4x8 },
		{ rows_u8x2, rows_u8x2, rows_u8x4 },
	};
	int w = __builtin_ctzll((unsigned long long)width);

	if (width > 8 || n * width < 16)
		return NULL;
	return kernels[w][tsl_have_avx2() ? 1 + (n * width >= 32) : 0];
}
