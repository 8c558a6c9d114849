/*
 * response.c - what a server says in front of what it sends
 */
#include "response.h"

#include <string.h>
#include <strings.h>

/* A number of the text at '*s', which it moves behind it; -1: none. */
static int64_t
number(const char **s)
{
	int64_t v = 0;
	const char *c = *s;

	for (; *c >= '0' && *c <= '9'; c++) {
		if (v > (INT64_MAX - 9) / 10)
			return -1;
		v = v * 10 + (*c - '0');
	}
	if (c == *s)
		return -1;
	*s = c;
	return v;
}

static int64_t
whole_number(const char *s)
{
	int64_t v = number(&s);

	return *s ? -1 : v;
}

/* "bytes FIRST-LAST/TOTAL", and "*" for either side; the last one holds. */
static void
parse_range(struct npyio_response *a, const char *s)
{
	int64_t first, last = -1, total;

	a->first = a->end = a->total = -1;
	if (strncasecmp(s, "bytes ", 6) != 0)
		return;
	s += 6;
	first = number(&s);
	if (first >= 0 && *s++ == '-')
		last = number(&s);
	if (first < 0 && *s == '*')
		s++;
	else if (last < first || last == INT64_MAX)
		return;
	if (*s++ != '/')
		return;
	total = whole_number(s);
	if (total >= 0 && last >= total)
		return;
	a->total = total;
	if (last < 0)
		return;
	a->first = first;
	a->end = last + 1;
}

static bool
has_controls(const char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s < ' ' || *s == 127)
			return true;
	return false;
}

/* What is sent back later must not be taken for more than one line. */
static void
copy(char *to, size_t size, const char *s)
{
	size_t n = strlen(s);

	if (n >= size || has_controls(s))
		n = 0;
	memcpy(to, s, n);
	to[n] = '\0';
}

static bool
contains(const char *s, const char *word)
{
	for (; *s; s++)
		if (strncasecmp(s, word, strlen(word)) == 0)
			return true;
	return false;
}

void
npyio_response_init(struct npyio_response *a)
{
	*a = (struct npyio_response){ .first = -1,
				      .end = -1,
				      .total = -1,
				      .length = -1,
				      .retry_after = -1 };
}

/* "HTTP/1.1 404 Not Found" */
static void
begin(struct npyio_response *a, const char *s)
{
	int64_t nbytes = a->nbytes;
	int64_t code;

	npyio_response_init(a);
	a->nbytes = nbytes;
	s += strcspn(s, " ");
	s += strspn(s, " ");
	code = number(&s);
	a->code = code >= 100 && code <= 999 ? (int)code : 0;
	copy(a->reason, sizeof(a->reason), s + strspn(s, " "));
}

static void
add_field(struct npyio_response *a, const char *name, const char *value)
{
	if (strcasecmp(name, "Content-Range") == 0)
		parse_range(a, value);
	else if (strcasecmp(name, "Content-Length") == 0)
		a->length = whole_number(value);
	else if (strcasecmp(name, "Retry-After") == 0)
		a->retry_after = whole_number(value);
	else if (strcasecmp(name, "Content-Encoding") == 0)
		a->is_encoded = strcasecmp(value, "identity") != 0;
	else if (strcasecmp(name, "ETag") == 0)
		copy(a->etag, sizeof(a->etag), value);
	else if (strcasecmp(name, "Last-Modified") == 0)
		copy(a->modified, sizeof(a->modified), value);
	else if (strcasecmp(name, "Content-Type") == 0)
		a->is_text = contains(value, "text/plain") ||
			     contains(value, "json") || contains(value, "xml");
}

/* Longer ones hold nothing that is looked for. */
#define MAX_LINE 512

void
npyio_response_add(struct npyio_response *a, const char *line, size_t n)
{
	char text[MAX_LINE];
	char *colon;

	a->nbytes += (int64_t)n;
	while (n > 0 && strchr("\r\n \t", line[n - 1]))
		n--;
	if (n >= sizeof(text))
		return;
	memcpy(text, line, n);
	text[n] = '\0';
	if (strncasecmp(text, "HTTP/", 5) == 0) {
		begin(a, text);
		return;
	}
	colon = strchr(text, ':');
	if (!colon)
		return;
	*colon = '\0';
	add_field(a, text, colon + 1 + strspn(colon + 1, " \t"));
}

int64_t
npyio_response_size(const struct npyio_response *a)
{
	return a->code == 206 || a->code == 416 ? a->total : a->length;
}

bool
npyio_response_is_same(const struct npyio_response *a,
		       const struct npyio_response *b)
{
	int64_t n = npyio_response_size(a), m = npyio_response_size(b);

	if (n >= 0 && m >= 0 && n != m)
		return false;
	if (*a->etag && *b->etag)
		return strcmp(a->etag, b->etag) == 0;
	return !*a->modified || !*b->modified ||
	       strcmp(a->modified, b->modified) == 0;
}

const char *
npyio_response_condition(const struct npyio_response *a)
{
	if (a->etag[0] == '"')
		return a->etag;
	return *a->modified ? a->modified : NULL;
}
