/*
 * http_error.c - what a server said instead of what it was asked for
 */
#include "http_error.h"

#include "lib/base/minmax.h"

#include <stdio.h>
#include <string.h>

#define MAX_SHOWN 120

/* What stands between <tag> and </tag>. */
static size_t
element(const char *text, const char *tag, const char **begin)
{
	char open[32];
	const char *at, *end;

	snprintf(open, sizeof(open), "<%s>", tag);
	at = strstr(text, open);
	*begin = at ? at + strlen(open) : NULL;
	end = at ? strchr(*begin, '<') : NULL;
	return end ? (size_t)(end - *begin) : 0;
}

/* An error of S3 repeats the request, but not in its message. */
static size_t
find_words(const char *text, const char **begin)
{
	const char *first = text + strspn(text, " \t\r\n");

	if (*first == '<')
		return element(text, "Message", begin);
	*begin = first;
	return strcspn(first, "\r\n");
}

/* The password that the URL names. */
static bool
has_password(const char *text, const char *url)
{
	const char *user = strstr(url, "://");
	size_t len = user ? strcspn(user + 3, "/?#") : 0;
	const char *colon = user ? memchr(user + 3, ':', len) : NULL;
	const char *at = user ? memchr(user + 3, '@', len) : NULL;
	char password[NPYIO_HTTP_ERROR];

	if (!at || !colon || colon > at)
		return at != NULL;
	while (memchr(at + 1, '@', (size_t)(user + 3 + len - (at + 1))))
		at = strchr(at + 1, '@');
	len = (size_t)(at - colon - 1);
	if (len >= sizeof(password))
		return true;
	memcpy(password, colon + 1, len);
	password[len] = '\0';
	return strstr(text, password) != NULL;
}

/* An echo of the request would be one of its secrets, too. */
static bool
is_secret(const char *text, const struct npyio_request *q)
{
	return has_password(text, q->url) || strchr(text, '=') ||
	       strstr(text, "uthorization") || strstr(text, "Basic ") ||
	       strstr(text, "Bearer ") || strstr(text, "AWS4");
}

void
npyio_http_error(char said[NPYIO_HTTP_ERROR], const struct npyio_response *a,
		 const char *bytes, size_t n, const struct npyio_request *q)
{
	char text[NPYIO_HTTP_ERROR + 1];
	const char *words = text;
	const char *reason = is_secret(a->reason, q) ? "" : a->reason;
	size_t len = 0;

	n = (size_t)tsl_min((int64_t)n, NPYIO_HTTP_ERROR);
	if (n > 0)
		memcpy(text, bytes, n);
	text[n] = '\0';
	if (a->is_text)
		len = find_words(text, &words);
	len = (size_t)tsl_min((int64_t)len, MAX_SHOWN);
	memmove(text, words, len);
	text[len] = '\0';
	if (is_secret(text, q))
		len = 0;
	snprintf(said, NPYIO_HTTP_ERROR, "%d%s%s%s%.*s", a->code,
		 *reason ? " " : "", reason, len > 0 ? ": " : "", (int)len,
		 text);
}
