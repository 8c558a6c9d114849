/*
 * kernel_copy.c - rows of elements a constant number of elements apart
 *
 * One small function for each width and step, so that the compiler knows both
 * and makes vector code of the loop.  With typed pointers, not memcpy: gcc 12
 * leaves the memcpy form of a 1- or 2-byte element scalar.  The index is
 * signed: with size_t the address might wrap and gcc does not vectorise.
 */
#include "kernel.h"
#include "kernel_types.h"

#include <stddef.h>
#include <string.h>

static void
copy_rows(char *dst, int64_t dst_stride, const char *src, int64_t rows,
	  int64_t row_stride, int64_t n, int64_t step)
{
	size_t nbytes = (size_t)(n * step);

	for (int64_t r = 0; r < rows; r++)
		memcpy(dst + r * dst_stride, src + r * row_stride, nbytes);
}

/* step is k times the width; k is a constant */
#define CONSTANT_STEP(type, name, k)                                          \
	static void name(char *dst, int64_t dst_stride, const char *src,      \
			 int64_t rows, int64_t row_stride, int64_t n,         \
			 int64_t step)                                        \
	{                                                                     \
		(void)step;                                                   \
		for (int64_t r = 0; r < rows; r++) {                          \
			type *restrict d =                                    \
				(type *)(void *)(dst + r * dst_stride);       \
			const type *restrict s =                              \
				(const type *)(const void *)(src +            \
							     r * row_stride); \
			for (ptrdiff_t i = 0; i < n; i++)                     \
				d[i] = s[(k)*i];                              \
		}                                                             \
	}

/* step is any number of bytes */
#define ANY_STEP(type, name)                                                   \
	static void name(char *dst, int64_t dst_stride, const char *src,       \
			 int64_t rows, int64_t row_stride, int64_t n,          \
			 int64_t step)                                         \
	{                                                                      \
		for (int64_t r = 0; r < rows; r++) {                           \
			type *restrict d =                                     \
				(type *)(void *)(dst + r * dst_stride);        \
			const char *restrict s = src + r * row_stride;         \
			for (ptrdiff_t i = 0; i < n; i++)                      \
				d[i] = *(                                      \
					const type *)(const void *)(s +        \
								    i * step); \
		}                                                              \
	}

#define WIDTH(w)                                 \
	CONSTANT_STEP(any_u##w, reverse_##w, -1) \
	CONSTANT_STEP(any_u##w, step2_##w, 2)    \
	CONSTANT_STEP(any_u##w, step3_##w, 3)    \
	CONSTANT_STEP(any_u##w, step4_##w, 4)    \
	ANY_STEP(any_u##w, step_##w)

WIDTH(2)
WIDTH(4)
WIDTH(8)
WIDTH(16)
CONSTANT_STEP(any_u1, step2_1, 2)
CONSTANT_STEP(any_u1, step3_1, 3)
CONSTANT_STEP(any_u1, step4_1, 4)
ANY_STEP(any_u1, step_1)

/* gcc does not vectorise reversed bytes; a word at a time it need not. */
static void
reverse_1(char *dst, int64_t dst_stride, const char *src, int64_t rows,
	  int64_t row_stride, int64_t n, int64_t step)
{
	(void)step;
	for (int64_t r = 0; r < rows; r++) {
		const char *s = src + r * row_stride;
		int64_t i = 0;

		for (; i + 8 <= n; i += 8) {
			uint64_t word;

			memcpy(&word, s - i - 7, 8);
			word = __builtin_bswap64(word);
			memcpy(dst + i, &word, 8);
		}
		for (; i < n; i++)
			dst[i] = s[-i];
		dst += dst_stride;
	}
}

tsl_kernel *
tsl_kernel_for(int64_t width, int64_t step)
{
#define STEPS(w)                                                       \
	{                                                              \
		reverse_##w, step2_##w, step3_##w, step4_##w, step_##w \
	}
	static tsl_kernel *const kernels[][5] = { STEPS(1), STEPS(2), STEPS(4),
						  STEPS(8), STEPS(16) };
	int w = __builtin_ctzll((unsigned long long)width);

	if (step == width)
		return copy_rows;
	if (step == -width)
		return kernels[w][0];
	for (int k = 2; k <= 4; k++)
		if (step == k * width)
			return kernels[w][k - 1];
	return kernels[w][4];
}
