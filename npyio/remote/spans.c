/*
 * spans.c - which bytes of a file are there
 */
#include "spans.h"

#include "lib/base/minmax.h"
#include "lib/base/search.h"

#include <stdlib.h>
#include <string.h>

/* 1 MiB; what is not noted is asked for again. */
#define MAX_SPANS ((int64_t)65536)

/* The first that ends at or behind 'at'. */
static int64_t
find(const struct npyio_spans *s, int64_t at)
{
	return s->n ? tsl_count_below(&s->span->hi, sizeof(*s->span), s->n, at)
		    : 0;
}

static bool
grow(struct npyio_spans *s)
{
	int64_t cap = tsl_min(tsl_max(2 * s->cap, 16), MAX_SPANS);
	struct npyio_span *more;

	if (s->n < s->cap)
		return true;
	if (s->n >= MAX_SPANS)
		return false;
	more = realloc(s->span, (size_t)cap * sizeof(*more));
	if (!more)
		return false;
	s->span = more;
	s->cap = cap;
	return true;
}

void
npyio_spans_add(struct npyio_spans *s, int64_t lo, int64_t hi)
{
	int64_t i = find(s, lo);
	int64_t end = i;

	if (lo >= hi)
		return;
	/* Those that touch it become one with it. */
	while (end < s->n && s->span[end].lo <= hi) {
		lo = tsl_min(lo, s->span[end].lo);
		hi = tsl_max(hi, s->span[end].hi);
		end++;
	}
	if (end == i && !grow(s))
		return;
	memmove(s->span + i + 1, s->span + end,
		(size_t)(s->n - end) * sizeof(*s->span));
	s->n += 1 - (end - i);
	s->span[i] = (struct npyio_span){ lo, hi };
}

void
npyio_spans_drop(struct npyio_spans *s, int64_t hi)
{
	int64_t i = find(s, hi);

	if (i == 0 && (s->n == 0 || s->span[0].lo >= hi))
		return;
	memmove(s->span, s->span + i, (size_t)(s->n - i) * sizeof(*s->span));
	s->n -= i;
	if (s->n > 0)
		s->span[0].lo = tsl_max(s->span[0].lo, hi);
	if (s->n > 0 && s->span[0].lo >= s->span[0].hi)
		npyio_spans_drop(s, s->span[0].hi + 1);
}

void
npyio_spans_free(struct npyio_spans *s)
{
	free(s->span);
	*s = (struct npyio_spans){ 0 };
}

bool
npyio_spans_missing(const struct npyio_spans *s, int64_t *lo, int64_t *hi)
{
	int64_t i = find(s, *lo);

	if (i < s->n && s->span[i].lo <= *lo)
		*lo = tsl_max(*lo, s->span[i++].hi);
	if (i < s->n)
		*hi = tsl_min(*hi, s->span[i].lo);
	return *lo < *hi;
}
