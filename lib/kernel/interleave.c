/*
 * interleave.c - pixels of two to four elements to planes, and planes to pixels
 *
 * As loops that name each element of a pixel, which compilers make shuffles of
 * whole vectors of, or with NEON loads and stores that do it by themselves: all
 * of the input is read once, and in order.  A loop over the elements of a pixel
 * they leave as it is.
 */
#include "types.h"

#define MAX_INTERLEAVED 4

/* ---- pixels to planes ---------------------------------------------------- */

/* One element of each pixel at src goes to each of the planes. */
#define DEINTERLEAVE(attr, name, w, k)                                \
	attr static void name(char *const plane[], const char *src,   \
			      ptrdiff_t n)                            \
	{                                                             \
		const any_u##w *restrict s =                          \
			(const any_u##w *)(const void *)src;          \
		any_u##w *restrict p0 = (any_u##w *)(void *)plane[0]; \
		any_u##w *restrict p1 = (any_u##w *)(void *)plane[1]; \
		any_u##w *restrict p2 = (any_u##w *)(void *)plane[2]; \
		any_u##w *restrict p3 = (any_u##w *)(void *)plane[3]; \
                                                                      \
		(void)p2, (void)p3;                                   \
		for (ptrdiff_t i = 0; i < n; i++) {                   \
			p0[i] = s[(k)*i];                             \
			p1[i] = s[(k)*i + 1];                         \
			if ((k) > 2)                                  \
				p2[i] = s[(k)*i + 2];                 \
			if ((k) > 3)                                  \
				p3[i] = s[(k)*i + 3];                 \
		}                                                     \
	}

/* ---- planes to pixels ---------------------------------------------------- */

/* One element of each plane makes a pixel at dst. */
#define INTERLEAVE(attr, name, w, k)                                           \
	attr static void name(char *dst, const char *const plane[], int64_t n) \
	{                                                                      \
		any_u##w *restrict d = (any_u##w *)(void *)dst;                \
		const any_u##w *restrict p0 =                                  \
			(const any_u##w *)(const void *)plane[0];              \
		const any_u##w *restrict p1 =                                  \
			(const any_u##w *)(const void *)plane[1];              \
		const any_u##w *restrict p2 =                                  \
			(const any_u##w *)(const void *)plane[2];              \
		const any_u##w *restrict p3 =                                  \
			(const any_u##w *)(const void *)plane[3];              \
                                                                               \
		(void)p2, (void)p3;                                            \
		for (ptrdiff_t i = 0; i < n; i++) {                            \
			d[(k)*i] = p0[i];                                      \
			d[(k)*i + 1] = p1[i];                                  \
			if ((k) > 2)                                           \
				d[(k)*i + 2] = p2[i];                          \
			if ((k) > 3)                                           \
				d[(k)*i + 3] = p3[i];                          \
		}                                                              \
	}

#define BOTH(w, k)                                               \
	DEINTERLEAVE(, deinterleave_##k##_u##w, w, k)            \
	DEINTERLEAVE(AVX2, deinterleave_##k##_u##w##_avx2, w, k) \
	INTERLEAVE(, interleave_##k##_u##w, w, k)                \
	INTERLEAVE(AVX2, interleave_##k##_u##w##_avx2, w, k)

#define ALL(w)     \
	BOTH(w, 2) \
	BOTH(w, 3) \
	BOTH(w, 4)

ALL(1)
ALL(2)
ALL(4)
ALL(8)

/* ---- picking ------------------------------------------------------------- */

typedef void deinterleave(char *const plane[], const char *src, ptrdiff_t n);

#define KERNELS(verb, w, more)                                                \
	{                                                                     \
		verb##_2_u##w##more, verb##_3_u##w##more, verb##_4_u##w##more \
	}
#define TABLE(verb)                                                           \
	{                                                                     \
		{ KERNELS(verb, 1, ), KERNELS(verb, 2, ), KERNELS(verb, 4, ), \
		  KERNELS(verb, 8, ) },                                       \
		{                                                             \
			KERNELS(verb, 1, _avx2), KERNELS(verb, 2, _avx2),     \
				KERNELS(verb, 4, _avx2),                      \
				KERNELS(verb, 8, _avx2)                       \
		}                                                             \
	}

static bool
is_interleaved(int64_t n)
{
	return n >= 2 && n <= MAX_INTERLEAVED;
}

static void
to_planes(TILE_ARGS, int64_t width)
{
	static deinterleave *const kernels[2][4][MAX_INTERLEAVED - 1] =
		TABLE(deinterleave);
	int w = __builtin_ctzll((unsigned long long)width);
	char *plane[MAX_INTERLEAVED] = { dst, dst, dst, dst };

	for (int64_t r = 0; r < rows; r++)
		plane[row_stride < 0 ? rows - 1 - r : r] = dst + r * dst_stride;
	if (row_stride < 0)
		src += (rows - 1) * row_stride;
	(void)step;
	kernels[tsl_have_avx2()][w][rows - 2](plane, src, (ptrdiff_t)n);
}

tsl_interleave *
tsl_interleave_for(int64_t width, int64_t n)
{
	static tsl_interleave *const kernels[2][4][MAX_INTERLEAVED - 1] =
		TABLE(interleave);

	if (!is_interleaved(n) ||
	    (width != 1 && width != 2 && width != 4 && width != 8))
		return NULL;
	return kernels[tsl_have_avx2()]
		      [__builtin_ctzll((unsigned long long)width)][n - 2];
}

static void
to_pixels(TILE_ARGS, int64_t width)
{
	const char *plane[MAX_INTERLEAVED] = { src, src, src, src };

	(void)dst_stride, (void)row_stride;
	for (int64_t i = 1; i < n; i++)
		plane[i] = src + i * step;
	tsl_interleave_for(width, n)(dst, plane, rows);
}

bool
tsl_interleave_tile(TILE_ARGS, int64_t width)
{
	if (width > 8)
		return false;
	if (is_interleaved(rows) && step == rows * width)
		to_planes(dst, dst_stride, src, rows, row_stride, n, step,
			  width);
	else if (is_interleaved(n) && row_stride == width &&
		 dst_stride == n * width)
		to_pixels(dst, dst_stride, src, rows, row_stride, n, step,
			  width);
	else
		return false;
	return true;
}
