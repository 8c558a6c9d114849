/*
 * duplicate_strings.c - whether any of many strings is there twice
 */
#include "duplicate_strings.h"

#include <stdlib.h>
#include <string.h>

/* So many places of a table are tried for a string. */
#define MAX_PROBES 64

static enum tsl_status
no_memory(struct tsl_error *err)
{
	return tsl_fail(err, TSL_EMEMORY, "out of memory for names");
}

/* A number that tells strings apart, eight bytes at a time. */
static uint64_t
hash_of(const struct npyio_string *string)
{
	uint64_t hash = string->len;

	for (size_t i = 0; i < string->len; i += sizeof(uint64_t)) {
		size_t left = string->len - i;
		uint64_t word = 0;

		memcpy(&word, string->s + i,
		       left < sizeof(word) ? left : sizeof(word));
		hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
		hash ^= hash >> 32;
	}
	return hash;
}

static int
compare(const void *a, const void *b)
{
	const struct npyio_string *x = *(const struct npyio_string *const *)a;
	const struct npyio_string *y = *(const struct npyio_string *const *)b;

	if (x->len != y->len)
		return x->len < y->len ? -1 : 1;
	return memcmp(x->s, y->s, x->len);
}

/* Slow and sure. */
static enum tsl_status
find_sorted(const struct npyio_string *string, int64_t n, int64_t *twice,
	    struct tsl_error *err)
{
	const struct npyio_string **sorted =
		malloc((size_t)n * sizeof(*sorted));

	if (!sorted)
		return no_memory(err);
	for (int64_t i = 0; i < n; i++)
		sorted[i] = &string[i];
	qsort(sorted, (size_t)n, sizeof(*sorted), compare);
	for (int64_t i = 1; i < n && *twice < 0; i++)
		if (compare(&sorted[i - 1], &sorted[i]) == 0)
			*twice = sorted[i] - string;
	free(sorted);
	return TSL_OK;
}

struct table {
	uint32_t *place; /* of a string, its number plus 1; 0: none */
	uint64_t mask;
	const struct npyio_string *string;
};

/*
 * Enters string i.  Returns false where too many come to one place, as they do
 * only if somebody chose them so.
 */
static bool
enter(const struct table *t, int64_t i, int64_t *twice)
{
	uint64_t hash = hash_of(&t->string[i]);

	for (uint64_t k = 0; k < MAX_PROBES; k++) {
		uint32_t *place = &t->place[(hash + k) & t->mask];
		const struct npyio_string *other, *string = &t->string[i];

		if (*place == 0) {
			*place = (uint32_t)i + 1;
			return true;
		}
		other = &t->string[*place - 1];
		if (other->len == string->len &&
		    memcmp(other->s, string->s, string->len) == 0) {
			*twice = i;
			return true;
		}
	}
	return false;
}

enum tsl_status
npyio_find_duplicate_string(const struct npyio_string *string, int64_t n,
			    int64_t *twice, struct tsl_error *err)
{
	struct table t = { .string = string };
	bool fits = true;
	int nbits = 4;

	*twice = -1;
	while (n > INT64_C(1) << (nbits - 1))
		nbits++;
	t.mask = (UINT64_C(1) << nbits) - 1;
	t.place = calloc((size_t)1 << nbits, sizeof(*t.place));
	if (!t.place)
		return no_memory(err);
	for (int64_t i = 0; i < n && fits && *twice < 0; i++)
		fits = enter(&t, i, twice);
	free(t.place);
	return fits ? TSL_OK : find_sorted(string, n, twice, err);
}
