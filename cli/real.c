/*
 * real.c - floating-point numbers as the fewest digits that mean the same
 */
#include "real.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double
real_half(unsigned bits)
{
	unsigned exponent = bits >> 10 & 0x1F;
	double v = bits & 0x3FF;

	if (exponent == 0x1F)
		v = v == 0 ? __builtin_inf() : __builtin_nan("");
	else
		v = __builtin_ldexp(exponent ? v + 1024 : v,
				    (int)(exponent ? exponent : 1) - 25);
	return bits & 0x8000 ? -v : v;
}

/* Whether decimal text means the half 'v', which is not negative. */
static bool
is_half(double text, double v)
{
	unsigned bits = 0;
	double below, above;

	/* 15 bits: the one that has this value is found by bisection. */
	for (unsigned bit = 1u << 14; bit; bit >>= 1)
		if ((bits | bit) <= 0x7BFF && real_half(bits | bit) <= v)
			bits |= bit;
	below = bits ? (v + real_half(bits - 1)) / 2 : 0;
	above = bits < 0x7BFF ? (v + real_half(bits + 1)) / 2 : 65520;
	return (text > below || (text == below && !(bits & 1))) &&
	       (text < above || (text == above && !(bits & 1)));
}

static bool
reads_back(const char *text, long double v, int nbytes)
{
	switch (nbytes) {
	case 2:
		return is_half(strtod(text, NULL), (double)v);
	case 4:
		return strtof(text, NULL) == (float)v;
	case 8:
		return strtod(text, NULL) == (double)v;
	default:
		return strtold(text, NULL) == v;
	}
}

/* Reads "d.ddde+xx", and cuts zeros at the end. */
static void
from_scientific(struct decimal *d, const char *text)
{
	d->ndigits = 0;
	for (; *text && *text != 'e'; text++)
		if (*text != '.')
			d->digits[d->ndigits++] = *text;
	d->point = (int)strtol(text + 1, NULL, 10) + 1;
	while (d->ndigits > 1 && d->digits[d->ndigits - 1] == '0')
		d->ndigits--;
}

void
real_shortest(struct decimal *d, long double v, int nbytes)
{
	char text[48];

	v = __builtin_fabsl(v); /* of -0.0 too */
	/* 21 digits tell apart all values of an 80-bit long double. */
	for (int n = 0; n <= 35; n++) {
		snprintf(text, sizeof(text), "%.*Le", n, v);
		if (reads_back(text, v, nbytes))
			break;
	}
	from_scientific(d, text);
}

void
real_round(struct decimal *d, long double v, int places, bool fixed)
{
	char text[48];

	v = __builtin_fabsl(v); /* of -0.0 too */
	if (fixed) {
		/* As many digits as stand before the point, and 'places'. */
		snprintf(text, sizeof(text), "%.*Lf", places, v);
		places += (int)strcspn(text, ".") - 1;
		if (v < 1) {
			/* Through the rounded text: 0.000 has no exponent. */
			v = strtold(text, NULL);
		}
	}
	snprintf(text, sizeof(text), "%.*Le", places, v);
	from_scientific(d, text);
}
