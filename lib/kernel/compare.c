/*
 * compare.c - how many elements of two rows differ
 *
 * A counter as wide as an element lets a vector count as many as it compares;
 * it is emptied before it can overflow.
 */
#include "types.h"

#include <string.h>

#define AS_IT_IS(v) (v)

#define COUNT(attr, name, type, counter, most, swap)                           \
	attr static int64_t name(const char *a, const char *b, int64_t n,      \
				 int64_t width)                                \
	{                                                                      \
		const type *p = (const void *)a;                               \
		const type *q = (const void *)b;                               \
		int64_t count = 0;                                             \
                                                                               \
		(void)width;                                                   \
		for (int64_t i = 0; i < n;) {                                  \
			int64_t end = n - i > (most) ? i + (most) : n;         \
			counter some = 0;                                      \
                                                                               \
			for (; i < end; i++)                                   \
				some = (counter)(some + (p[i] != swap(q[i]))); \
			count += some;                                         \
		}                                                              \
		return count;                                                  \
	}

COUNT(, count_u1, any_u1, uint8_t, 192, AS_IT_IS)
COUNT(, count_u2, any_u2, uint16_t, 32768, AS_IT_IS)
COUNT(, count_u4, any_u4, uint32_t, 65536, AS_IT_IS)
COUNT(, count_u8, any_u8, int64_t, 65536, AS_IT_IS)
COUNT(AVX2, count_u1_avx2, any_u1, uint8_t, 192, AS_IT_IS)
COUNT(AVX2, count_u2_avx2, any_u2, uint16_t, 32768, AS_IT_IS)
COUNT(AVX2, count_u4_avx2, any_u4, uint32_t, 65536, AS_IT_IS)
COUNT(AVX2, count_u8_avx2, any_u8, int64_t, 65536, AS_IT_IS)
COUNT(, count_turned_u2, any_u2, uint16_t, 32768, __builtin_bswap16)
COUNT(, count_turned_u4, any_u4, uint32_t, 65536, __builtin_bswap32)
COUNT(, count_turned_u8, any_u8, int64_t, 65536, __builtin_bswap64)
COUNT(AVX2, count_turned_u2_avx2, any_u2, uint16_t, 32768, __builtin_bswap16)
COUNT(AVX2, count_turned_u4_avx2, any_u4, uint32_t, 65536, __builtin_bswap32)
COUNT(AVX2, count_turned_u8_avx2, any_u8, int64_t, 65536, __builtin_bswap64)

static int64_t
count_wide(const char *a, const char *b, int64_t n, int64_t width)
{
	int64_t count = 0;

	for (int64_t i = 0; i < n; i++)
		count += memcmp(a + i * width, b + i * width, (size_t)width) !=
			 0;
	return count;
}

/* Elements of several numbers to turn: complex ones, characters. */
#define COUNT_PARTS(unit)                                                      \
	static int64_t count_parts_u##unit(const char *a, const char *b,       \
					   int64_t n, int64_t width)           \
	{                                                                      \
		int64_t parts = width / (unit);                                \
		int64_t count = 0;                                             \
                                                                               \
		for (int64_t i = 0; i < n; i++)                                \
			count += tsl_differ_for(unit, unit)(a + i * width,     \
							    b + i * width,     \
							    parts, unit) != 0; \
		return count;                                                  \
	}

COUNT_PARTS(4)
COUNT_PARTS(8)

tsl_differ *
tsl_differ_for(int64_t width, int64_t unit)
{
	static tsl_differ *const same[][2] = {
		{ count_u1, count_u1_avx2 },
		{ count_u2, count_u2_avx2 },
		{ count_u4, count_u4_avx2 },
		{ count_u8, count_u8_avx2 },
	};
	static tsl_differ *const turned[][2] = {
		{ count_u1, count_u1_avx2 },
		{ count_turned_u2, count_turned_u2_avx2 },
		{ count_turned_u4, count_turned_u4_avx2 },
		{ count_turned_u8, count_turned_u8_avx2 },
	};
	bool is_word = width == 1 || width == 2 || width == 4 || width == 8;
	int w = is_word ? __builtin_ctzll((unsigned long long)width) : 0;

	if (unit > 1 && unit != width)
		return unit == 4 ? count_parts_u4 : count_parts_u8;
	if (!is_word)
		return count_wide;
	return (unit > 1 ? turned : same)[w][tsl_have_avx2()];
}
