/*
 * json_syntax.c - whether a text is JSON
 *
 * cJSON takes much that is none, and has no option against it: control
 * characters in strings, numbers such as 1.2.3e, names without quotes for what
 * is not looked at, bytes that are not UTF-8.  A strict library would be a
 * second one, for a grammar that fits on a page.
 */
#include "json_syntax.h"

#include "lib/base/utf8.h"

#include <stdint.h>
#include <string.h>

#define MAX_DEPTH 256

struct text {
	const char *s;
	size_t len, at;
};

static bool is_value(struct text *t, int depth);

static bool
take(struct text *t, char c)
{
	if (t->at == t->len || t->s[t->at] != c)
		return false;
	t->at++;
	return true;
}

static void
skip_blanks(struct text *t)
{
	while (take(t, ' ') || take(t, '\t') || take(t, '\n') || take(t, '\r'))
		continue;
}

static bool
take_word(struct text *t, const char *word)
{
	size_t n = strlen(word);

	if (t->len - t->at < n || memcmp(t->s + t->at, word, n) != 0)
		return false;
	t->at += n;
	return true;
}

/* Takes one of 'set', which must not be the NUL at its end. */
static bool
take_any(struct text *t, const char *set)
{
	if (t->at == t->len || !t->s[t->at] || !strchr(set, t->s[t->at]))
		return false;
	t->at++;
	return true;
}

static bool
take_digits(struct text *t)
{
	size_t from = t->at;

	while (take_any(t, "0123456789"))
		continue;
	return t->at > from;
}

static bool
is_number(struct text *t)
{
	take(t, '-');
	if (!take(t, '0') && !take_digits(t))
		return false;
	if (take(t, '.') && !take_digits(t))
		return false;
	if (!take_any(t, "eE"))
		return true;
	take_any(t, "+-");
	return take_digits(t);
}

static bool
is_escape(struct text *t)
{
	if (!take(t, 'u'))
		return take_any(t, "\"\\/bfnrt");
	for (int i = 0; i < 4; i++)
		if (!take_any(t, "0123456789abcdefABCDEF"))
			return false;
	return true;
}

static bool
is_string(struct text *t)
{
	if (!take(t, '"'))
		return false;
	while (t->at < t->len) {
		uint32_t c;

		if (take(t, '"'))
			return true;
		c = tsl_utf8_next(t->s, t->len, &t->at);
		if (c < 0x20 || c == UINT32_MAX || (c == '\\' && !is_escape(t)))
			return false;
	}
	return false;
}

static bool
is_member(struct text *t, int depth)
{
	skip_blanks(t);
	if (!is_string(t))
		return false;
	skip_blanks(t);
	return take(t, ':') && is_value(t, depth);
}

/* What stands between the brackets of an object or an array, and the last. */
static bool
is_list(struct text *t, int depth, bool is_object)
{
	char end = is_object ? '}' : ']';

	skip_blanks(t);
	if (take(t, end))
		return true;
	do {
		if (!(is_object ? is_member(t, depth) : is_value(t, depth)))
			return false;
	} while (take(t, ','));
	return take(t, end);
}

/* With the blanks around it. */
static bool
is_value(struct text *t, int depth)
{
	bool is;

	if (depth == MAX_DEPTH)
		return false;
	skip_blanks(t);
	if (take(t, '{'))
		is = is_list(t, depth + 1, true);
	else if (take(t, '['))
		is = is_list(t, depth + 1, false);
	else
		is = take_word(t, "true") || take_word(t, "false") ||
		     take_word(t, "null") ||
		     (t->at < t->len && t->s[t->at] == '"' ? is_string(t)
							   : is_number(t));
	skip_blanks(t);
	return is;
}

bool
npyio_json_is_valid(const char *text, size_t len)
{
	struct text t = { .s = text, .len = len };

	return is_value(&t, 0) && t.at == len;
}

bool
npyio_json_has_nul(const char *text, size_t len)
{
	static const char nul[] = "\\u0000";

	for (size_t i = 0; i + sizeof(nul) - 1 <= len; i++) {
		if (memcmp(text + i, nul, sizeof(nul) - 1) == 0)
			return true;
		/* What is behind it is no other backslash's. */
		if (text[i] == '\\')
			i++;
	}
	return false;
}
