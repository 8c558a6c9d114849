/*
 * http_error.h - what a server said instead of what it was asked for
 */
#ifndef NPYIO_HTTP_ERROR_H
#define NPYIO_HTTP_ERROR_H

#include "response.h"
#include "url.h"

#define NPYIO_HTTP_ERROR 256

/*
 * npyio_http_error() makes a line of the code, its reason and, of n bytes that
 * came, what is meant to be read; but nothing that the request let in with.
 */
void npyio_http_error(char said[NPYIO_HTTP_ERROR],
		      const struct npyio_response *a, const char *bytes,
		      size_t n, const struct npyio_request *q);

#endif /* NPYIO_HTTP_ERROR_H */
