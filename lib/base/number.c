/*
 * number.c - many floating-point numbers from decimal text, each rounded once
 */
#include "number.h"

#include "ascii.h"
#include "decimal.h"
#include "eight_digits.h"
#include "short_number.h"

#include <stdbool.h>
#include <string.h>

/* More, or less, is infinite or 0 with any digits that there is memory for. */
#define MAX_EXPONENT (INT64_C(1) << 60)

/* A finite number as it stands in a text. */
struct number {
	bool minus;
	const char *text; /* without its sign */
	size_t len;
	uint64_t digits; /* the first 19 that count */
	int64_t exponent; /* of ten, for them */
	bool more; /* digits than these */
};

/* ---- reading ------------------------------------------------------------- */

/* Adds digits as long as there are any; more than 19 of them wrap. */
TSL_INLINE size_t
scan_digits(const char *text, size_t len, uint64_t *digits)
{
	uint64_t value = *digits;
	size_t n = 0;

	for (; len - n >= 8; n += 8) {
		uint64_t v = tsl_eight_load(text + n);
		int count = tsl_eight_count(v);

		if (count < 8) {
			v = tsl_eight_first(v, count);
			*digits =
				value * tsl_ten_to[count] + tsl_eight_value(v);
			return n + (size_t)count;
		}
		value = value * 100000000 + tsl_eight_value(v);
	}
	while (n < len && tsl_is_digit(text[n]))
		value = 10 * value + (uint64_t)(text[n++] - '0');
	*digits = value;
	return n;
}

/* In front of the point there is often one. */
TSL_INLINE size_t
scan_whole(const char *text, size_t len, uint64_t *digits)
{
	if (len < 2 || !tsl_is_digit(text[0]) || tsl_is_digit(text[1]))
		return scan_digits(text, len, digits);
	*digits = (uint64_t)(text[0] - '0');
	return 1;
}

/* Behind an "e": "e-12"; without digits it is none. */
static size_t
scan_exponent(const char *text, size_t len, int64_t *exponent)
{
	bool minus = len > 1 && text[1] == '-';
	size_t n = len > 1 && (minus || text[1] == '+') ? 2 : 1;
	size_t first = n;
	int64_t e = 0;

	for (; n < len && tsl_is_digit(text[n]); n++)
		if (e < MAX_EXPONENT / 16)
			e = 10 * e + (text[n] - '0');
	if (n == first)
		return 0;
	*exponent += minus ? -e : e;
	return n;
}

/* The first 19 digits that count, where there are more digits than that. */
static void
take_first(struct number *n, int64_t ndigits)
{
	const char *s = n->text;
	int taken = 0;

	for (n->digits = 0; ndigits > 0 && taken < TSL_MAX_DIGITS; s++) {
		if (*s == '.')
			continue;
		ndigits--;
		taken += taken > 0 || *s != '0';
		n->digits = 10 * n->digits + (uint64_t)(*s - '0');
	}
	n->exponent += ndigits;
	n->more = ndigits > 0;
}

/* The number that a text begins with; returns its bytes, 0 if there is none. */
TSL_INLINE size_t
scan_number(struct number *n, const char *text, size_t len)
{
	char first = len > 0 ? text[0] : '\0';
	/* Signs are in no order: they are no matter of branches. */
	size_t sign = (first == '-') | (first == '+');
	size_t at = sign, whole, behind = 0;

	n->minus = first == '-';
	n->digits = 0;
	n->exponent = 0;
	n->more = false;
	whole = scan_whole(text + at, len - at, &n->digits);
	at += whole;
	if (at < len && text[at] == '.') {
		at++;
		behind = scan_digits(text + at, len - at, &n->digits);
		at += behind;
	}
	if (whole + behind == 0)
		return 0;

	n->text = text + sign;
	n->exponent = -(int64_t)behind;
	if (at < len && (text[at] | 0x20) == 'e')
		at += scan_exponent(text + at, len - at, &n->exponent);
	n->len = at - sign;
	if (whole + behind > TSL_MAX_DIGITS)
		take_first(n, (int64_t)(whole + behind));
	return at;
}

/* ---- the nearest --------------------------------------------------------- */

/* Less than any with a full mantissa; 'below': by so many bits. */
static uint64_t
round_subnormal(uint64_t m, int below)
{
	/* A carry makes it the least that is not subnormal, as it should. */
	return below + 1 >= 64 ? 0 : tsl_round_last_bit(m >> (below + 1));
}

/* False: it is not known, the product is too near to a number's border. */
TSL_INLINE bool
nearest(const struct tsl_binary_format *f, const struct tsl_powers *powers,
	uint64_t w, int64_t q, uint64_t *bits)
{
	struct tsl_scaled s;
	uint64_t normal;

	*bits = 0;
	if (w == 0 || q < TSL_LEAST_POWER)
		return true;
	*bits = (uint64_t)f->infinite << f->mantissa;
	if (q > TSL_MOST_POWER)
		return true;
	s = tsl_scale(f, powers, w, q);
	if (s.product.low == UINT64_MAX &&
	    (q < TSL_LEAST_EXACT || q > TSL_MOST_EXACT))
		return false;
	if (s.exponent <= 0) {
		*bits = round_subnormal(s.mantissa, -s.exponent);
		return true;
	}
	if (tsl_is_near_tie(&s) && q >= f->least_tie && q <= f->most_tie)
		s.mantissa &= ~UINT64_C(1);
	normal = tsl_normal_bits(f, s.mantissa, s.exponent);
	if (normal < *bits)
		*bits = normal;
	return true;
}

