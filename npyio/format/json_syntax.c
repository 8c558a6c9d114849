/*
 * json_syntax.c - whether a text is JSON
 *
 * cJSON takes much that is none, and has no option against it: control
 * characters in strings, numbers such as 1.2.3e, names without quotes for what
 * is not looked at, bytes that are not UTF-8.  A strict library would be a
 * second one, for a grammar that fits on a page.
 */
#include "json_syntax.h"

#include "json_scan.h"

#include <string.h>

bool
npyio_json_is_valid(const char *text, size_t len)
{
	struct npyio_json_scan t = { .s = text, .len = len };

	return npyio_json_take_value(&t, 0) && t.at == len;
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
