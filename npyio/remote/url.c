/*
 * url.c - what a URL asks for, and what may be said of it
 */
#include "url.h"

#include "npyio/format/container.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define S3 "s3://"

static bool
begins(const char *s, const char *with)
{
	return strncasecmp(s, with, strlen(with)) == 0;
}

bool
npyio_url_is(const char *name)
{
	return begins(name, "https://") || begins(name, "http://") ||
	       begins(name, S3);
}

/* ---- names --------------------------------------------------------------- */

size_t
npyio_url_place(const char *url, const char **host)
{
	const char *begin = strstr(url, "://") + 3;
	size_t len = strcspn(begin, "/?#");
	const char *path = begin + len;

	/* The last one: a password may hold some as well. */
	while (len > 0 && begin[len - 1] != '@')
		len--;
	*host = begin + len;
	/* What is asked for is a path, but of s3, where a key may hold all. */
	path += begins(url, S3) ? strlen(path) : strcspn(path, "?#");
	return (size_t)(path - *host);
}

void
npyio_url_show(struct npyio_text *t, const char *name, const char *url)
{
	const char *host, *member = npyio_url_member(url);
	size_t len = npyio_url_place(url, &host);

	npyio_text_add(t, name, (size_t)(strstr(url, "://") + 3 - name));
	npyio_text_add(t, host, len);
	npyio_text_puts(t, host[len] == '?' ? "?..." : "");
	if (member && member > host + len) {
		npyio_text_puts(t, ":");
		npyio_text_puts(t, member);
	}
}

static void
hide(char *s, size_t n)
{
	/* As npyio_url_show() has it. */
	if (n < 3 || memcmp(s, "...", 3) != 0 || (n > 3 && s[3] != ':'))
		memset(s, '*', n);
}

void
npyio_url_hide(char *text)
{
	for (char *s = text; (s = strstr(s, "://"));) {
		size_t len, host;

		s += 3;
		host = len = strcspn(s, "/?#'\" \t\n");
		while (len > 0 && s[len - 1] != '@')
			len--;
		if (len > 1)
			hide(s, len - 1);
		s += host;
		s += strcspn(s, "?'\" \t\n");
		len = strcspn(s, "'\" \t\n");
		if (len > 0)
			hide(s + 1, len - 1);
		s += len;
	}
}

/*
 * Behind a query that lets in, as it is handed out: the last colon, unless a
 * parameter goes on behind it.
 */
static const char *
member_behind_query(const char *path, size_t end)
{
	const char *colon = strrchr(path + end, ':');

	return path[end] == '?' && colon && colon[1] &&
			       !strpbrk(colon, "&=#") &&
			       npyio_container_by_name(path, end)
		       ? colon + 1
		       : NULL;
}

/* Names of members hold colons, too. */
const char *
npyio_url_member(const char *url)
{
	const char *path = strchr(strstr(url, "://") + 3, '/');
	size_t end = path ? strcspn(path, "?#") : 0;
	const char *member;

	if (path && begins(url, S3))
		end = strlen(path);
	member = path ? npyio_container_member_in(path, end, NULL) : NULL;
	return member || !path ? member : member_behind_query(path, end);
}

/* ---- s3 ------------------------------------------------------------------ */

static const char *
variable(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

/* As it is signed: every byte but these as %XX. */
static void
add_escaped(struct npyio_text *t, const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		npyio_text_printf(t,
				  isalnum((unsigned char)s[i]) ||
						  strchr("-._~/", s[i])
					  ? "%c"
					  : "%%%02X",
				  (unsigned char)s[i]);
}

static void
add_s3(struct npyio_text *t, const char *bucket, size_t len, const char *key,
       size_t key_len, const char *region)
{
	const char *endpoint = variable("AWS_ENDPOINT_URL");
	size_t n = endpoint ? strlen(endpoint) : 0;

	while (n > 0 && endpoint[n - 1] == '/')
		n--;
	/* No certificate is for a bucket whose name has a dot. */
	if (endpoint)
		npyio_text_printf(t, "%.*s/%.*s/", (int)n, endpoint, (int)len,
				  bucket);
	else if (memchr(bucket, '.', len))
		npyio_text_printf(t, "https://s3.%s.amazonaws.com/%.*s/",
				  region, (int)len, bucket);
	else
		npyio_text_printf(t, "https://%.*s.s3.%s.amazonaws.com/",
				  (int)len, bucket, region);
	add_escaped(t, key, key_len);
}

/* A string of its own; NULL: no memory. */
static char *
finish(struct npyio_text *t)
{
	char *s = t->failed ? NULL : strndup(t->s, t->len);

	npyio_text_free(t);
	return s;
}

static bool
sign(struct npyio_request *q, const char *region)
{
	const char *key = variable("AWS_ACCESS_KEY_ID");
	const char *secret = variable("AWS_SECRET_ACCESS_KEY");
	const char *token = variable("AWS_SESSION_TOKEN");
	struct npyio_text sign = { 0 }, user = { 0 }, line = { 0 };

	if (!key || !secret)
		return true;
	npyio_text_printf(&sign, "aws:amz:%s:s3", region);
	npyio_text_printf(&user, "%s:%s", key, secret);
	npyio_text_printf(&line, "x-amz-security-token: %s",
			  token ? token : "");
	q->sign = finish(&sign);
	q->user = finish(&user);
	q->token = finish(&line);
	if (!q->sign || !q->user || !q->token)
		return false;
	if (!token) {
		free(q->token);
		q->token = NULL;
	}
	return true;
}

static enum tsl_status
init_s3(struct npyio_request *q, const char *bucket, const char *end,
	struct tsl_error *err)
{
	const char *region = variable("AWS_REGION");
	const char *slash = memchr(bucket, '/', (size_t)(end - bucket));
	struct npyio_text t = { 0 };

	if (!region)
		region = variable("AWS_DEFAULT_REGION");
	if (!region)
		region = "us-east-1";
	if (!slash || slash == bucket || slash + 1 == end)
		return tsl_fail(err, TSL_EIO,
				"s3:// is followed by BUCKET/KEY");
	for (const char *c = bucket; c < slash; c++)
		if (!isalnum((unsigned char)*c) && !strchr("-._", *c))
			return tsl_fail(err, TSL_EIO,
					"no bucket has a name like that");
	add_s3(&t, bucket, (size_t)(slash - bucket), slash + 1,
	       (size_t)(end - slash - 1), region);
	q->url = finish(&t);
	return q->url && sign(q, region) ? TSL_OK : tsl_no_memory(err);
}

enum tsl_status
npyio_request_init(struct npyio_request *q, const char *url, size_t len,
		   struct tsl_error *err)
{
	*q = (struct npyio_request){ 0 };
	if (begins(url, S3))
		return init_s3(q, url + strlen(S3), url + len, err);
	q->netrc = true;
	q->url = strndup(url, len);
	return q->url ? TSL_OK : tsl_no_memory(err);
}

/* What lets in is not left behind in memory. */
static void
wipe(char *s)
{
	volatile char *c = s;

	while (c && *c)
		*c++ = '\0';
	free(s);
}

void
npyio_request_free(struct npyio_request *q)
{
	wipe(q->url);
	wipe(q->user);
	wipe(q->token);
	free(q->sign);
	*q = (struct npyio_request){ 0 };
}
