/*
 * nearest.h - the IEEE number that is nearest to w times a power of ten
 */
#ifndef TSL_NEAREST_H
#define TSL_NEAREST_H

#include "powers.h"

#include <stdbool.h>

#define TSL_INLINE static inline __attribute__((always_inline))

/* An IEEE format, and where in it 19 digits may lie between two numbers. */
struct tsl_binary_format {
	int mantissa; /* bits, as they are stored */
	int least; /* exponent of two, stored as 0 */
	int infinite; /* stored exponent of what is */
	int least_tie, most_tie; /* exponents of ten */
};

static const struct tsl_binary_format tsl_single = { 23, -127, 0xFF, -17, 10 };
static const struct tsl_binary_format tsl_double = { 52, -1023, 0x7FF, -4, 23 };

/* Between these exponents of ten the product is exact enough, and of a normal
 * number in either format. */
#define TSL_LEAST_SURE (-27)
#define TSL_MOST_SURE 18

struct tsl_product {
	uint64_t high, low;
};

TSL_INLINE struct tsl_product
tsl_multiply(uint64_t a, uint64_t b)
{
	unsigned __int128 p = (unsigned __int128)a * b;

	return (struct tsl_product){ (uint64_t)(p >> 64), (uint64_t)p };
}

/* The first bits of w times a power of five, of which 'nbits' are to be right.
 */
TSL_INLINE struct tsl_product
tsl_multiply_by_power(uint64_t w, const struct tsl_powers *powers, int64_t q,
		      int nbits)
{
	int i = (int)(q - TSL_LEAST_POWER);
	uint64_t mask = UINT64_MAX >> nbits;
	struct tsl_product p = tsl_multiply(w, powers->of[i].high);

	/* Could what is left out carry that far? */
	if ((p.high & mask) == mask) {
		uint64_t more = tsl_multiply(w, powers->of[i].low).high;

		p.low += more;
		p.high += p.low < more;
	}
	return p;
}

/* The exponent of two of ten to the q. */
TSL_INLINE int
tsl_binary_exponent(int64_t q)
{
	return (int)((152170 + 65536) * q >> 16) + 63;
}

TSL_INLINE uint64_t
tsl_round_last_bit(uint64_t m)
{
	return (m + (m & 1)) >> 1;
}

/* Of w, not 0, and a sure exponent; false: it may be between two numbers. */
TSL_INLINE bool
tsl_nearest_normal(const struct tsl_binary_format *f,
		   const struct tsl_powers *powers, uint64_t w, int64_t q,
		   uint64_t *bits)
{
	int zeros = __builtin_clzll(w);
	struct tsl_product p =
		tsl_multiply_by_power(w << zeros, powers, q, f->mantissa + 3);
	int carry = (int)(p.high >> 63);
	int shift = carry + 61 - f->mantissa;
	int exponent = tsl_binary_exponent(q) + carry - zeros - f->least;
	uint64_t m = p.high >> shift;

	/* The mantissa's highest bit, which is not stored, adds one more. */
	*bits = tsl_round_last_bit(m) +
		((uint64_t)(exponent - 1) << f->mantissa);
	return p.low > 1 || (m & 3) != 1 || m << shift != p.high;
}

#endif /* TSL_NEAREST_H */
