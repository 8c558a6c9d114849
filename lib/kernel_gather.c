/*
 * kernel_gather.c - rows from anywhere
 */
#include "kernel.h"

#include <string.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* 'nbytes' is a constant at each call but one. */
ALWAYS_INLINE void
pick_rows(char *dst, const char *in, int64_t lo, const int64_t *row,
	  const uint32_t *pick, int64_t n, size_t nbytes)
{
	for (int64_t i = 0; i < n; i++)
		memcpy(dst + pick[i] * nbytes, in + (row[pick[i]] - lo),
		       nbytes);
}

void
tsl_pick_rows(char *dst, const char *in, int64_t lo, const int64_t *row,
	      const uint32_t *pick, int64_t n, size_t nbytes)
{
	switch (nbytes) {
#define CASE(size)                                          \
	case size:                                          \
		pick_rows(dst, in, lo, row, pick, n, size); \
		break;
		CASE(1)
		CASE(2)
		CASE(4)
		CASE(8)
		CASE(12)
		CASE(16)
		CASE(24)
		CASE(32)
		CASE(64)
	default:
		pick_rows(dst, in, lo, row, pick, n, nbytes);
		break;
	}
}
