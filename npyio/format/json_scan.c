/*
 * json_scan.c - JSON as it is gone through, value by value, without a tree
 */
#include "json_scan.h"

#include "lib/base/utf8.h"

#include <stdint.h>
#include <string.h>

#define MAX_DEPTH 256

bool
npyio_json_take(struct npyio_json_scan *t, char c)
{
	if (t->at == t->len || t->s[t->at] != c)
		return false;
	t->at++;
	return true;
}

void
npyio_json_skip_blanks(struct npyio_json_scan *t)
{
	while (npyio_json_take(t, ' ') || npyio_json_take(t, '\t') ||
	       npyio_json_take(t, '\n') || npyio_json_take(t, '\r'))
		continue;
}

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

bool
npyio_json_take_number(struct npyio_json_scan *t)
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

	if (depth == MAX_DEPTH)
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
			      : npyio_json_take_number(t));
	npyio_json_skip_blanks(t);
	return is;
}
