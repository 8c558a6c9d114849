/*
 * kernel_gather.c - rows from anywhere
 */
#include "kernel.h"

#include <string.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* 'nbytes' is a constant at each call but one. */
ALWAYS_INLINE void
copy(char *dst, const char *in, int64_t lo, const int64_t *row, int64_t n,
     size_t nbytes)
{
	for (int64_t i = 0; i < n; i++) {
		if (row[i] < 0)
			memset(dst, 0, nbytes);
		else
			memcpy(dst, in + (row[i] - lo), nbytes);
		dst += nbytes;
	}
}

void
tsl_copy_rows(char *dst, const char *in, int64_t lo, const int64_t *row,
	      int64_t n, size_t nbytes)
{
	switch (nbytes) {
#define CASE(size)                               \
	case size:                               \
		copy(dst, in, lo, row, n, size); \
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
		copy(dst, in, lo, row, n, nbytes);
		break;
	}
}
