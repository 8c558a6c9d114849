/*
 * search.h - a place among ascending numbers
 */
#ifndef TSL_SEARCH_H
#define TSL_SEARCH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * tsl_count_below() is how many of n numbers in ascending order, the first at
 * 'first' and each 'stride' bytes behind the last, are less than 'limit'.
 */
static inline int64_t
tsl_count_below(const void *first, size_t stride, int64_t n, int64_t limit)
{
	int64_t lo = 0, hi = n;

	while (lo < hi) {
		int64_t middle = lo + (hi - lo) / 2, number;

		memcpy(&number, (const char *)first + (size_t)middle * stride,
		       sizeof(number));
		if (number < limit)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo;
}

#endif /* TSL_SEARCH_H */
