/*
 * json_scan.h - JSON as it is gone through, value by value, without a tree
 *
 * By the letter of RFC 8259: UTF-8, and nothing is taken that the grammar has
 * not.  A tree of a long text takes many times its memory and its time.
 */
#ifndef NPYIO_JSON_SCAN_H
#define NPYIO_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#define NPYIO_JSON_MAX_DEPTH 256

struct npyio_json_scan {
	const char *s;
	size_t len, at;
};

/* npyio_json_take() takes the character 'c', if it is what comes next. */
static inline bool
npyio_json_take(struct npyio_json_scan *t, char c)
{
	if (t->at == t->len || t->s[t->at] != c)
		return false;
	t->at++;
	return true;
}

static inline void
npyio_json_skip_blanks(struct npyio_json_scan *t)
{
	while (t->at < t->len && (t->s[t->at] == ' ' || t->s[t->at] == '\t' ||
				  t->s[t->at] == '\n' || t->s[t->at] == '\r'))
		t->at++;
}

/*
 * npyio_json_take_string() takes one, without the blanks around it, if it is
 * one; else 'at' is anywhere.  Its quotes and escapes are as they stand.
 */
bool npyio_json_take_string(struct npyio_json_scan *t);

/*
 * npyio_json_take_value() takes any value, and the blanks around it.  It is
 * refused where it is nested too deep for any use; 'depth' is how deep it is.
 */
bool npyio_json_take_value(struct npyio_json_scan *t, int depth);

/*
 * npyio_json_decode() writes what a string that was taken stands for, of which
 * s[0, len) is without quotes, as UTF-8 to 'out', which may be 's', and has
 * room for 'len' bytes.  Returns false where it stands for half a character.
 */
bool npyio_json_decode(const char *s, size_t len, char *out, size_t *n);

#endif /* NPYIO_JSON_SCAN_H */
