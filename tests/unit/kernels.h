/*
 * kernels.h - memory that shows where a kernel reads and writes beside it
 *
 * What is read lies in memory of exactly that size, so that a sanitizer sees
 * a kernel look beside it; what is written lies between guards.
 */
#ifndef TESTS_KERNELS_H
#define TESTS_KERNELS_H

#include "check.h"

#define GUARD 64
#define GUARD_BYTE 0x5a

static uint64_t seed = 1;

/* 'nbytes' of noise that end where the block does. */
struct source {
	char *block, *bytes;
};

static struct source
source_new(int64_t nbytes)
{
	int64_t skip = check_between(&seed, 0, 15);
	struct source s;

	s.block = malloc((size_t)(skip + nbytes + (skip + nbytes == 0)));
	s.bytes = s.block + skip;
	for (int64_t i = 0; i < skip + nbytes; i += 8) {
		uint64_t noise = check_random(&seed);
		int64_t rest = skip + nbytes - i;

		memcpy(s.block + i, &noise, rest < 8 ? (size_t)rest : 8);
	}
	return s;
}

/* 'nbytes' that begin anywhere, and guards around them. */
struct target {
	char *block, *bytes;
	int64_t nbytes;
};

static struct target
target_new(int64_t nbytes)
{
	struct target t = { malloc((size_t)(nbytes + 2 * GUARD + 16)), NULL,
			    nbytes };

	t.bytes = t.block + GUARD + check_between(&seed, 0, 15);
	memset(t.block, GUARD_BYTE, (size_t)(nbytes + 2 * GUARD + 16));
	return t;
}

static bool
target_is(const struct target *t, const struct target *want)
{
	char guard[GUARD];

	memset(guard, GUARD_BYTE, GUARD);
	return memcmp(t->bytes, want->bytes, (size_t)t->nbytes) == 0 &&
	       memcmp(t->bytes - GUARD, guard, GUARD) == 0 &&
	       memcmp(t->bytes + t->nbytes, guard, GUARD) == 0;
}

static inline void
shuffle(int64_t *to, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		to[i] = i;
	for (int64_t i = n - 1; i > 0; i--) {
		int64_t j = check_between(&seed, 0, i);
		int64_t t = to[i];

		to[i] = to[j];
		to[j] = t;
	}
}

#endif /* TESTS_KERNELS_H */
