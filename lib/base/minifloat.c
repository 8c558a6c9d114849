/*
 * minifloat.c - floating-point numbers of one or two bytes
 */
#include "minifloat.h"

#include <string.h>

/* Of a double: bits behind the point, and what its exponents are less by. */
#define FRACTION 52
#define BIAS 1023

static const struct tsl_minifloat_format formats[] = {
	[TSL_BFLOAT16] = { "bfloat16", 8, 7, false },
	[TSL_FLOAT8_E4M3FN] = { "float8_e4m3fn", 4, 3, true },
	[TSL_FLOAT8_E5M2] = { "float8_e5m2", 5, 2, false },
	[TSL_FLOAT16] = { "float16", 5, 10, false },
};

const struct tsl_minifloat_format *
tsl_minifloat_format(enum tsl_minifloat type)
{
	return &formats[type];
}

enum tsl_minifloat
tsl_minifloat_named(const char *name, size_t len)
{
	for (int i = 1; i < TSL_FLOAT16; i++)
		if (strlen(formats[i].name) == len &&
		    memcmp(formats[i].name, name, len) == 0)
			return (enum tsl_minifloat)i;
	return TSL_NO_MINIFLOAT;
}

/* The smallest exponent of a number with a 1 before the point. */
static int
least_exponent(const struct tsl_minifloat_format *f)
{
	return 2 - (1 << (f->nexponent - 1));
}

/* The first bits, without the sign, that are no finite number's. */
static unsigned
first_special(const struct tsl_minifloat_format *f)
{
	unsigned most = (1u << (f->nexponent + f->nfraction)) - 1;

	return f->is_finite ? most : most & ~0u << f->nfraction;
}

/* A NaN with the first bit of its fraction set, as all make them. */
static unsigned
quiet_nan(const struct tsl_minifloat_format *f)
{
	return first_special(f) | 1u << (f->nfraction - 1);
}

double
tsl_minifloat_value(enum tsl_minifloat type, unsigned bits)
{
	const struct tsl_minifloat_format *f = &formats[type];
	unsigned sign = 1u << (f->nexponent + f->nfraction);
	unsigned all = bits & (sign - 1);
	unsigned exponent = all >> f->nfraction;
	double v = all & ((1u << f->nfraction) - 1);

	if (all > first_special(f) || (f->is_finite && all == sign - 1))
		v = __builtin_nan("");
	else if (all == first_special(f))
		v = __builtin_inf();
	else
		v = __builtin_ldexp(exponent ? v + (1 << f->nfraction) : v,
				    (int)(exponent ? exponent - 1 : 0) +
					    least_exponent(f) - f->nfraction);
	return bits & sign ? -v : v;
}

/* What is left of 'm' without its last bits, rounded; 0 < nbits < 64. */
static uint64_t
shift_to_even(uint64_t m, int nbits, int beyond)
{
	uint64_t q = m >> nbits, rest = m & ((UINT64_C(1) << nbits) - 1);
	uint64_t half = UINT64_C(1) << (nbits - 1);

	if (rest != half)
		return q + (rest > half);
	return q + (beyond > 0 || (beyond == 0 && (q & 1)));
}

/* Of a finite number, m times 2 to the power of e - FRACTION, m normal. */
static uint64_t
round_finite(const struct tsl_minifloat_format *f, uint64_t m, int e,
	     int beyond)
{
	int least = least_exponent(f);
	int nbits = FRACTION - f->nfraction;

	if (e < least - f->nfraction - 1)
		return 0;
	/* A carry goes on into the exponent, and from the largest to inf. */
	if (e < least)
		return shift_to_even(m, nbits + least - e, beyond);
	return shift_to_even(m, nbits, beyond) +
	       ((uint64_t)(e - least) << f->nfraction);
}

unsigned
tsl_minifloat_bits(enum tsl_minifloat type, double v, int beyond)
{
	const struct tsl_minifloat_format *f = &formats[type];
	uint64_t bits, m, all;
	unsigned sign;
	int e;

	memcpy(&bits, &v, sizeof(bits));
	sign = (unsigned)(bits >> 63) << (f->nexponent + f->nfraction);
	e = (int)(bits >> FRACTION & 0x7FF) - BIAS;
	m = bits & ((UINT64_C(1) << FRACTION) - 1);
	if (e > BIAS && m != 0)
		return sign | quiet_nan(f);
	m |= UINT64_C(1) << FRACTION;
	all = e > BIAS ? UINT64_MAX : round_finite(f, m, e, beyond);
	return sign |
	       (all < first_special(f) ? (unsigned)all : first_special(f));
}
