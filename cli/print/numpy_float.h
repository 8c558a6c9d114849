/*
 * numpy_float.h - real numbers as text, aligned as NumPy does it
 *
 * Twice over the numbers of a column: first each is looked at, so that widths
 * and notation are known, then each is written.
 */
#ifndef CLI_NUMPY_FLOAT_H
#define CLI_NUMPY_FLOAT_H

#include "npyio/format/text.h"
#include "real.h"

/* How a column of real numbers is written. */
struct numpy_float {
	const struct real_type *type; /* that the digits are for */
	int precision; /* digits behind the point, at most */
	bool always_sign;
	bool any_finite, any_special;
	bool scientific;
	long double smallest, largest; /* magnitudes, 0 apart */
	int left, right; /* characters before and behind the point */
	int exponent; /* digits of it */
	int special; /* characters of nan and inf */
};

/* numpy_float_measure() looks at one number; passes 0 and 1, all in each. */
#define NUMERAL_PASSES 2
void numpy_float_measure(struct numpy_float *f, int pass, long double v);

/* numpy_float_write() appends a number, 'unit' behind it, and blanks. */
void numpy_float_write(const struct numpy_float *f, long double v,
		       const char *unit, struct npyio_text *out);

/*
 * numpy_float_write_alone() appends a number that stands alone: the shortest
 * text, scientific when very large or small, a whole number as "1" and 'whole'.
 */
void numpy_float_write_alone(const struct numpy_float *f, long double v,
			     const char *whole, struct npyio_text *out);

#endif /* CLI_NUMPY_FLOAT_H */
