/*
 * url.h - what a URL asks for, and what may be said of it
 */
#ifndef NPYIO_URL_H
#define NPYIO_URL_H

#include "lib/base/status.h"
#include "npyio/format/text.h"

#include <stdbool.h>
#include <stddef.h>

/* npyio_url_is() says whether a name is a URL: http://, https:// or s3://. */
bool npyio_url_is(const char *name);

/*
 * npyio_url_place() is how many bytes of 'url', from '*host' on, are its host
 * and path, without a user, a password and a query, which may let in whoever
 * reads them.  npyio_url_show() appends a name that ends in 'url' so, as
 * messages have it.
 */
size_t npyio_url_place(const char *url, const char **host);
void npyio_url_show(struct npyio_text *t, const char *name, const char *url);

/*
 * npyio_url_hide() puts a '*' for each byte of that in any URL of a text, which
 * came there by mistake.
 */
void npyio_url_hide(char *text);

/*
 * npyio_url_member() is NAME of a URL that ends in ".npz:NAME" or
 * ".safetensors:NAME", also with a query before the colon, or NULL.  The URL
 * itself ends before the colon.
 */
const char *npyio_url_member(const char *url);

/* Who asks, for what. */
struct npyio_request {
	char *url; /* http or https */
	char *sign; /* what AWS_SIGV4 takes; NULL: it is not signed */
	char *user; /* "key:secret" */
	char *token; /* a line of the header, or NULL */
	bool netrc; /* may name a user */
};

/*
 * npyio_request_init() makes of 'url', of 'len' bytes, what is to be asked for;
 * an s3:// becomes https://, by AWS_ENDPOINT_URL and AWS_REGION, to be signed
 * with AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, if they
 * are there.  npyio_request_free() is due in any case.
 *
 * Returns TSL_OK; TSL_EIO for an s3:// without a bucket or a key; TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE npyio_request_init(struct npyio_request *q,
						const char *url, size_t len,
						struct tsl_error *err);
void npyio_request_free(struct npyio_request *q);

#endif /* NPYIO_URL_H */
