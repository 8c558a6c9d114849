/*
 * eight_digits.h - decimal digits in text, eight characters at a time
 *
 * A word of eight characters holds the first of them in its lowest byte, each
 * less '0': of a digit its value, of all else 10 and more.
 */
#ifndef TSL_EIGHT_DIGITS_H
#define TSL_EIGHT_DIGITS_H

#include <stdint.h>
#include <string.h>

static inline uint64_t
tsl_eight_load(const char *text)
{
	uint64_t v;

	memcpy(&v, text, sizeof(v));
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
	v = __builtin_bswap64(v);
#endif
	return v ^ UINT64_C(0x3030303030303030);
}

/* tsl_eight_count() is how many digits there are before all else, 0 to 8. */
static inline int
tsl_eight_count(uint64_t v)
{
	/* What carries into the next character is behind the first digits. */
	uint64_t others = (v | (v + UINT64_C(0x7676767676767676))) &
			  UINT64_C(0x8080808080808080);

	return others ? __builtin_ctzll(others) >> 3 : 8;
}

/* tsl_eight_value() is the number that eight digits are. */
static inline uint64_t
tsl_eight_value(uint64_t v)
{
	const uint64_t mask = UINT64_C(0x000000FF000000FF);

	/* Pairs of digits, of pairs, of these: each is one product for all. */
	v = v * 10 + (v >> 8);
	return ((v & mask) * (100 + (UINT64_C(1000000) << 32)) +
		(v >> 16 & mask) * (1 + (UINT64_C(10000) << 32))) >>
	       32;
}

/* tsl_eight_first() keeps the first n digits, 0 to 7, with zeros before. */
static inline uint64_t
tsl_eight_first(uint64_t v, int n)
{
	return v << 8 << (56 - 8 * n);
}

#endif /* TSL_EIGHT_DIGITS_H */
