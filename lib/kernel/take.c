/*
 * take.c - the same rows of table after table
 */
#include "types.h"

#include <stdbool.h>
#include <string.h>

/* As in gather.c: the rows of a larger table are asked for ahead. */
#define AHEAD 32
#define CACHED (32 * 1024)

/*
 * Of few rows each table's are taken without a loop: 'n' and 'nbytes' are
 * constants.
 */
ALWAYS_INLINE void
take_few(char *dst, const char *in, int64_t ntables, int64_t apart,
	 const int64_t *row, int n, size_t nbytes)
{
	int64_t at[4] = { 0 };

	for (int k = 0; k < n; k++)
		at[k] = row[k];
	for (int64_t t = 0; t < ntables; t++) {
		for (int k = 0; k < n; k++)
			memcpy(dst + (size_t)k * nbytes, in + at[k], nbytes);
		dst += (size_t)n * nbytes;
		in += apart;
	}
}

/* 'nbytes' is a constant at each call but one, 'some_bad' at each. */
ALWAYS_INLINE void
take_many(char *dst, const char *in, const int64_t *row, int64_t n,
	  size_t nbytes, bool some_bad)
{
	for (int64_t k = 0; k < n; k++) {
		if (some_bad && row[k] < 0)
			memset(dst + (size_t)k * nbytes, 0, nbytes);
		else
			memcpy(dst + (size_t)k * nbytes, in + row[k], nbytes);
	}
}

/* The same, of a table that is not in a cache. */
ALWAYS_INLINE void
take_prefetched(char *dst, const char *in, const int64_t *row, int64_t n,
		size_t nbytes)
{
	for (int64_t k = 0; k < n; k++) {
		int64_t next = row[k + AHEAD < n ? k + AHEAD : n - 1];

		__builtin_prefetch(in + (next < 0 ? 0 : next));
		take_many(dst + (size_t)k * nbytes, in, row + k, 1, nbytes,
			  true);
	}
}

ALWAYS_INLINE void
take_tables(char *dst, const char *in, int64_t ntables, int64_t apart,
	    const int64_t *row, int64_t n, size_t nbytes, bool some_bad)
{
	for (int64_t t = 0; t < ntables; t++) {
		if (apart > CACHED)
			take_prefetched(dst, in, row, n, nbytes);
		else
			take_many(dst, in, row, n, nbytes, some_bad);
		dst += (size_t)n * nbytes;
		in += apart;
	}
}

static bool
is_some_bad(const int64_t *row, int64_t n)
{
	for (int64_t k = 0; k < n; k++)
		if (row[k] < 0)
			return true;
	return false;
}

ALWAYS_INLINE void
take_rows(char *dst, const char *in, int64_t ntables, int64_t apart,
	  const int64_t *row, int64_t n, size_t nbytes)
{
	if (is_some_bad(row, n))
		take_tables(dst, in, ntables, apart, row, n, nbytes, true);
	else if (n == 1)
		take_few(dst, in, ntables, apart, row, 1, nbytes);
	else if (n == 2)
		take_few(dst, in, ntables, apart, row, 2, nbytes);
	else if (n == 3)
		take_few(dst, in, ntables, apart, row, 3, nbytes);
	else if (n == 4)
		take_few(dst, in, ntables, apart, row, 4, nbytes);
	else
		take_tables(dst, in, ntables, apart, row, n, nbytes, false);
}

void
tsl_take_rows(char *dst, const char *in, int64_t ntables, int64_t apart,
	      const int64_t *row, int64_t n, size_t nbytes)
{
	switch (nbytes) {
#define TAKE(size)                                                \
	case size:                                                \
		take_rows(dst, in, ntables, apart, row, n, size); \
		break;
		ROW_SIZES(TAKE)
	default:
		take_rows(dst, in, ntables, apart, row, n, nbytes);
		break;
	}
}
