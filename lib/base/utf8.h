/*
 * utf8.h - text as code points
 */
#ifndef TSL_UTF8_H
#define TSL_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * tsl_utf8_next() decodes the code point at s[*i], *i < len, and moves *i
 * behind it.  Returns UINT32_MAX, and moves by one byte, where s is not UTF-8
 * (overlong forms and surrogates included).
 */
uint32_t tsl_utf8_next(const char *s, size_t len, size_t *i);

/* tsl_utf8_is() says whether all of s[0, len) is. */
bool tsl_utf8_is(const char *s, size_t len);

#endif /* TSL_UTF8_H */
