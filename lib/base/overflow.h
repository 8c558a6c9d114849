/*
 * overflow.h - arithmetic on sizes that says when the result does not fit
 *
 * Sizes, counts and offsets are int64_t.  Each function stores the result and
 * returns true, or returns false and leaves '*out' unspecified.
 */
#ifndef TSL_OVERFLOW_H
#define TSL_OVERFLOW_H

#include <stdbool.h>
#include <stdint.h>

static inline bool
tsl_add(int64_t a, int64_t b, int64_t *out)
{
	return !__builtin_add_overflow(a, b, out);
}

static inline bool
tsl_mul(int64_t a, int64_t b, int64_t *out)
{
	return !__builtin_mul_overflow(a, b, out);
}

#endif /* TSL_OVERFLOW_H */
