/*
 * rows.c - rows of elements, any step apart, or a constant one
 *
 * Where a step is constant the compiler knows it, and makes vector code of the
 * loop.  With typed pointers, not memcpy: gcc 12 leaves the memcpy form of a
 * 1- or 2-byte element scalar.  The index is signed: with size_t the address
 * might wrap and gcc does not vectorise.
 */
#include "types.h"

#include <string.h>

void
tsl_memcpy_kernel(KERNEL_ARGS)
{
	size_t nbytes = (size_t)(n * step);

	for (int64_t r = 0; r < rows; r++)
		memcpy(dst + (size_t)r * nbytes, src + r * row_stride, nbytes);
}

/* ---- any step ------------------------------------------------------------ */

/*
 * Four elements at a time, loaded before the first is stored: that is as fast
 * as vector code with a constant step for all but small elements.
 */
#define ANY_STEP(w)                                                          \
	static void step_u##w(KERNEL_ARGS)                                   \
	{                                                                    \
		for (int64_t r = 0; r < rows; r++) {                         \
			const char *s = src + r * row_stride;                \
			any_u##w part[4];                                    \
			int64_t i = 0;                                       \
                                                                             \
			for (; i + 4 <= n; i += 4) {                         \
				for (int k = 0; k < 4; k++)                  \
					memcpy(&part[k], s + (i + k) * step, \
					       w);                           \
				memcpy(dst, part, sizeof(part));             \
				dst += sizeof(part);                         \
			}                                                    \
			for (; i < n; i++) {                                 \
				memcpy(dst, s + i * step, w);                \
				dst += (w);                                  \
			}                                                    \
		}                                                            \
	}

ANY_STEP(1)
ANY_STEP(2)
ANY_STEP(4)
ANY_STEP(8)

static void
step_u16(KERNEL_ARGS)
{
	for (int64_t r = 0; r < rows; r++)
		for (int64_t i = 0; i < n; i++) {
			memcpy(dst, src + (r * row_stride + i * step), 16);
			dst += 16;
		}
}

tsl_kernel *
tsl_step_kernel_for(int64_t width)
{
	static tsl_kernel *const kernels[] = { step_u1, step_u2, step_u4,
					       step_u8, step_u16 };

	return kernels[__builtin_ctzll((unsigned long long)width)];
}

/* ---- constant steps ------------------------------------------------------ */

/* step is k times the width */
#define CONSTANT_STEP(attr, name, w, k)                                        \
	attr static void name(KERNEL_ARGS)                                     \
	{                                                                      \
		(void)step;                                                    \
		for (int64_t r = 0; r < rows; r++) {                           \
			any_u##w *restrict d =                                 \
				(any_u##w *)(void *)dst + r * n;               \
			const any_u##w *restrict s =                           \
				(const any_u##w *)(const void                  \
							   *)(src +            \
							      r * row_stride); \
                                                                               \
			for (ptrdiff_t i = 0; i < n; i++)                      \
				d[i] = s[(k)*i];                               \
		}                                                              \
	}

/* The rest of the table was measured to be no faster than any step. */
CONSTANT_STEP(, step2_u1, 1, 2)
CONSTANT_STEP(, step4_u1, 1, 4)
CONSTANT_STEP(, step2_u2, 2, 2)
CONSTANT_STEP(AVX2, step2_u1_avx2, 1, 2)
CONSTANT_STEP(AVX2, step3_u1_avx2, 1, 3)
CONSTANT_STEP(AVX2, step4_u1_avx2, 1, 4)
CONSTANT_STEP(AVX2, step2_u2_avx2, 2, 2)
CONSTANT_STEP(AVX2, step3_u2_avx2, 2, 3)
CONSTANT_STEP(AVX2, step4_u2_avx2, 2, 4)
CONSTANT_STEP(AVX2, step2_u4_avx2, 4, 2)

/* Rows that are shorter do not repay the vector code's ends. */
#define MIN_VECTOR_ROW 24

tsl_kernel *
tsl_row_kernel_for(int64_t width, int64_t step, int64_t n)
{
	static tsl_kernel *const kernels[2][3][3] = {
		{ { step2_u1, NULL, step4_u1 }, { step2_u2 } },
		{ { step2_u1_avx2, step3_u1_avx2, step4_u1_avx2 },
		  { step2_u2_avx2, step3_u2_avx2, step4_u2_avx2 },
		  { step2_u4_avx2 } },
	};
	int w = __builtin_ctzll((unsigned long long)width);
	tsl_kernel *kernel = NULL;

	if (width <= 4 && n * width >= MIN_VECTOR_ROW)
		for (int k = 2; k <= 4; k++)
			if (step == k * width)
				kernel = kernels[tsl_have_avx2()][w][k - 2];
	return kernel ? kernel : tsl_step_kernel_for(width);
}
