/*
 * numeral.h - real numbers as text, aligned as NumPy does it
 *
 * Twice over the numbers of a column: first each is looked at, so that widths
 * and notation are known, then each is written.
 */
#ifndef CLI_NUMERAL_H
#define CLI_NUMERAL_H

#include "npyio/format/text.h"

/* How a column of real numbers is written. */
struct numeral {
	int nbytes; /* of the type the digits are for: 2, 4, 8 or 16 */
	int precision; /* digits behind the point, at most */
	bool always_sign;
	bool any_finite, any_special;
	bool scientific;
	long double smallest, largest; /* magnitudes, 0 apart */
	int left, right; /* characters before and behind the point */
	int exponent; /* digits of it */
	int special; /* characters of nan and inf */
};

/* numeral_measure() looks at one number; passes 0 and 1, all in each. */
#define NUMERAL_PASSES 2
void numeral_measure(struct numeral *f, int pass, long double v);

/* numeral_write() appends a number, 'unit' behind it, and blanks. */
void numeral_write(const struct numeral *f, long double v, const char *unit,
		   struct npyio_text *out);

/*
 * numeral_write_alone() appends a number that stands alone: the shortest text,
 * scientific when very large or small, a whole number as "1" and 'whole'.
 */
void numeral_write_alone(const struct numeral *f, long double v,
			 const char *whole, struct npyio_text *out);

#endif /* CLI_NUMERAL_H */