/* ---- halves -------------------------------------------------------------- */

/* The bits of a double that a half has no room for; see tsl_half_bits(). */
static int
bits_beyond_half(uint64_t bits)
{
	int e = (int)(bits >> 52 & 0x7FF) - 1023;

	return e > 15 || e < -25 ? 0 : e < -14 ? 42 - 14 - e : 42;
}

static bool
is_between_halves(uint64_t bits)
{
	int n = bits_beyond_half(bits);
	uint64_t m = (bits & (UINT64_MAX >> 12)) | UINT64_C(1) << 52;

	return n > 0 && (m & ((UINT64_C(1) << n) - 1)) == UINT64_C(1)
								  << (n - 1);
}

/* 5 to the 25; the middles of halves have 25 binary places. */
#define PLACES 25
#define FIVE_TO_25 UINT64_C(298023223876953125)

/* Decimal digits, and how many of them stand in front of the point. */
struct digits {
	char s[48];
	int64_t n, point;
};

static void
write_digits(struct digits *d, double middle)
{
	unsigned __int128 v =
		(unsigned __int128)(uint64_t)(middle * (1 << PLACES)) *
		FIVE_TO_25;
	int at = (int)sizeof(d->s);

	for (; v > 0; v /= 10)
		d->s[--at] = (char)('0' + (int)(v % 10));
	d->n = (int)sizeof(d->s) - at;
	memmove(d->s, d->s + at, (size_t)d->n);
	d->point = d->n - PLACES;
}

/* Whether the digits of a text, from its first that counts, are more, or less
 * than these, or the same: 1, -1, 0. */
static int
compare_digits(const char *text, size_t len, const struct digits *d)
{
	int64_t at = 0;

	for (size_t i = 0; i < len && (text[i] | 0x20) != 'e'; i++) {
		char c = at < d->n ? d->s[at] : '0';

		if (text[i] == '.')
			continue;
		if (text[i] != c)
			return text[i] > c ? 1 : -1;
		at++;
	}
	for (; at < d->n; at++)
		if (d->s[at] != '0')
			return -1;
	return 0;
}

static int64_t
count_digits(uint64_t v)
{
	int64_t n = 0;

	for (; v > 0; v /= 10)
		n++;
	return n;
}

/* Whether the number is more than 'middle', its nearest double, or less. */
static int
compare(const struct number *n, double middle)
{
	int64_t point = count_digits(n->digits) + n->exponent;
	size_t at = 0;
	struct digits d;

	write_digits(&d, middle);
	if (point != d.point)
		return point > d.point ? 1 : -1;
	while (n->text[at] == '0' || n->text[at] == '.')
		at++;
	return compare_digits(n->text + at, n->len - at, &d);
}

/* What is left out of a double counts where that is between two halves. */
static uint64_t
half_of(const struct number *n, uint64_t bits)
{
	double v;

	memcpy(&v, &bits, sizeof(v));
	if (is_between_halves(bits)) {
		bits += (uint64_t)(int64_t)compare(n, v);
		memcpy(&v, &bits, sizeof(v));
	}
	return tsl_half_bits(v);
}

/* ---- any ----------------------------------------------------------------- */

static uint64_t
exact_bits(const struct number *n, int nbytes)
{
	double v = nbytes == 8 ? tsl_decimal_double(n->text, n->len) : 0;
	float f = nbytes == 4 ? tsl_decimal_single(n->text, n->len) : 0;
	uint64_t bits;
	uint32_t word;

	memcpy(&bits, &v, sizeof(bits));
	memcpy(&word, &f, sizeof(word));
	return nbytes == 8 ? bits : word;
}

/* Of 4 or 8 bytes, without its sign. */
static uint64_t
magnitude_bits(const struct number *n, const struct tsl_powers *powers,
	       int nbytes)
{
	const struct tsl_binary_format *f =
		nbytes == 8 ? &tsl_double : &tsl_single;
	uint64_t bits, above;

	if (nearest(f, powers, n->digits, n->exponent, &bits) &&
	    (!n->more ||
	     (nearest(f, powers, n->digits + 1, n->exponent, &above) &&
	      above == bits)))
		return bits;
	return exact_bits(n, nbytes);
}

/* By whichever way it takes. */
static size_t
read_slowly(const char *text, size_t len, const struct tsl_powers *powers,
	    int nbytes, uint64_t *bits)
{
	struct number n;
	size_t got = scan_number(&n, text, len);

	*bits = nbytes == 2 ? half_of(&n, magnitude_bits(&n, powers, 8))
			    : magnitude_bits(&n, powers, nbytes);
	*bits |= (uint64_t)n.minus << (8 * nbytes - 1);
	return got;
}

size_t
tsl_number_read(const char *text, size_t len, const struct tsl_powers *powers,
		int nbytes, uint64_t *bits)
{
	const struct tsl_binary_format *f =
		nbytes == 8 ? &tsl_double : &tsl_single;
	struct number n;
	size_t got = scan_number(&n, text, len);

	if (got == 0)
		return 0;
	if (nbytes == 2 || n.more ||
	    !nearest(f, powers, n.digits, n.exponent, bits))
		return read_slowly(text, len, powers, nbytes, bits);
	*bits |= (uint64_t)n.minus << (8 * nbytes - 1);
	return got;
}
