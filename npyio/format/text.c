/*
 * text.c - text that grows
 */
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
npyio_text_free(struct npyio_text *t)
{
	free(t->s);
	*t = (struct npyio_text){ 0 };
}

static bool
reserve(struct npyio_text *t, size_t more)
{
	size_t cap = t->cap ? t->cap : 64;
	char *s;

	if (t->failed)
		return false;
	if (more < t->cap - t->len)
		return true;
	while (cap - t->len <= more) {
		if (cap > SIZE_MAX / 2) {
			t->failed = true;
			return false;
		}
		cap *= 2;
	}
	s = realloc(t->s, cap);
	if (!s) {
		t->failed = true;
		return false;
	}
	t->s = s;
	t->cap = cap;
	return true;
}

void
npyio_text_add(struct npyio_text *t, const char *bytes, size_t len)
{
	if (!reserve(t, len))
		return;
	memcpy(t->s + t->len, bytes, len);
	t->len += len;
	t->s[t->len] = '\0';
}

void
npyio_text_puts(struct npyio_text *t, const char *s)
{
	npyio_text_add(t, s, strlen(s));
}

void
npyio_text_printf(struct npyio_text *t, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0 || !reserve(t, (size_t)n))
		return;
	va_start(ap, fmt);
	vsnprintf(t->s + t->len, (size_t)n + 1, fmt, ap);
	va_end(ap);
	t->len += (size_t)n;
}

size_t
npyio_utf8_encode(char s[NPYIO_UTF8_MAX], uint32_t c)
{
	size_t n = 0;

	if (c < 0x80) {
		s[n++] = (char)c;
	} else if (c < 0x800) {
		s[n++] = (char)(0xC0 | c >> 6);
	} else if (c < 0x10000) {
		s[n++] = (char)(0xE0 | c >> 12);
		s[n++] = (char)(0x80 | (c >> 6 & 0x3F));
	} else {
		s[n++] = (char)(0xF0 | c >> 18);
		s[n++] = (char)(0x80 | (c >> 12 & 0x3F));
		s[n++] = (char)(0x80 | (c >> 6 & 0x3F));
	}
	if (c >= 0x80)
		s[n++] = (char)(0x80 | (c & 0x3F));
	return n;
}

void
npyio_text_utf8(struct npyio_text *t, uint32_t c)
{
	char s[NPYIO_UTF8_MAX];

	npyio_text_add(t, s, npyio_utf8_encode(s, c));
}

void
npyio_text_cut(struct npyio_text *t, size_t len)
{
	if (len < t->len) {
		t->len = len;
		t->s[len] = '\0';
	}
}

bool
npyio_ends_in(const char *s, size_t len, const char *end)
{
	size_t n = strlen(end);

	return len >= n && memcmp(s + len - n, end, n) == 0;
}

bool
npyio_text_ok(const struct npyio_text *t)
{
	return !t->failed;
}

/* ---- what may be shown --------------------------------------------------- */

struct range {
	uint32_t first, last;
};

static bool
is_in(const struct range *ranges, size_t n, uint32_t c)
{
	for (size_t i = 0; i < n; i++)
		if (c >= ranges[i].first && c <= ranges[i].last)
			return true;
	return false;
}

#define IS_IN(ranges, c) is_in(ranges, sizeof(ranges) / sizeof((ranges)[0]), c)

bool
npyio_utf8_is_safe(uint32_t c)
{
	/*
	 * Controls; what sets directions, ends lines or has no width (but for
	 * the joiners, which scripts and emoji need); tags; non-characters.
	 */
	static const struct range unsafe[] = {
		{ 0x00, 0x1F },       { 0x7F, 0x9F },
		{ 0x061C, 0x061C },   { 0x180E, 0x180E },
		{ 0x200B, 0x200B },   { 0x200E, 0x200F },
		{ 0x2028, 0x202E },   { 0x2060, 0x206F },
		{ 0xD800, 0xDFFF },   { 0xFDD0, 0xFDEF },
		{ 0xFEFF, 0xFEFF },   { 0xFFF0, 0xFFFB },
		{ 0x1D173, 0x1D17A }, { 0xE0000, 0xE00FF },
		{ 0xE01F0, 0xEFFFF }, { 0x110000, UINT32_MAX },
	};

	return (c & 0xFFFE) != 0xFFFE && !IS_IN(unsafe, c);
}

bool
npyio_utf8_is_printable(uint32_t c)
{
	/* Format, separator and private characters that are safe. */
	static const struct range ranges[] = {
		{ 0x00A0, 0x00A0 },    { 0x00AD, 0x00AD },
		{ 0x0600, 0x0605 },    { 0x06DD, 0x06DD },
		{ 0x070F, 0x070F },    { 0x0890, 0x0891 },
		{ 0x08E2, 0x08E2 },    { 0x1680, 0x1680 },
		{ 0x2000, 0x200F },    { 0x202F, 0x202F },
		{ 0x205F, 0x205F },    { 0x3000, 0x3000 },
		{ 0xE000, 0xF8FF },    { 0x110BD, 0x110BD },
		{ 0x110CD, 0x110CD },  { 0x13430, 0x1343F },
		{ 0x1BCA0, 0x1BCA3 },  { 0x40000, 0xE00FF },
		{ 0xF0000, 0x10FFFF },
	};

	return npyio_utf8_is_safe(c) && !IS_IN(ranges, c);
}
