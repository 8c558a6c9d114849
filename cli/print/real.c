/*
 * real.c - floating-point numbers as decimal digits
 */
#include "real.h"

#include "shortest.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The bits of a value of a type, of 8 bytes at most, which 'v' is. */
static uint64_t
bits_of(double v, const struct real_type *type)
{
	float single = (float)v;
	uint64_t bits;
	uint32_t word;

	if (type->mini)
		return tsl_minifloat_bits(type->mini, v, 0);
	memcpy(&bits, &v, sizeof(bits));
	memcpy(&word, &single, sizeof(word));
	return type->nbytes == 4 ? word : bits;
}

static void
cut_zeros(struct decimal *d)
{
	while (d->ndigits > 1 && d->digits[d->ndigits - 1] == '0')
		d->ndigits--;
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
	cut_zeros(d);
}

/* Reads "ddd.ddd". */
static void
from_fixed(struct decimal *d, const char *text)
{
	const char *s = text + strspn(text, "0.");
	size_t point = strcspn(text, ".");

	*d = (struct decimal){ .digits = "0", .ndigits = 1, .point = 1 };
	if (!*s)
		return;
	/* In front of the first digit zeros count behind the point only. */
	d->point = (int)point - (int)(s - text) + (s > text + point);
	for (d->ndigits = 0; *s; s++)
		if (*s != '.')
			d->digits[d->ndigits++] = *s;
	cut_zeros(d);
}

static void
from_shortest(struct decimal *d, struct shortest s)
{
	char text[24];
	int n = 0;

	do {
		text[n++] = (char)('0' + s.digits % 10);
		s.digits /= 10;
	} while (s.digits > 0);
	for (int i = 0; i < n; i++)
		d->digits[i] = text[n - 1 - i];
	d->ndigits = n;
	d->point = n + s.exponent;
	cut_zeros(d);
}

/*
 * No algorithm is kept for long doubles: digits are tried.  With one more a
 * number that was read back still is, so that the fewest are found by halves.
 */
static void
shortest_extended(struct decimal *d, long double v)
{
	char text[MAX_DIGITS];
	int low = 0, high = LDBL_DECIMAL_DIG - 1;

	while (low < high) {
		int n = (low + high) / 2;

		snprintf(text, sizeof(text), "%.*Le", n, v);
		if (strtold(text, NULL) == v)
			high = n;
		else
			low = n + 1;
	}
	snprintf(text, sizeof(text), "%.*Le", low, v);
	from_scientific(d, text);
}

void
real_shortest(struct decimal *d, long double v, const struct real_type *type)
{
	v = __builtin_fabsl(v); /* of -0.0 too */
	if (type->nbytes == 16)
		shortest_extended(d, v);
	else
		from_shortest(d, shortest_of(bits_of((double)v, type), type));
}

/* Rounds the number's own digits, all of which printf(3) knows. */
static void
round_exactly(struct decimal *d, long double v, int places, bool fixed)
{
	char text[MAX_DIGITS];

	v = __builtin_fabsl(v); /* of -0.0 too */
	snprintf(text, sizeof(text), fixed ? "%.*Lf" : "%.*Le", places, v);
	if (fixed)
		from_fixed(d, text);
	else
		from_scientific(d, text);
}

/* The first n digits, 1 or more, as they are but for the last one. */
static void
cut(struct decimal *d, int n)
{
	bool up = d->digits[n] >= '5';

	while (up && n > 0 && d->digits[n - 1] == '9')
		n--;
	if (up && n == 0) {
		d->digits[n++] = '1';
		d->point++;
	} else if (up) {
		d->digits[n - 1]++;
	}
	d->ndigits = n;
	cut_zeros(d);
}

/* Near zero not even as many as otherwise. */
static int
sure_digits(long double v, const struct real_type *type)
{
	return __builtin_fabsl(v) < type->least ? 0 : type->sure_digits;
}

void
real_round(struct decimal *d, long double v, const struct real_type *type,
	   int places, bool fixed)
{
	int n = fixed ? d->point + places : 1 + places;
	/* Half way, the digits that were left out decide. */
	bool is_tie = n == d->ndigits - 1 && d->digits[n] == '5';

	if (n > 0 && n < d->ndigits && !is_tie)
		cut(d, n);
	else if (n < d->ndigits || (n > d->ndigits && n > sure_digits(v, type)))
		round_exactly(d, v, places, fixed);
}
