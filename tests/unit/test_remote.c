/*
 * test_remote.c - what servers say, what of a file is there, what URLs show
 */
#include "check.h"

#include "npyio/remote/response.h"
#include "npyio/remote/spans.h"
#include "npyio/remote/url.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NBYTES 200
#define ROUNDS 2000

static void
add(struct npyio_response *a, const char *line)
{
	npyio_response_add(a, line, strlen(line));
}

static void
test_an_answer_is_read(void)
{
	struct npyio_response a;

	npyio_response_init(&a);
	add(&a, "HTTP/1.1 302 Found\r\n");
	add(&a, "ETag: \"other\"\r\n");
	add(&a, "\r\n");
	add(&a, "HTTP/2 206\r\n");
	add(&a, "content-range:  bytes 5-9/100\r\n");
	add(&a, "ETAG: \"x\"\r\n");
	add(&a, "Retry-After: 7\r\n");
	CHECK_EQ(a.code, 206);
	CHECK_EQ(a.first, 5);
	CHECK_EQ(a.end, 10);
	CHECK_EQ(npyio_response_size(&a), 100);
	CHECK_EQ(a.retry_after, 7);
	CHECK_STR(a.etag, "\"x\"");
	CHECK_STR(npyio_response_condition(&a), "\"x\"");
}

static void
test_a_range_that_cannot_be_is_none(void)
{
	static const char *const bad[] = {
		"bytes 9-5/100",
		"bytes 5-100/100",
		"bytes -5/100",
		"bytes 5-/100",
		"bytes 5-9",
		"lines 5-9/100",
		"bytes 99999999999999999999-5/100",
		"bytes 0-9223372036854775807/*",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct npyio_response a;
		char line[100] = "Content-Range: ";

		npyio_response_init(&a);
		add(&a, strcat(line, bad[i]));
		CHECK(a.first == -1 && a.end == -1, "%s", bad[i]);
	}
}

static void
test_the_last_range_holds(void)
{
	struct npyio_response a;

	npyio_response_init(&a);
	add(&a, "HTTP/1.1 206 Partial Content");
	add(&a, "Content-Range: bytes 5-9/100");
	add(&a, "Content-Range: bytes 5-9/1");
	CHECK(a.first == -1 && a.end == -1 && a.total == -1, "it cannot be");
	add(&a, "Content-Range: bytes 0-4/5");
	CHECK_EQ(a.end, 5);
	CHECK_EQ(a.total, 5);
}

static void
test_what_is_sent_back_is_a_line(void)
{
	struct npyio_response a;

	npyio_response_init(&a);
	add(&a, "HTTP/1.1 200 OK");
	add(&a, "ETag: \"a\rX: y\"");
	CHECK_STR(a.etag, "");
	CHECK(!npyio_response_condition(&a), "nothing is sent");
}

static void
test_versions_are_told_apart(void)
{
	struct npyio_response a, b;

	npyio_response_init(&a);
	a.code = 200;
	b = a;
	CHECK(npyio_response_is_same(&a, &b), "nothing is known");
	a.length = 5;
	b.length = 6;
	CHECK(!npyio_response_is_same(&a, &b), "lengths");
	b = a;
	strcpy(a.modified, "x");
	strcpy(b.modified, "y");
	CHECK(!npyio_response_is_same(&a, &b), "dates");
	strcpy(a.etag, "W/\"1\"");
	strcpy(b.etag, "W/\"1\"");
	CHECK(npyio_response_is_same(&a, &b), "an ETag counts more");
	CHECK_STR(npyio_response_condition(&a), "x");
}

static void
test_spans_are_the_bytes_that_were_added(void)
{
	uint64_t state = 20261122;

	for (int round = 0; round < ROUNDS; round++) {
		struct npyio_spans s = { 0 };
		bool here[NBYTES] = { false };
		int wrong = 0;

		for (int i = 0; i < 12; i++) {
			int64_t lo = check_between(&state, 0, NBYTES);
			int64_t hi = check_between(&state, lo, NBYTES);

			if (i == 6)
				npyio_spans_drop(&s, hi);
			else
				npyio_spans_add(&s, lo, hi);
			for (int64_t k = i == 6 ? 0 : lo; k < hi; k++)
				here[k] = i != 6;
		}
		for (int64_t k = 0; k < NBYTES; k++) {
			int64_t lo = k, hi = NBYTES, want = k, end;

			while (want < NBYTES && here[want])
				want++;
			for (end = want; end < NBYTES && !here[end];)
				end++;
			if (npyio_spans_missing(&s, &lo, &hi))
				wrong += lo != want || hi != end;
			else
				wrong += want != NBYTES;
		}
		CHECK_EQ(wrong, 0);
		npyio_spans_free(&s);
	}
}

static void
test_a_url_shows_no_secret(void)
{
	static const char *const shown[][2] = {
		{ "http://h/x.npy", "http://h/x.npy" },
		{ "https://u:p@h/x.npy", "https://h/x.npy" },
		{ "https://u:p@q@h:80/x", "https://h:80/x" },
		{ "https://u@h", "https://h" },
		{ "https://h/x?sign=1", "https://h/x?..." },
		{ "https://u:p@h?sign=1", "https://h?..." },
		{ "https://h/a@b", "https://h/a@b" },
		{ "https://u:p@h/x.npz:a?b", "https://h/x.npz:a?..." },
		{ "https://h/x.npz?sign=1:a", "https://h/x.npz?...:a" },
		{ "s3://b/k?x", "s3://b/k?x" },
	};

	for (size_t i = 0; i < sizeof(shown) / sizeof(*shown); i++) {
		struct npyio_text t = { 0 };

		npyio_url_show(&t, shown[i][0], shown[i][0]);
		CHECK_STR(t.s, shown[i][1]);
		npyio_text_free(&t);
	}
}

