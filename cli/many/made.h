/*
 * made.h - what has been made, by numbers that stand for names
 */
#ifndef CLI_MADE_H
#define CLI_MADE_H

#include "lib/base/status.h"

#include <stddef.h>

/* At most so many: two names have the same number one time in 2^64. */
struct made {
	uint64_t *key; /* of 'room', a power of two; 0: nobody's */
	size_t room, n;
};

void made_free(struct made *m);

/* made_key() is the number of len bytes; never 0. */
uint64_t made_key(const char *bytes, size_t len);

/* made_has() says whether a key was added; made_add() adds one. */
bool made_has(const struct made *m, uint64_t key);
enum tsl_status TSL_MUST_USE made_add(struct made *m, uint64_t key,
				      struct tsl_error *err);

#endif /* CLI_MADE_H */
