/*
 * literal.c - tokens of the Python literals that .npy headers are made of
 */
#include "literal.h"

#include "lib/base/ascii.h"
#include "lib/base/integer.h"
#include "lib/base/utf8.h"

#include <string.h>

#define BAD UINT32_MAX

static enum tsl_status
fail_at(size_t pos, const char *what, struct tsl_error *err)
{
	return tsl_fail(err, TSL_EBAD_HEADER, "%s at byte %zu of the header",
			what, pos);
}

/* The next character of the text, or BAD at its end or where it is not one. */
static uint32_t
next_char(struct npyio_literal *lit)
{
	if (lit->pos == lit->len)
		return BAD;
	if (lit->version >= 3)
		return tsl_utf8_next(lit->text, lit->len, &lit->pos);
	return (unsigned char)lit->text[lit->pos++];
}

static uint32_t
hex_escape(struct npyio_literal *lit, int ndigits)
{
	uint32_t c = 0;

	for (int i = 0; i < ndigits; i++) {
		static const char digits[] = "0123456789abcdef";
		const char *digit;

		if (lit->pos == lit->len || lit->text[lit->pos] == '\0')
			return BAD;
		digit = strchr(digits, lit->text[lit->pos] | 0x20);
		/* 0x10 | 0x20 is '0': only letters have a second case. */
		if (!digit ||
		    (digit - digits < 10 && !tsl_is_digit(lit->text[lit->pos])))
			return BAD;
		c = c << 4 | (uint32_t)(digit - digits);
		lit->pos++;
	}
	return c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF) ? BAD : c;
}

static uint32_t
escape(struct npyio_literal *lit)
{
	switch (next_char(lit)) {
	case '\\':
		return '\\';
	case '\'':
		return '\'';
	case '"':
		return '"';
	case 'n':
		return '\n';
	case 't':
		return '\t';
	case 'r':
		return '\r';
	case 'x':
		return hex_escape(lit, 2);
	case 'u':
		return hex_escape(lit, 4);
	case 'U':
		return hex_escape(lit, 8);
	default:
		return BAD;
	}
}

static enum tsl_status
take_string(struct npyio_literal *lit, struct tsl_error *err)
{
	char quote = lit->text[lit->pos++];

	lit->token = NPYIO_TOKEN_STRING;
	npyio_text_cut(&lit->string, 0);
	npyio_text_puts(&lit->string, "");
	for (;;) {
		uint32_t c = next_char(lit);

		if (c == (unsigned char)quote)
			break;
		if (c == BAD || c == '\n' || c == '\r' || c == 0)
			return fail_at(lit->start, "unterminated string", err);
		if (c == '\\')
			c = escape(lit);
		if (c == BAD || c == 0)
			return fail_at(lit->pos, "bad escape sequence", err);
		npyio_text_utf8(&lit->string, c);
	}
	if (!npyio_text_ok(&lit->string))
		return tsl_no_memory(err);
	return TSL_OK;
}

/* Digits, and in versions 1 and 2 the L that Python 2 put behind them. */
static enum tsl_status
take_int(struct npyio_literal *lit, struct tsl_error *err)
{
	enum tsl_status status;
	size_t end;

	lit->pos++;
	while (lit->pos < lit->len && tsl_is_word(lit->text[lit->pos]))
		lit->pos++;
	end = lit->pos;
	if (lit->version < 3 && lit->text[end - 1] == 'L')
		end--;
	status = tsl_parse_int64(lit->text + lit->start, end - lit->start,
				 &lit->value);
	if (status == TSL_ESYNTAX)
		return fail_at(lit->start, "malformed number", err);
	lit->token = NPYIO_TOKEN_INT;
	lit->fits = status == TSL_OK;
	return TSL_OK;
}

