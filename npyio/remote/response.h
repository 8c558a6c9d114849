/*
 * response.h - what a server says in front of what it sends
 *
 * It may say anything: what does not parse is as if it had not been said, and
 * texts are cut.
 */
#ifndef NPYIO_RESPONSE_H
#define NPYIO_RESPONSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct npyio_response {
	int code; /* 200, 404..; 0: nothing has come */
	int64_t first, end, total; /* Content-Range; -1: not said */
	int64_t length; /* Content-Length, likewise */
	int64_t retry_after; /* seconds, likewise; -1 also for a date */
	bool is_encoded; /* the bytes are not the file's own */
	bool is_text; /* plain, or JSON, or XML */
	char etag[128], modified[48]; /* "" where not said, or too long */
	char reason[64]; /* of the code */
	int64_t nbytes; /* of all the lines */
};

/* npyio_response_init() is before anything has come. */
void npyio_response_init(struct npyio_response *a);

/*
 * npyio_response_add() adds a line, of n bytes, with or without its end; one
 * that begins with HTTP/ begins another answer.
 */
void npyio_response_add(struct npyio_response *a, const char *line, size_t n);

/*
 * npyio_response_is_same() says whether two may be of one version of a file: by
 * their ETags, or if either has none by their dates, and lengths.
 */
bool npyio_response_is_same(const struct npyio_response *a,
			    const struct npyio_response *b);

/* npyio_response_size() is the file's, or -1. */
int64_t npyio_response_size(const struct npyio_response *a);

/*
 * npyio_response_condition() is what an If-Range may be asked with: an ETag
 * that stands for each byte, or a date, or NULL.
 */
const char *npyio_response_condition(const struct npyio_response *a);

#endif /* NPYIO_RESPONSE_H */
