/*
 * duplicates.c - whether two index tuples name the same place
 *
 * Each place has a bit, which says that it was named.  Where there is no room
 * for all of them the places are taken in ranges, and the tuples are gone
 * through once for each; but few tuples of very many places are sorted.
 */
#include "duplicates.h"

#include "lib/base/minmax.h"
#include "lib/op/scatter_nd.h"

#include <stdlib.h>

/* Tuples that are looked at together. */
#define CHUNK 4096

struct search {
	struct npyio_tuples *tuples;
	int64_t nplaces;
	int64_t apart; /* bytes from one place to the next */
	int64_t end; /* tuples of interest: those before the second one found */
	int64_t found; /* the place that it names; -1: none was found */
};

static enum tsl_status
no_memory(struct tsl_error *err)
{
	return tsl_fail(err, TSL_EMEMORY, "out of memory for named places");
}

/* The places of some tuples from 'first' on, -1 where there is none. */
static enum tsl_status
look(const struct search *s, int64_t first, int64_t place[CHUNK], int64_t *n,
     struct tsl_error *err)
{
	enum tsl_status status;

	*n = tsl_min(CHUNK, s->end - first);
	status = npyio_tuples_rows(s->tuples, first, *n, place, err);
	for (int64_t i = 0; i < *n && !status; i++)
		place[i] = place[i] < 0 ? -1 : place[i] / s->apart;
	return status;
}

static void
found(struct search *s, int64_t tuple, int64_t place)
{
	s->end = tuple;
	s->found = place;
}

/* ---- bits ---------------------------------------------------------------- */

/* Sets the bits of some tuples' places, until one is set already. */
static void
mark_some(struct search *s, unsigned char *named, int64_t lo, int64_t hi,
	  int64_t first, const int64_t place[], int64_t n)
{
	for (int64_t i = 0; i < n; i++) {
		int64_t bit = place[i] - lo;
		unsigned char mask;

		if (place[i] < lo || place[i] >= hi)
			continue;
		mask = (unsigned char)(1 << bit % 8);
		if (named[bit / 8] & mask) {
			found(s, first + i, place[i]);
			return;
		}
		named[bit / 8] |= mask;
	}
}

static enum tsl_status
search_range(struct search *s, int64_t lo, int64_t hi, struct tsl_error *err)
{
	/* What is never touched costs nothing. */
	unsigned char *named = calloc((size_t)((hi - lo - 1) / 8 + 1), 1);
	int64_t place[CHUNK], n;
	enum tsl_status status = TSL_OK;

	if (!named)
		return no_memory(err);
	for (int64_t i = 0; i < s->end && !status; i += n) {
		status = look(s, i, place, &n, err);
		if (!status)
			mark_some(s, named, lo, hi, i, place, n);
	}
	free(named);
	return status;
}

static enum tsl_status
search_ranges(struct search *s, int64_t range, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;

	for (int64_t lo = 0; lo < s->nplaces && !status; lo += range)
		status = search_range(
			s, lo, lo + tsl_min(range, s->nplaces - lo), err);
	return status;
}

/* ---- sorting ------------------------------------------------------------- */

struct named {
	int64_t place, tuple;
};

/* qsort() may need as much memory again. */
#define SORTED_NBYTES ((int64_t)(2 * sizeof(struct named)))

static int
compare(const void *a, const void *b)
{
	const struct named *x = a, *y = b;

	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return x->tuple < y->tuple ? -1 : x->tuple > y->tuple;
}

static enum tsl_status
search_sorted(struct search *s, struct tsl_error *err)
{
	struct named *named = malloc((size_t)s->end * sizeof(*named));
	int64_t place[CHUNK], n;
	int64_t count = 0;
	enum tsl_status status = TSL_OK;

	if (!named)
		return no_memory(err);
	for (int64_t i = 0; i < s->end && !status; i += n) {
		status = look(s, i, place, &n, err);
		for (int64_t k = 0; k < n && !status; k++)
			if (place[k] >= 0)
				named[count++] =
					(struct named){ place[k], i + k };
	}
	qsort(named, (size_t)count, sizeof(*named), compare);
	for (int64_t i = 1; i < count && !status; i++)
		if (named[i].place == named[i - 1].place &&
		    named[i].tuple < s->end)
			found(s, named[i].tuple, named[i].place);
	free(named);
	return status;
}

/* ---- both ---------------------------------------------------------------- */

/* Of the tuples before the one that was found, one names the same place. */
static enum tsl_status
report(const struct search *s, struct tsl_error *err)
{
	int64_t place[CHUNK], n;
	enum tsl_status status = TSL_OK;
	int64_t other = -1;

	for (int64_t i = 0; i < s->end && other < 0 && !status; i += n) {
		status = look(s, i, place, &n, err);
		for (int64_t k = 0; k < n && other < 0 && !status; k++)
			if (place[k] == s->found)
				other = i + k;
	}
	if (!status)
		status = other < 0 ? tsl_fail(err, TSL_EIO,
					      "the file was changed while "
					      "being read")
				   : tsl_scatter_duplicate(s->tuples->gather,
							   other, s->end,
							   s->found, err);
	if (err)
		err->subject = npyio_reader_name(s->tuples->indices);
	return status;
}

enum tsl_status
npyio_refuse_duplicates(struct npyio_tuples *tuples, int64_t room,
			struct tsl_error *err)
{
	struct search s = {
		.tuples = tuples,
		.end = tuples->gather->ntuples,
		.found = -1,
	};
	int64_t range = room / 2 * 8;
	enum tsl_status status;

	s.nplaces = tsl_scatter_count_places(tuples->gather, &s.apart);
	if (s.nplaces > range && s.end <= room / SORTED_NBYTES)
		status = search_sorted(&s, err);
	else
		status = search_ranges(&s, range, err);
	return status || s.found < 0 ? status : report(&s, err);
}
