/*
 * digits.h - numbers as text, fast
 *
 * Each writes at 's', without a NUL, and returns where the text ends; there
 * must be room for DIGITS_MAX bytes.
 */
#ifndef CLI_DIGITS_H
#define CLI_DIGITS_H

#include "real.h"

#include <stdint.h>

#define DIGITS_MAX 128

char *digits_unsigned(char *s, uint64_t value);
char *digits_signed(char *s, int64_t value);

/*
 * digits_real() writes the number of 8 bytes at most that has these bits as
 * Python does: the shortest text that reads back as the same number, "1.0",
 * "1e+16", "nan", "-inf".
 */
char *digits_real(char *s, uint64_t bits, const struct real_type *type);

/*
 * digits_reals() writes n such numbers, and behind each one a character; there
 * must be room for n times DIGITS_MAX bytes.
 */
char *digits_reals(char *s, const uint64_t bits[], int n,
		   const struct real_type *type, const char behind[]);

/* digits_decimal() writes a decimal number in that form. */
char *digits_decimal(char *s, const struct decimal *d);

#endif /* CLI_DIGITS_H */
