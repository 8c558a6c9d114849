/*
 * element.h - the elements of an array as text, aligned as NumPy does it
 *
 * Twice over the elements that will be shown: first each is looked at, so
 * that widths and notation are known, then each is written.
 */
#ifndef CLI_ELEMENT_H
#define CLI_ELEMENT_H

#include "lib/base/array.h"
#include "npyio/format/text.h"

/* How a column of real numbers is written. */
struct real_format {
	int nbytes; /* of the type the digits are for: 2, 4, 8 or 16 */
	bool always_sign;
	bool any_finite, any_special;
	bool scientific;
	long double smallest, largest; /* magnitudes, 0 apart */
	int left, right; /* characters before and behind the point */
	int exponent; /* digits of it */
	int special; /* characters of nan and inf */
};

struct element_format {
	struct tsl_dtype dtype;
	bool scalar; /* alone: as Python writes a number */
	int width; /* of integers */
	struct real_format part[2]; /* real and imaginary */
};

void element_format_init(struct element_format *f,
			 const struct tsl_dtype *dtype, bool scalar);

/* element_measure() looks at one element; passes 0 and 1, all in each. */
#define ELEMENT_PASSES 2
void element_measure(struct element_format *f, int pass, const char *bytes);

/* element_write() appends the text of one element. */
void element_write(const struct element_format *f, const char *bytes,
		   struct npyio_text *out);

#endif /* CLI_ELEMENT_H */