static void
test_a_text_with_a_url_hides_its_secrets(void)
{
	static const char *const hidden[][2] = {
		{ "no URL: a?b@c", "no URL: a?b@c" },
		{ "is 'http://u:p@h/x?k=1' it", "is 'http://***@h/x?***' it" },
		{ "http://h/x?... http://u@h", "http://h/x?... http://*@h" },
		{ "http://h/x?...:a: b", "http://h/x?...:a: b" },
		{ "http://h/x?..a:b", "http://h/x?*****" },
		{ "http://h/x?...a:b", "http://h/x?******" },
		{ "://", "://" },
		{ "://@", "://@" },
		{ "a://b?", "a://b?" },
		{ "s3://b/a@b", "s3://b/a@b" },
	};

	for (size_t i = 0; i < sizeof(hidden) / sizeof(*hidden); i++) {
		char text[100];

		snprintf(text, sizeof(text), "%s", hidden[i][0]);
		npyio_url_hide(text);
		CHECK_STR(text, hidden[i][1]);
	}
}

static void
test_a_member_is_named_behind_a_colon(void)
{
	CHECK_STR(npyio_url_member("http://h/x.npz:a"), "a");
	CHECK_STR(npyio_url_member("http://h/x.npz:a:b.npz:c"), "a:b.npz:c");
	CHECK_STR(npyio_url_member("http://h/x.safetensors:w"), "w");
	CHECK(!npyio_url_member("http://h.npz:80/x.npy"), "a port");
	CHECK(!npyio_url_member("http://h/x?y.npz:a"), "a query");
	CHECK_STR(npyio_url_member("http://h/x.npz?t=1:2&s=3:a/b"), "a/b");
	CHECK(!npyio_url_member("http://h/x.npz?t=1:2&s=3"), "a parameter");
	CHECK(!npyio_url_member("http://h/x.npz?t=1:"), "no name");
}

static void
clear_environment(void)
{
	static const char *const names[] = {
		"AWS_ENDPOINT_URL",      "AWS_REGION",
		"AWS_DEFAULT_REGION",    "AWS_ACCESS_KEY_ID",
		"AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unsetenv(names[i]);
}

/* What is asked for in place of an s3:// is this; "": it is refused. */
static void
check_request(const char *url, const char *want)
{
	struct npyio_request q;
	struct tsl_error err;
	enum tsl_status status = npyio_request_init(&q, url, strlen(url), &err);

	CHECK_EQ(status, *want ? TSL_OK : TSL_EIO);
	if (!status)
		CHECK_STR(q.url, want);
	npyio_request_free(&q);
}

static void
test_buckets_are_hosts_or_paths(void)
{
	clear_environment();
	check_request("s3://b/a b+c.npy",
		      "https://b.s3.us-east-1.amazonaws.com/a%20b%2Bc.npy");
	setenv("AWS_DEFAULT_REGION", "eu-west-1", 1);
	check_request("s3://my.bucket/d/k",
		      "https://s3.eu-west-1.amazonaws.com/my.bucket/d/k");
	setenv("AWS_REGION", "eu-west-2", 1);
	check_request("s3://b/k", "https://b.s3.eu-west-2.amazonaws.com/k");
	setenv("AWS_ENDPOINT_URL", "http://localhost:9//", 1);
	check_request("s3://b/k", "http://localhost:9/b/k");
	check_request("https://h/s3://b/k?x", "https://h/s3://b/k?x");
	check_request("s3://b", "");
	check_request("s3://b/", "");
	check_request("s3:///k", "");
	check_request("s3://a@b/k", "");
	clear_environment();
}

static void
test_requests_are_signed_with_what_there_is(void)
{
	const char *url = "s3://b/k";
	struct npyio_request q;

	clear_environment();
	setenv("AWS_ACCESS_KEY_ID", "me", 1);
	CHECK_EQ(npyio_request_init(&q, url, strlen(url), NULL), TSL_OK);
	CHECK(!q.sign && !q.user && !q.token, "without a secret");
	npyio_request_free(&q);
	setenv("AWS_SECRET_ACCESS_KEY", "s", 1);
	CHECK_EQ(npyio_request_init(&q, url, strlen(url), NULL), TSL_OK);
	CHECK_STR(q.sign, "aws:amz:us-east-1:s3");
	CHECK_STR(q.user, "me:s");
	CHECK(!q.token && !q.netrc, "a token, or a user of .netrc");
	npyio_request_free(&q);
	setenv("AWS_SESSION_TOKEN", "t", 1);
	CHECK_EQ(npyio_request_init(&q, url, strlen(url), NULL), TSL_OK);
	CHECK_STR(q.token, "x-amz-security-token: t");
	npyio_request_free(&q);
	clear_environment();
}

int
main(void)
{
	RUN(test_an_answer_is_read);
	RUN(test_a_range_that_cannot_be_is_none);
	RUN(test_the_last_range_holds);
	RUN(test_what_is_sent_back_is_a_line);
	RUN(test_versions_are_told_apart);
	RUN(test_spans_are_the_bytes_that_were_added);
	RUN(test_a_url_shows_no_secret);
	RUN(test_a_text_with_a_url_hides_its_secrets);
	RUN(test_a_member_is_named_behind_a_colon);
	RUN(test_buckets_are_hosts_or_paths);
	RUN(test_requests_are_signed_with_what_there_is);
	return check_done();
}
