/*
 * short_number.h - floating-point numbers of up to 19 digits, for loops
 *
 * What number.h reads, as far as one product with a power of ten rounds it
 * right, with at most 7 digits in front of the point and 2 of an exponent; all
 * of it is inline.
 */
#ifndef TSL_SHORT_NUMBER_H
#define TSL_SHORT_NUMBER_H

#include "ascii.h"
#include "nearest.h"
#include "sixteen_digits.h"

#include <stdbool.h>
#include <stddef.h>

#define TSL_MAX_DIGITS 19 /* that are sure to fit 64 bits */

/* A text is to have so many characters, whichever they are. */
#define TSL_SHORT_NUMBER 48

/* ---- digits -------------------------------------------------------------- */

static const uint64_t tsl_ten_to[] = {
	1, 10, 100, 1000, 10000, 100000, 1000000, 10000000,
};

/* Up to 7 digits in front of a point; of more, as of none, 0. */
TSL_INLINE size_t
tsl_scan_whole(const char *text, uint64_t *digits)
{
	uint64_t v;
	int count;

	/* There is often one. */
	*digits = (uint64_t)(text[0] - '0');
	if (*digits <= 9 && text[1] == '.')
		return 1;
	v = tsl_eight_load(text);
	count = tsl_eight_count(v) & 7;
	*digits = tsl_eight_value(tsl_eight_first(v, count));
	return (size_t)count;
}

/* Behind it; more than 19 in all wrap, and of 24 and more not all are seen. */
TSL_INLINE size_t
tsl_scan_behind(const char *text, uint64_t *digits)
{
	tsl_sixteen first = tsl_sixteen_load(text);
	size_t n = 0;
	uint64_t v;
	int count;

	if (tsl_sixteen_are_digits(first)) {
		*digits = *digits * UINT64_C(10000000000000000) +
			  tsl_sixteen_value(first);
		n = 16;
	}
	v = tsl_eight_load(text + n);
	count = tsl_eight_count(v);
	if (count == 8) {
		*digits = *digits * 100000000 + tsl_eight_value(v);
		n += 8;
		v = tsl_eight_load(text + n);
		count = tsl_eight_count(v) & 7;
	}
	*digits = *digits * tsl_ten_to[count] +
		  tsl_eight_value(tsl_eight_first(v, count));
	return n + (size_t)count;
}

/* Behind an "e", of one or two digits; 0: it is another, or not a sure one. */
TSL_INLINE size_t
tsl_scan_exponent(const char *text, int64_t *q)
{
	bool minus = text[0] == '-';
	const char *s = text + (minus || text[0] == '+');
	int64_t e = *s - '0';

	if (!tsl_is_digit(*s++))
		return 0;
	if (tsl_is_digit(*s))
		e = 10 * e + (*s++ - '0');
	*q += minus ? -e : e;
	return tsl_is_digit(*s) || *q < TSL_LEAST_SURE || *q > TSL_MOST_SURE
		       ? 0
		       : (size_t)(s - text);
}

/* ---- a number ------------------------------------------------------------ */

/*
 * tsl_short_number() is tsl_number_read() of 4 or 8 bytes, a constant, for
 * most numbers: of any other, or where there is none, it returns 0.
 */
TSL_INLINE size_t
tsl_short_number(const char *text, const struct tsl_powers *powers, int nbytes,
		 uint64_t *bits)
{
	const struct tsl_binary_format *f =
		nbytes == 8 ? &tsl_double : &tsl_single;
	/* Signs are in no order: they are no matter of branches. */
	size_t minus = text[0] == '-', behind = 0;
	const char *s = text + minus;
	uint64_t w;
	size_t whole = tsl_scan_whole(s, &w);
	int64_t q = 0;

	s += whole;
	if (*s == '.') {
		behind = tsl_scan_behind(s + 1, &w);
		s += 1 + behind;
		q = -(int64_t)behind;
	}
	if (whole == 0 || whole + behind > TSL_MAX_DIGITS)
		return 0;
	if ((*s | 0x20) == 'e') {
		size_t n = tsl_scan_exponent(s + 1, &q);

		if (n == 0)
			return 0;
		s += 1 + n;
	}
	*bits = 0;
	if (w != 0 && !tsl_nearest_normal(f, powers, w, q, bits))
		return 0;
	*bits |= (uint64_t)minus << (8 * nbytes - 1);
	return (size_t)(s - text);
}

#endif /* TSL_SHORT_NUMBER_H */
