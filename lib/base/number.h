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

#include <stddef.h>

/*
 * tsl_number_read() reads the number that text[0, len) begins with, and stores
 * the bits of the IEEE one of 2, 4 or 8 bytes that is nearest to it, ties to
 * even, or infinite.  Returns its bytes; 0 where there is none.  Words, "inf"
 * and "nan", are none.
 */
size_t tsl_number_read(const char *text, size_t len,
		       const struct tsl_powers *powers, int nbytes,
		       uint64_t *bits);

#endif /* TSL_NUMBER_H */
