/*
 * json_scan.c - JSON as it is gone through, value by value, without a tree
 */
#include "json_scan.h"

#include "lib/base/utf8.h"
#include "text.h"

#include <stdint.h>
#include <string.h>

static bool
take_word(struct npyio_json_scan *t, const char *word)
{
	size_t n = strlen(word);

	if (t->len - t->at < n || memcmp(t->s + t->at, word, n) != 0)
		return false;
	t->at += n;
	return true;
}

/* Takes one of 'set', which must not be the NUL at its end. */
static bool
take_any(struct npyio_json_scan *t, const char *set)
{
	if (t->at == t->len || !t->s[t->at] || !strchr(set, t->s[t->at]))
		return false;
	t->at++;
	return true;
}

static bool
take_digits(struct npyio_json_scan *t)
{
	size_t from = t->at;

	while (take_any(t, "0123456789"))
		continue;
	return t->at > from;
}

static bool
take_number(struct npyio_json_scan *t)
{
	npyio_json_take(t, '-');
	if (!npyio_json_take(t, '0') && !take_digits(t))
		return false;
	if (npyio_json_take(t, '.') && !take_digits(t))
		return false;
	if (!take_any(t, "eE"))
		return true;
	take_any(t, "+-");
	return take_digits(t);
}

static bool
is_escape(struct npyio_json_scan *t)
{
	if (!npyio_json_take(t, 'u'))
		return take_any(t, "\"\\/bfnrt");
	for (int i = 0; i < 4; i++)
		if (!take_any(t, "0123456789abcdefABCDEF"))
			return false;
	return true;
}

bool
npyio_json_take_string(struct npyio_json_scan *t)
{
	if (!npyio_json_take(t, '"'))
		return false;
	while (t->at < t->len) {
		unsigned char first = (unsigned char)t->s[t->at];
		uint32_t c;

		if (first == '"') {
			t->at++;
			return true;
		}
		if (first >= 0x20 && first < 0x80 && first != '\\') {
			t->at++;
			continue;
		}
		c = tsl_utf8_next(t->s, t->len, &t->at);
		if (c < 0x20 || c == UINT32_MAX || (c == '\\' && !is_escape(t)))
			return false;
	}
	return false;
}

static bool
is_member(struct npyio_json_scan *t, int depth)
{
	npyio_json_skip_blanks(t);
	if (!npyio_json_take_string(t))
		return false;
	npyio_json_skip_blanks(t);
	return npyio_json_take(t, ':') && npyio_json_take_value(t, depth);
}

/* What stands between the brackets of an object or an array, and the last. */
static bool
is_list(struct npyio_json_scan *t, int depth, bool is_object)
{
	char end = is_object ? '}' : ']';

	npyio_json_skip_blanks(t);
	if (npyio_json_take(t, end))
		return true;
	do {
		if (!(is_object ? is_member(t, depth)
				: npyio_json_take_value(t, depth)))
			return false;
	} while (npyio_json_take(t, ','));
	return npyio_json_take(t, end);
}

/* With the blanks around it. */
bool
npyio_json_take_value(struct npyio_json_scan *t, int depth)
{
	bool is;

	if (depth == NPYIO_JSON_MAX_DEPTH)
		return false;
	npyio_json_skip_blanks(t);
	if (npyio_json_take(t, '{'))
		is = is_list(t, depth + 1, true);
	else if (npyio_json_take(t, '['))
		is = is_list(t, depth + 1, false);
	else
		is = take_word(t, "true") || take_word(t, "false") ||
		     take_word(t, "null") ||
		     (t->at < t->len && t->s[t->at] == '"'
			      ? npyio_json_take_string(t)
			      : take_number(t));
	npyio_json_skip_blanks(t);
	return is;
}

/* ---- what a string stands for ---------------------------------------------
 */

/* Four hexadecimal digits, which are known to be that. */
static uint32_t
hex4(const char *s)
{
	uint32_t c = 0;

	for (int i = 0; i < 4; i++)
		c = c << 4 | (uint32_t)(s[i] <= '9' ? s[i] - '0'
						    : (s[i] | 0x20) - 'a' + 10);
	return c;
}

/* What \uXXXX stands for, or a pair of them, of which 'at' is behind the u. */
static bool
unescape(const char *s, size_t len, size_t *at, uint32_t *c)
{
	uint32_t low;

	*c = hex4(s + *at);
	*at += 4;
	if (*c >> 11 != 0x1B)
		return true;
	if (*c >= 0xDC00 || len - *at < 6 || s[*at] != '\\' ||
	    s[*at + 1] != 'u')
		return false;
	low = hex4(s + *at + 2);
	*at += 6;
	*c = 0x10000 + ((*c - 0xD800) << 10) + (low - 0xDC00);
	return low >= 0xDC00 && low <= 0xDFFF;
}

bool
npyio_json_decode(const char *s, size_t len, char *out, size_t *n)
{
	static const char escapes[] = "\"\\/bfnrt",
			  values[] = "\"\\/\b\f\n\r\t";
	size_t at = 0;

	*n = 0;
	while (at < len) {
		char utf8[NPYIO_UTF8_MAX];
		uint32_t c;
		size_t size;

		if (s[at] != '\\') {
			out[(*n)++] = s[at++];
			continue;
		}
		at += 2;
		if (s[at - 1] != 'u') {
			out[(*n)++] =
				values[strchr(escapes, s[at - 1]) - escapes];
			continue;
		}
		if (!unescape(s, len, &at, &c))
			return false;
		size = npyio_utf8_encode(utf8, c);
		memcpy(out + *n, utf8, size);
		*n += size;
	}
	return true;
}
