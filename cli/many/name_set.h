/*
 * name_set.h - a set of names, by numbers that stand for them
 */
#ifndef CLI_NAME_SET_H
#define CLI_NAME_SET_H

#include "lib/base/status.h"

#include <stddef.h>

/* At most so many: two names have the same number one time in 2^64. */
struct name_set {
	uint64_t *key; /* of 'room', a power of two; 0: nobody's */
	size_t room, n;
};

void name_set_free(struct name_set *m);

/* name_set_key() is the number of len bytes; never 0. */
uint64_t name_set_key(const char *bytes, size_t len);

/* name_set_has() says whether a key was added; name_set_add() adds one. */
bool name_set_has(const struct name_set *m, uint64_t key);
enum tsl_status TSL_MUST_USE name_set_add(struct name_set *m, uint64_t key,
					  struct tsl_error *err);

#endif /* CLI_NAME_SET_H */
