/*
 * decimal.h - floating-point numbers from decimal text, whatever the locale
 *
 * Text is an optional sign and then digits with or without a point and an
 * exponent, or "inf", "infinity" or "nan" in letters of either case: what
 * Python's float() takes, less blanks and underscores.  It is rounded to
 * nearest, ties to even, however long it is; what is too large is infinite.
 */
#ifndef TSL_DECIMAL_H
#define TSL_DECIMAL_H

#include <stddef.h>
#include <stdint.h>

/* tsl_decimal_span() is how many bytes at the start are a number; 0: none. */
size_t tsl_decimal_span(const char *text, size_t len);

/* They take what is a number as a whole; see tsl_decimal_span(). */
double tsl_decimal_double(const char *text, size_t len);
float tsl_decimal_single(const char *text, size_t len);
long double tsl_decimal_extended(const char *text, size_t len);

/*
 * tsl_decimal_compare() says whether the magnitude of a finite number in text
 * is less than that of 'v', which is tsl_decimal_double()'s, or more: < 0 or
 * > 0, or 0 where they are the same.
 */
int tsl_decimal_compare(const char *text, size_t len, double v);

/* tsl_half_bits() rounds to IEEE binary16. */
uint16_t tsl_half_bits(double v);

#endif /* TSL_DECIMAL_H */
