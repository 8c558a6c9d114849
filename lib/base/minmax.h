/*
 * minmax.h - the smaller, the larger, the absolute value
 */
#ifndef TSL_MINMAX_H
#define TSL_MINMAX_H

#include <stdint.h>

static inline int64_t
tsl_min(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static inline int64_t
tsl_max(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Of a stride: never INT64_MIN. */
static inline int64_t
tsl_magnitude(int64_t stride)
{
	return stride < 0 ? -stride : stride;
}

#endif /* TSL_MINMAX_H */
