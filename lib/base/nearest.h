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

/* Between these exponents of ten the product is exact enough. */
#define TSL_LEAST_EXACT (-27)
#define TSL_MOST_EXACT 55

/* And between these it is that of a normal number in either format, too. */
#define TSL_LEAST_SURE TSL_LEAST_EXACT
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

/* A product in binary: its mantissa, with a bit more than is stored, and the
   exponent as it is stored; at most 0: it is subnormal. */
struct tsl_scaled {
	struct tsl_product product;
	uint64_t mantissa; /* product.high >> shift */
	int shift, exponent;
};

/* w, not 0, times ten to the q. */
TSL_INLINE struct tsl_scaled
tsl_scale(const struct tsl_binary_format *f, const struct tsl_powers *powers,
	  uint64_t w, int64_t q)
{
	int zeros = __builtin_clzll(w);
	struct tsl_product p =
		tsl_multiply_by_power(w << zeros, powers, q, f->mantissa + 3);
	int carry = (int)(p.high >> 63);
	int shift = carry + 61 - f->mantissa;

	return (struct tsl_scaled){
		.product = p,
		.mantissa = p.high >> shift,
		.shift = shift,
		.exponent = tsl_binary_exponent(q) + carry - zeros - f->least,
	};
}

/* Whether it may be exactly between two numbers. */
TSL_INLINE bool
tsl_is_near_tie(const struct tsl_scaled *s)
{
	return s->product.low <= 1 && (s->mantissa & 3) == 1 &&
	       s->mantissa << s->shift == s->product.high;
}

/* Of one that is not subnormal, rounded. */
TSL_INLINE uint64_t
tsl_normal_bits(const struct tsl_binary_format *f, uint64_t mantissa,
		int exponent)
{
	/* Its highest bit, which is not stored, adds one more. */
	return tsl_round_last_bit(mantissa) +
	       ((uint64_t)(exponent - 1) << f->mantissa);
}

/* Of w, not 0, and a sure exponent; false: it may be between two numbers. */
TSL_INLINE bool
tsl_nearest_normal(const struct tsl_binary_format *f,
		   const struct tsl_powers *powers, uint64_t w, int64_t q,
		   uint64_t *bits)
{
	const struct tsl_scaled s = tsl_scale(f, powers, w, q);

	*bits = tsl_normal_bits(f, s.mantissa, s.exponent);
	return !tsl_is_near_tie(&s);
}

#endif /* TSL_NEAREST_H */
