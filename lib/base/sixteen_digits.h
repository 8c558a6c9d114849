/*
 * sixteen_digits.h - decimal digits in text, sixteen characters at a time
 *
 * A block of sixteen characters, each less '0': of a digit its value, of all
 * else 10 and more.
 */
#ifndef TSL_SIXTEEN_DIGITS_H
#define TSL_SIXTEEN_DIGITS_H

#include "eight_digits.h"

#include <stdbool.h>

#ifdef __SSE2__
#include <emmintrin.h>

typedef __m128i tsl_sixteen;

static inline tsl_sixteen
tsl_sixteen_load(const char *text)
{
	return _mm_sub_epi8(_mm_loadu_si128((const __m128i *)text),
			    _mm_set1_epi8('0'));
}

/* tsl_sixteen_are_digits() says whether all of the characters are. */
static inline bool
tsl_sixteen_are_digits(tsl_sixteen v)
{
	__m128i nine = _mm_set1_epi8(9);

	return _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_max_epu8(v, nine), nine)) ==
	       0xFFFF;
}

/* tsl_sixteen_value() is the number that sixteen digits are. */
static inline uint64_t
tsl_sixteen_value(tsl_sixteen v)
{
	__m128i even = _mm_and_si128(v, _mm_set1_epi16(0xFF));
	uint64_t eights;

	/* Pairs of digits, of pairs, of these. */
	v = _mm_add_epi16(_mm_mullo_epi16(even, _mm_set1_epi16(10)),
			  _mm_srli_epi16(v, 8));
	v = _mm_madd_epi16(v, _mm_set1_epi32(100 + (1 << 16)));
	v = _mm_packs_epi32(v, v);
	v = _mm_madd_epi16(v, _mm_set1_epi32(10000 + (1 << 16)));
	_mm_storel_epi64((__m128i *)&eights, v);
	return (eights & UINT32_MAX) * 100000000 + (eights >> 32);
}
#else
typedef struct {
	uint64_t first, last;
} tsl_sixteen;

static inline tsl_sixteen
tsl_sixteen_load(const char *text)
{
	return (tsl_sixteen){ tsl_eight_load(text), tsl_eight_load(text + 8) };
}

static inline bool
tsl_sixteen_are_digits(tsl_sixteen v)
{
	return tsl_eight_count(v.first) == 8 && tsl_eight_count(v.last) == 8;
}

static inline uint64_t
tsl_sixteen_value(tsl_sixteen v)
{
	return tsl_eight_value(v.first) * 100000000 + tsl_eight_value(v.last);
}
#endif

#endif /* TSL_SIXTEEN_DIGITS_H */
