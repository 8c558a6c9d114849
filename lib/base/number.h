/*
 * number.h - many floating-point numbers from decimal text, each rounded once
 *
 * The text is what decimal.h takes.  Up to 19 digits are rounded by one or two
 * multiplications; where that does not prove which of two neighbours is the
 * nearest, and for what is longer, decimal.h does it, exactly.
 *
 * Source: Daniel Lemire, "Number parsing at a gigabyte per second", Software:
 * Practice and Experience 51 (8), 2021, after Michael Eisel's algorithm.
 */
#ifndef TSL_NUMBER_H
#define TSL_NUMBER_H

#include "powers.h"

#include <stdbool.h>
#include <stddef.h>

/* A finite number as it stands in a text. */
struct tsl_number {
	bool minus;
	const char *text; /* without its sign */
	size_t len;
	uint64_t digits; /* the first 19 that count */
	int64_t exponent; /* of ten, for them */
	bool more; /* digits than these */
};

/*
 * tsl_number_scan() reads the number that text[0, len) begins with, and
 * returns its bytes; 0 where there is none.  Words, "inf" and "nan", are none.
 */
size_t tsl_number_scan(struct tsl_number *n, const char *text, size_t len);

/*
 * tsl_number_bits() is the number as the IEEE one of 2, 4 or 8 bytes that is
 * nearest, ties to even, or infinite: its bits.
 */
uint64_t tsl_number_bits(const struct tsl_number *n,
			 const struct tsl_powers *powers, int nbytes);

#endif /* TSL_NUMBER_H */