static enum tsl_status
take_word(struct npyio_literal *lit, struct tsl_error *err)
{
	const char *word = lit->text + lit->pos;
	size_t n = 0;

	while (lit->pos + n < lit->len && tsl_is_word(word[n]))
		n++;
	if (n == 1 && word[0] == 'u' && lit->pos + 1 < lit->len &&
	    (word[1] == '\'' || word[1] == '"')) {
		lit->pos++;
		return take_string(lit, err);
	}
	lit->pos += n;
	if (n == 4 && memcmp(word, "True", 4) == 0)
		lit->token = NPYIO_TOKEN_TRUE;
	else if (n == 5 && memcmp(word, "False", 5) == 0)
		lit->token = NPYIO_TOKEN_FALSE;
	else
		return fail_at(lit->start, "unknown word", err);
	return TSL_OK;
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

enum tsl_status
npyio_literal_next(struct npyio_literal *lit, struct tsl_error *err)
{
	char c;

	while (lit->pos < lit->len && is_blank(lit->text[lit->pos]))
		lit->pos++;
	lit->start = lit->pos;
	if (lit->pos == lit->len) {
		lit->token = NPYIO_TOKEN_END;
		return TSL_OK;
	}
	c = lit->text[lit->pos];
	if (c == '\'' || c == '"')
		return take_string(lit, err);
	if (tsl_is_digit(c) || c == '-')
		return take_int(lit, err);
	if (tsl_is_word(c))
		return take_word(lit, err);
	if (!memchr("{}()[],:", c, 8))
		return fail_at(lit->pos, "unexpected character", err);
	lit->token = NPYIO_TOKEN_SIGN;
	lit->sign = c;
	lit->pos++;
	return TSL_OK;
}

bool
npyio_literal_is(const struct npyio_literal *lit, char c)
{
	return lit->token == NPYIO_TOKEN_SIGN && lit->sign == c;
}

enum tsl_status
npyio_literal_unexpected(const struct npyio_literal *lit, enum tsl_status code,
			 const char *wanted, struct tsl_error *err)
{
	size_t n = lit->pos - lit->start;

	if (lit->token == NPYIO_TOKEN_END)
		return tsl_fail(err, code, "expected %s where the header ends",
				wanted);
	return tsl_fail(err, code,
			"expected %s at byte %zu of the header, not %.*s%s",
			wanted, lit->start, n > 40 ? 40 : (int)n,
			lit->text + lit->start, n > 40 ? "..." : "");
}

enum tsl_status
npyio_literal_expect(struct npyio_literal *lit, char c, struct tsl_error *err)
{
	const char wanted[] = { '\'', c, '\'', '\0' };

	if (!npyio_literal_is(lit, c))
		return npyio_literal_unexpected(lit, TSL_EBAD_HEADER, wanted,
						err);
	return npyio_literal_next(lit, err);
}

void
npyio_literal_repr_char(struct npyio_text *out, uint32_t c, char quote)
{
	if (c == '\n')
		npyio_text_puts(out, "\\n");
	else if (c == '\r')
		npyio_text_puts(out, "\\r");
	else if (c == '\t')
		npyio_text_puts(out, "\\t");
	else if (c == '\\' || c == (unsigned char)quote)
		npyio_text_printf(out, "\\%c", (char)c);
	else if (npyio_utf8_is_printable(c))
		npyio_text_utf8(out, c);
	else if (c < 0x100)
		npyio_text_printf(out, "\\x%02x", (unsigned)c);
	else if (c < 0x10000)
		npyio_text_printf(out, "\\u%04x", (unsigned)c);
	else
		npyio_text_printf(out, "\\U%08x", (unsigned)c);
}

void
npyio_literal_repr(struct npyio_text *out, const char *s, size_t len)
{
	bool single = len > 0 && memchr(s, '\'', len);
	bool both = single && memchr(s, '"', len);
	char quote = single && !both ? '"' : '\'';

	npyio_text_add(out, &quote, 1);
	for (size_t i = 0; i < len;)
		npyio_literal_repr_char(out, tsl_utf8_next(s, len, &i), quote);
	npyio_text_add(out, &quote, 1);
}
