/*
 * archive_names.c - the names of an archive's members, in order
 */
#include "archive_names.h"

#include <stdlib.h>
#include <string.h>

static int
compare(const struct npyio_name *a, const char *s, size_t len)
{
	int differ = memcmp(a->s, s, a->len < len ? a->len : len);

	return differ ? differ : (a->len > len) - (a->len < len);
}

static int
compare_members(const void *a, const void *b)
{
	const struct npyio_name *x = a, *y = b;
	int differ = compare(x, y->s, y->len);

	return differ ? differ
		      : (x->member > y->member) - (x->member < y->member);
}

void
npyio_names_sort(struct npyio_names *names, struct npyio_name *name, int64_t n)
{
	names->name = name;
	names->n = n;
	qsort(name, (size_t)n, sizeof(*name), compare_members);
}

void
npyio_names_free(struct npyio_names *names)
{
	free(names->name);
	names->name = NULL;
}

/* How many come before s[0, len), or before and with it. */
static int64_t
count_before(const struct npyio_names *names, const char *s, size_t len,
	     bool with)
{
	int64_t lo = 0, hi = names->n;

	while (lo < hi) {
		int64_t middle = lo + (hi - lo) / 2;

		if (compare(&names->name[middle], s, len) < with)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo;
}

int64_t
npyio_names_count(const struct npyio_names *names, const char *s, size_t len,
		  int64_t *first)
{
	int64_t lo = count_before(names, s, len, false);
	int64_t hi = count_before(names, s, len, true);

	if (lo < hi)
		*first = names->name[lo].member;
	return hi - lo;
}
