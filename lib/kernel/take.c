/*
 * take.c - the same rows of table after table
 */
#include "types.h"

#include <string.h>

/* So few rows are taken one after the other, each of many tables at once. */
#define FEW 16

/* The tables that one row after the other is taken of stay in this. */
#define CACHE (16 * 1024)

/* As in gather.c: what is looked at next is asked for ahead. */
#define AHEAD 32

/* 'nbytes' is a constant at each call but one. */
ALWAYS_INLINE void
take_few(char *dst, const char *in, int64_t ntables, int64_t apart,
	 const int64_t *row, int64_t n, size_t nbytes)
{
	ptrdiff_t step = n * (ptrdiff_t)nbytes;

	for (int64_t k = 0; k < n; k++) {
		char *d = dst + k * (ptrdiff_t)nbytes;
		const char *s = in + (row[k] < 0 ? 0 : row[k]);

		if (row[k] < 0)
			for (int64_t t = 0; t < ntables; t++)
				memset(d + t * step, 0, nbytes);
		else
			for (int64_t t = 0; t < ntables; t++)
				memcpy(d + t * step, s + t * apart, nbytes);
	}
}

ALWAYS_INLINE void
take_many(char *dst, const char *in, const int64_t *row, int64_t n,
	  size_t nbytes)
{
	for (int64_t k = 0; k < n; k++) {
		int64_t next = row[k + AHEAD < n ? k + AHEAD : n - 1];
		char *d = dst + k * (ptrdiff_t)nbytes;

		__builtin_prefetch(in + (next < 0 ? 0 : next));
		if (row[k] < 0)
			memset(d, 0, nbytes);
		else
			memcpy(d, in + row[k], nbytes);
	}
}

ALWAYS_INLINE void
take_rows(char *dst, const char *in, int64_t ntables, int64_t apart,
	  const int64_t *row, int64_t n, size_t nbytes)
{
	int64_t together = n < FEW && apart < CACHE ? CACHE / (apart + 1) : 0;

	for (int64_t t = 0; t < ntables;) {
		int64_t some = ntables - t < together ? ntables - t : together;

		if (some > 1) {
			take_few(dst, in, some, apart, row, n, nbytes);
		} else {
			some = 1;
			take_many(dst, in, row, n, nbytes);
		}
		dst += some * n * (ptrdiff_t)nbytes;
		in += some * apart;
		t += some;
	}
}

/* The sizes that are worth a copy of their own. */
#define SIZES(SIZE) \
	SIZE(1)     \
	SIZE(2)     \
	SIZE(3)     \
	SIZE(4)     \
	SIZE(6)     \
	SIZE(8)     \
	SIZE(12)    \
	SIZE(16)    \
	SIZE(24)    \
	SIZE(32)    \
	SIZE(64)

void
tsl_take_rows(char *dst, const char *in, int64_t ntables, int64_t apart,
	      const int64_t *row, int64_t n, size_t nbytes)
{
	switch (nbytes) {
#define TAKE(size)                                                   \
	case size:                                                   \
		take_rows(dst, in, ntables, apart, row, n, size);    \
		break;
		SIZES(TAKE)
	default:
		take_rows(dst, in, ntables, apart, row, n, nbytes);
		break;
	}
}
