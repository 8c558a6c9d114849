/*
 * said.h - what a server said instead of what it was asked for
 */
#ifndef NPYIO_SAID_H
#define NPYIO_SAID_H

#include "answer.h"
#include "url.h"

#define NPYIO_SAID 256

/*
 * npyio_said() makes a line of the code, its reason and, of n bytes that came,
 * what is meant to be read; but nothing that the request let in with.
 */
void npyio_said(char said[NPYIO_SAID], const struct npyio_answer *a,
		const char *bytes, size_t n, const struct npyio_request *q);

#endif /* NPYIO_SAID_H */
