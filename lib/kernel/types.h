/*
 * types.h - what the kernels share, and nobody else
 */
#ifndef TSL_KERNEL_TYPES_H
#define TSL_KERNEL_TYPES_H

#include "kernel.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Any bytes may be looked at through these, at any address. */
#define ANY __attribute__((may_alias, aligned(1)))
typedef uint8_t ANY any_u1;
typedef uint16_t ANY any_u2;
typedef uint32_t ANY any_u4;
typedef uint64_t ANY any_u8;
typedef struct __attribute__((may_alias, packed)) {
	uint64_t half[2];
} any_u16;
#undef ANY

/*
 * A kernel that gains by AVX2 exists twice.  Which of the two it is, is asked
 * when a kernel is picked: unlike target_clones that costs a start nothing,
 * and it works with sanitizers, other compilers, and in a static program.
 */
#if defined(__x86_64__) && defined(__GNUC__)
#define AVX2 __attribute__((target("avx2")))
#else
#define AVX2
#endif
bool tsl_have_avx2(void);

/* Set by tests, to pick the kernels that any processor can run. */
extern bool tsl_plain_kernels;

/* The elements of 'a', then of 'b', that the constant numbers name. */
#ifdef __clang__
#define SHUFFLE(type, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define SHUFFLE(type, a, b, ...) __builtin_shuffle(a, b, (type){ __VA_ARGS__ })
#endif

/* As tsl_kernel, which says what they are. */
#define KERNEL_ARGS                                                   \
	char *dst, const char *src, int64_t rows, int64_t row_stride, \
		int64_t n, int64_t step

/* As tsl_tile_kernel. */
#define TILE_ARGS                                                     \
	char *dst, int64_t dst_stride, const char *src, int64_t rows, \
		int64_t row_stride, int64_t n, int64_t step

/* As tsl_spread. */
#define SPREAD_ARGS                                                    \
	char *dst, int64_t dst_row, int64_t dst_step, const char *src, \
		int64_t src_row, int64_t src_step, int64_t rows, int64_t n

/* Rows of bytes side by side, each one a call of memcpy(). */
void tsl_memcpy_kernel(KERNEL_ARGS);

/* For any step, 'width' being 1, 2, 4, 8 or 16. */
tsl_kernel *tsl_step_kernel_for(int64_t width);

/* For long rows, if not of a step of width or -width. */
tsl_kernel *tsl_row_kernel_for(int64_t width, int64_t step, int64_t n);

/* For a step of -width; NULL if rows of n elements are too short for one. */
tsl_kernel *tsl_reverse_kernel_for(int64_t width, int64_t n);

/* For elements that lie side by side in a column: row_stride is +-width. */
tsl_kernel *tsl_transpose_kernel_for(int64_t width);

/*
 * Does what a tile kernel would, and returns true, where all of it is a few
 * planes, or pixels of a few elements.
 */
bool tsl_interleave_tile(TILE_ARGS, int64_t width);

/* For rows of few elements; NULL if a kernel for long ones is as good. */
tsl_kernel *tsl_small_kernel_for(int64_t width, int64_t step,
				 int64_t row_stride, int64_t n);

/* Sizes of rows that are worth a copy of their own. */
#define ROW_SIZES(SIZE) \
	SIZE(1)         \
	SIZE(2)         \
	SIZE(3)         \
	SIZE(4)         \
	SIZE(6)         \
	SIZE(8)         \
	SIZE(12)        \
	SIZE(16)        \
	SIZE(24)        \
	SIZE(32)        \
	SIZE(48)        \
	SIZE(64)

#endif /* TSL_KERNEL_TYPES_H */
