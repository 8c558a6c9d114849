/*
 * numbers.h - the cells that most texts are made of: numbers in a row
 */
#ifndef CLI_PARSE_NUMBERS_H
#define CLI_PARSE_NUMBERS_H

#include "cells.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * numbers_take() makes elements of the cells from 'at' on, to the end of the
 * row; or to the first that is anything but digits, a point and an exponent,
 * blanks before, and what divides cells right behind.  Of many rows only those
 * are taken that are like this as a whole, with their newlines.
 */
void numbers_take(struct numbers *n);

/* numbers_has() says whether a column's elements can be made so. */
bool numbers_has(const struct column *c);

/*
 * numbers_integer() reads the integer that text[0, len) begins with into an
 * element of a column of integers, or of time spans; numbers_real() the real
 * number, of 'size' bytes, 8 at most, in the column's byte order.  Return its
 * bytes; 0 if there is none, or it does not fit.
 */
size_t numbers_integer(const struct column *c, const char *text, size_t len,
		       char *element);
size_t numbers_real(const struct column *c, const struct tsl_powers *powers,
		    const char *text, size_t len, int64_t size, char *element);

/* numbers_store() stores the lowest bytes of 'bits' in the column's order. */
void numbers_store(const struct column *c, uint64_t bits, int64_t size,
		   char *element);

#endif /* CLI_PARSE_NUMBERS_H */
