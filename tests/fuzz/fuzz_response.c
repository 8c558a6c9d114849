/*
 * fuzz_response.c - any bytes as what servers say, two after each other
 *
 * Lines until an empty one are the first answer, those behind them the second,
 * and what is left is the bytes that it came with.
 *
 * Properties: a range is one, and within the file; texts end, and what is sent
 * back is a line; an answer is of the version that it is of; and what is told
 * of it is short, and has no password in it.
 */
#include "fuzz.h"
#include "npyio/remote/http_error.h"

#include <string.h>

/* Takes the lines of an answer; returns how many bytes they are. */
static size_t
read_answer(struct npyio_response *a, const char *s, size_t size)
{
	size_t at = 0, n;

	npyio_response_init(a);
	do {
		const char *end = memchr(s + at, '\n', size - at);

		n = end ? (size_t)(end - (s + at)) + 1 : size - at;
		npyio_response_add(a, s + at, n);
		at += n;
	} while (n > 2 && at < size);
	must(a->nbytes == (int64_t)at);
	return at;
}

static bool
is_line(const char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s < ' ' || *s == 127)
			return false;
	return true;
}

static void
check(const struct npyio_response *a)
{
	const char *condition = npyio_response_condition(a);

	must(a->code == 0 || (a->code >= 100 && a->code <= 999));
	must((a->first < 0) == (a->end < 0));
	must(a->first < 0 || a->first < a->end);
	must(a->total < 0 || a->end <= a->total);
	must(a->length >= -1 && a->total >= -1 && a->retry_after >= -1);
	must(npyio_response_size(a) >= -1);
	must(strlen(a->etag) < sizeof(a->etag) && is_line(a->etag));
	must(strlen(a->modified) < sizeof(a->modified) && is_line(a->modified));
	must(strlen(a->reason) < sizeof(a->reason));
	must(!condition || (*condition && is_line(condition)));
	must(npyio_response_is_same(a, a));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char url[] = "http://u:secret@h/x.npy";
	const struct npyio_request q = { .url = url };
	const char *s = (const char *)data;
	struct npyio_response a, b;
	char said[NPYIO_HTTP_ERROR];
	size_t at = read_answer(&a, s, size);

	at += read_answer(&b, s + at, size - at);
	check(&a);
	check(&b);
	must(npyio_response_is_same(&a, &b) == npyio_response_is_same(&b, &a));
	npyio_http_error(said, &b, s + at, size - at, &q);
	must(strlen(said) < sizeof(said) && !strstr(said, "secret"));
	return 0;
}
