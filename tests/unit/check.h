/*
 * check.h - unit tests that speak TAP
 *
 *	CHECK(cond, "what it says %d", x);
 *	CHECK_EQ(got, want);		integers
 *	CHECK_STR(got, want);
 *	int main(void) { RUN(test_a); RUN(test_b); return check_done(); }
 *
 * One TAP line for each RUN; a check that fails is shown under it.
 */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check_tests, check_failed_tests, check_failures, check_made;

#define CHECK(cond, ...)                                                    \
	do {                                                                \
		check_made++;                                               \
		if (!(cond)) {                                              \
			check_failures++;                                   \
			printf("# %s:%d: %s: ", __FILE__, __LINE__, #cond); \
			printf(__VA_ARGS__);                                \
			printf("\n");                                       \
		}                                                           \
	} while (0)

#define CHECK_EQ(got, want)                                           \
	do {                                                          \
		long long check_got = (long long)(got);               \
		long long check_want = (long long)(want);             \
		CHECK(check_got == check_want, "got %lld, want %lld", \
		      check_got, check_want);                         \
	} while (0)

#define CHECK_STR(got, want)                                         \
	do {                                                         \
		const char *check_got = (got), *check_want = (want); \
		CHECK(strcmp(check_got, check_want) == 0,            \
		      "got '%s', want '%s'", check_got, check_want); \
	} while (0)

/* A test without a single check cannot fail, and fails for it. */
#define RUN(test)                                                              \
	do {                                                                   \
		int before = check_failures;                                   \
		check_made = 0;                                                \
		test();                                                        \
		if (check_made == 0)                                           \
			check_failures++;                                      \
		check_tests++;                                                 \
		check_failed_tests += check_failures > before;                 \
		printf("%s %d - %s\n",                                         \
		       check_failures > before ? "not ok" : "ok", check_tests, \
		       #test);                                                 \
	} while (0)

static inline int
check_done(void)
{
	printf("1..%d\n", check_tests);
	return check_failed_tests > 0;
}

/* A small generator: the same numbers on every machine (Steele's SplitMix). */
static inline uint64_t
check_random(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);

	z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
	return z ^ z >> 31;
}

/* A number in [lo, hi]. */
static inline int64_t
check_between(uint64_t *state, int64_t lo, int64_t hi)
{
	return lo + (int64_t)(check_random(state) % (uint64_t)(hi - lo + 1));
}

#endif /* TESTS_CHECK_H */
