/*
 * mismatches.c - where two arrays differ: the first few of the places
 */
#include "mismatches.h"

#include "lib/base/minmax.h"
#include "lib/base/search.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY 4

void
npyio_mismatches_init(struct npyio_mismatches *p, int64_t most, int64_t size)
{
	*p = (struct npyio_mismatches){ .most = most, .size = size };
}

void
npyio_mismatches_free(struct npyio_mismatches *p)
{
	free(p->entry);
	p->entry = NULL;
	p->n = p->capacity = 0;
}

static int64_t
entry_nbytes(const struct npyio_mismatches *p)
{
	return (int64_t)sizeof(int64_t) + 2 * p->size;
}

static char *
entry_of(const struct npyio_mismatches *p, int64_t i)
{
	return p->entry + i * entry_nbytes(p);
}

static int64_t
number_of(const struct npyio_mismatches *p, int64_t i)
{
	int64_t number;

	memcpy(&number, entry_of(p, i), sizeof(number));
	return number;
}

bool
npyio_mismatches_wants(const struct npyio_mismatches *p, int64_t number)
{
	return p->n < p->most || (p->n > 0 && number < number_of(p, p->n - 1));
}

static bool
grow(struct npyio_mismatches *p)
{
	int64_t capacity = tsl_max(2 * p->capacity, FIRST_CAPACITY);
	char *entry;

	capacity = tsl_min(capacity, p->most);
	entry = realloc(p->entry, (size_t)(capacity * entry_nbytes(p)));
	if (!entry)
		return false;
	p->entry = entry;
	p->capacity = capacity;
	return true;
}

enum tsl_status
npyio_mismatches_add(struct npyio_mismatches *p, int64_t number, const char *a,
		     const char *b, struct tsl_error *err)
{
	int64_t i = tsl_count_below(p->entry, (size_t)entry_nbytes(p), p->n,
				    number);
	char *entry;

	/* A box for which there was no memory is gone through once more. */
	if (i == p->most || (i < p->n && number_of(p, i) == number))
		return TSL_OK;
	if (p->n == p->capacity && p->n < p->most && !grow(p))
		return tsl_no_memory(err);
	p->n = tsl_min(p->n + 1, p->most);
	entry = entry_of(p, i);
	memmove(entry + entry_nbytes(p), entry,
		(size_t)((p->n - 1 - i) * entry_nbytes(p)));
	memcpy(entry, &number, sizeof(number));
	memcpy(entry + sizeof(number), a, (size_t)p->size);
	memcpy(entry + sizeof(number) + p->size, b, (size_t)p->size);
	return TSL_OK;
}

int64_t
npyio_mismatches_get(const struct npyio_mismatches *p, int64_t i,
		     const char **a, const char **b)
{
	*a = entry_of(p, i) + sizeof(int64_t);
	*b = *a + p->size;
	return number_of(p, i);
}
