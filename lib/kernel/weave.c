/*
 * weave.c - rows of several sources, side by side
 *
 * Of narrow rows a source at a time would touch each cache line of the
 * destination again and again, and store a few bytes each time.
 */
#include "types.h"

#include <string.h>

/* ---- one source ---------------------------------------------------------- */

#define PUT(w)                                                                \
	static void put_##w(char *dst, int64_t dst_row, const char *src,      \
			    size_t nbytes, int64_t rows)                      \
	{                                                                     \
		(void)nbytes;                                                 \
		for (int64_t r = 0; r < rows; r++)                            \
			memcpy(dst + r * dst_row, src + r * (int64_t)(w), w); \
	}

PUT(1)
PUT(2)
PUT(3)
PUT(4)
PUT(5)
PUT(6)
PUT(7)
PUT(8)
PUT(9)
PUT(10)
PUT(11)
PUT(12)
PUT(13)
PUT(14)
PUT(15)
PUT(16)

static void
put_any(char *dst, int64_t dst_row, const char *src, size_t nbytes,
	int64_t rows)
{
	for (int64_t r = 0; r < rows; r++)
		memcpy(dst + r * dst_row, src + r * (int64_t)nbytes, nbytes);
}

void
tsl_put_columns(char *dst, int64_t dst_row, const char *src, size_t nbytes,
		int64_t rows)
{
	static void (*const put[])(char *, int64_t, const char *, size_t,
				   int64_t) = {
		NULL,   put_1,  put_2,  put_3,  put_4,  put_5,
		put_6,  put_7,  put_8,  put_9,  put_10, put_11,
		put_12, put_13, put_14, put_15, put_16,
	};

	if (nbytes < sizeof(put) / sizeof(put[0]) && put[nbytes])
		put[nbytes](dst, dst_row, src, nbytes, rows);
	else
		put_any(dst, dst_row, src, nbytes, rows);
}

/* ---- two to four, of elements of one width --------------------------------
 */

#define SOURCE(w, k) \
	const any_u##w *restrict s##k = (const any_u##w *)(const void *)src[k]
#define WEAVE(attr, name, w, k, sources, stores)                  \
	attr static void name(char *dst, const char *const src[], \
			      int64_t rows)                       \
	{                                                         \
		any_u##w *restrict d = (any_u##w *)(void *)dst;   \
		sources;                                          \
                                                                  \
		for (ptrdiff_t i = 0; i < rows; i++) {            \
			stores;                                   \
		}                                                 \
	}

#define STORE(n, k) d[(n)*i + (k)] = s##k[i]
#define WEAVE_2(attr, name, w)                                           \
	WEAVE(attr, name, w, 2, SOURCE(w, 0); SOURCE(w, 1), STORE(2, 0); \
	      STORE(2, 1))
#define WEAVE_3(attr, name, w)                              \
	WEAVE(attr, name, w, 3, SOURCE(w, 0); SOURCE(w, 1); \
	      SOURCE(w, 2), STORE(3, 0); STORE(3, 1); STORE(3, 2))
#define WEAVE_4(attr, name, w)                                            \
	WEAVE(attr, name, w, 4, SOURCE(w, 0); SOURCE(w, 1); SOURCE(w, 2); \
	      SOURCE(w, 3), STORE(4, 0); STORE(4, 1); STORE(4, 2);        \
	      STORE(4, 3))

#define WEAVES(w)                            \
	WEAVE_2(, weave2_u##w, w)            \
	WEAVE_3(, weave3_u##w, w)            \
	WEAVE_4(, weave4_u##w, w)            \
	WEAVE_2(AVX2, weave2_u##w##_avx2, w) \
	WEAVE_3(AVX2, weave3_u##w##_avx2, w) \
	WEAVE_4(AVX2, weave4_u##w##_avx2, w)

WEAVES(1)
WEAVES(2)
WEAVES(4)
WEAVES(8)

#define ROW(k, suffix)                                               \
	{                                                            \
		weave##k##_u1##suffix, weave##k##_u2##suffix,        \
			weave##k##_u4##suffix, weave##k##_u8##suffix \
	}

tsl_weave *
tsl_weave_for(int64_t width, int64_t n)
{
	static tsl_weave *const weaves[2][3][4] = {
		{ ROW(2, ), ROW(3, ), ROW(4, ) },
		{ ROW(2, _avx2), ROW(3, _avx2), ROW(4, _avx2) },
	};

	if (n < 2 || n > 4 ||
	    (width != 1 && width != 2 && width != 4 && width != 8))
		return NULL;
	return weaves[tsl_have_avx2()][n - 2]
		     [__builtin_ctzll((unsigned long long)width)];
}
