/*
 * ascii.h - kinds of characters, whatever the locale
 */
#ifndef TSL_ASCII_H
#define TSL_ASCII_H

#include <stdbool.h>

static inline bool
tsl_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* What a number or a name is made of. */
static inline bool
tsl_is_word(char c)
{
	return tsl_is_digit(c) || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z') || c == '_';
}

#endif /* TSL_ASCII_H */
