/*
 * minifloat.h - floating-point numbers of one or two bytes
 *
 * Bits are a sign, an exponent and a fraction, as in IEEE 754, from the highest
 * on.  Rounding is to nearest, ties to even.
 */
#ifndef TSL_MINIFLOAT_H
#define TSL_MINIFLOAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Those from 1 to TSL_FLOAT16 - 1 are no types of NumPy's own. */
enum tsl_minifloat {
	TSL_NO_MINIFLOAT,
	TSL_BFLOAT16,
	TSL_FLOAT8_E4M3FN, /* no infinity, and one NaN of each sign */
	TSL_FLOAT8_E5M2,
	TSL_FLOAT16,
};

struct tsl_minifloat_format {
	const char *name; /* as ml_dtypes has it, and NumPy */
	int nexponent, nfraction; /* bits */
	bool is_finite; /* the largest exponent is one of numbers, too */
};

const struct tsl_minifloat_format *
tsl_minifloat_format(enum tsl_minifloat type);

/* tsl_minifloat_named() is the type of that name, but for NumPy's own. */
enum tsl_minifloat tsl_minifloat_named(const char *name, size_t len);

double tsl_minifloat_value(enum tsl_minifloat type, unsigned bits);

/*
 * tsl_minifloat_bits() rounds to a type.  'v' may itself be rounded: 'beyond'
 * is then less or more than 0, as the magnitude of what is meant is less or
 * more than that of 'v'.  What is too large is infinite, or NaN.
 */
unsigned tsl_minifloat_bits(enum tsl_minifloat type, double v, int beyond);

#endif /* TSL_MINIFLOAT_H */
