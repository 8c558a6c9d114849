/*
 * text.h - text that grows
 *
 * An allocation that fails is remembered, not reported at each step: what is
 * appended after it is dropped, and npyio_text_ok() is asked once, at the end.
 */
#ifndef NPYIO_TEXT_H
#define NPYIO_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct npyio_text {
	char *s; /* NUL-terminated once anything was appended */
	size_t len, cap;
	bool failed;
};

void npyio_text_free(struct npyio_text *t);

void npyio_text_add(struct npyio_text *t, const char *bytes, size_t len);
void npyio_text_puts(struct npyio_text *t, const char *s);
void npyio_text_printf(struct npyio_text *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * npyio_utf8_encode() stores the code point 'c', at most 0x10FFFF, as UTF-8,
 * and returns how many bytes that are; npyio_text_utf8() appends it.
 */
#define NPYIO_UTF8_MAX 4
size_t npyio_utf8_encode(char s[NPYIO_UTF8_MAX], uint32_t c);
void npyio_text_utf8(struct npyio_text *t, uint32_t c);

/* npyio_text_cut() drops all behind the first 'len' bytes. */
void npyio_text_cut(struct npyio_text *t, size_t len);

/* npyio_ends_in() says whether s[0, len) ends in the string 'end'. */
bool npyio_ends_in(const char *s, size_t len, const char *end);

bool npyio_text_ok(const struct npyio_text *t);

/*
 * npyio_utf8_is_printable() says whether Python shows a code point as it is:
 * no control, format, private or non-character, no separator but the blank.
 * Of what Unicode has not assigned yet, which differs between versions of
 * Python, only what lies far from any script is refused here.
 */
bool npyio_utf8_is_printable(uint32_t c);

/*
 * npyio_utf8_is_safe() says whether a terminal may be shown a code point from
 * a file or a name: it moves nothing, turns no direction and hides nothing.
 */
bool npyio_utf8_is_safe(uint32_t c);

#endif /* NPYIO_TEXT_H */
