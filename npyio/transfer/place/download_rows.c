/*
 * download_rows.c - the rows that a gather takes of a table that is far away
 *
 * So many at a time are put in order, and those that are near each other are
 * asked for together.
 */
#include "download_rows.h"

#include "lib/base/minmax.h"
#include "lib/view/need.h"
#include "npyio/input/reader_remote.h"
#include "tuples.h"

#include <stdlib.h>

#define MAX_ROWS ((int64_t)65536)

struct rows {
	const struct tsl_gather_job *gather;
	struct npyio_tuples tuples;
	int64_t next; /* of all tables' rows */
	int64_t *at; /* where they begin, in order; MAX_ROWS */
	int64_t n, told;
};

static int
compare(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Those that are zeros are nowhere. */
static enum tsl_status
collect(struct rows *r, struct tsl_error *err)
{
	const struct tsl_gather_job *g = r->gather;
	int64_t end = g->ntables * g->ntuples;
	enum tsl_status status = TSL_OK;

	r->n = r->told = 0;
	while (r->next < end && r->n < MAX_ROWS && !status) {
		int64_t tuple = r->next % g->ntuples;
		int64_t base = r->next / g->ntuples * g->table_nbytes;
		int64_t n = tsl_min(g->ntuples - tuple, MAX_ROWS - r->n);
		int64_t *at = r->at + r->n;

		status = npyio_tuples_rows(&r->tuples, tuple, n, at, err);
		for (int64_t i = 0; i < n && !status; i++)
			if (at[i] >= 0)
				r->at[r->n++] = base + at[i];
		r->next += n;
	}
	qsort(r->at, (size_t)r->n, sizeof(*r->at), compare);
	return status;
}

static bool
next_rows(void *ranges, int64_t *lo, int64_t *hi)
{
	struct rows *r = ranges;

	if (r->told >= r->n)
		return false;
	*lo = r->at[r->told];
	do {
		*hi = r->at[r->told++] + r->gather->run_nbytes;
	} while (r->told < r->n && r->at[r->told] - *hi < TSL_NEED_GAP);
	return true;
}

/* Rows that are all over the table are taken to need all of it. */
static bool
next_table(void *ranges, int64_t *lo, int64_t *hi)
{
	struct rows *r = ranges;
	const struct tsl_gather_job *g = r->gather;

	*lo = 0;
	*hi = g->ntables * g->table_nbytes;
	return r->told++ == 0;
}

enum tsl_status
npyio_download_rows(const struct npyio_transfer *t, struct tsl_error *err)
{
	const struct tsl_gather_job *g =
		(const struct tsl_gather_job *)(const void *)t->job;
	struct rows r = { .gather = g };
	enum tsl_status status;

	if (!npyio_reader_is_remote(t->in[0]) || t->job->nbytes == 0)
		return TSL_OK;
	if (g->runs_per_row > 1)
		return npyio_reader_download(t->in[0], next_table, &r, err);
	status = npyio_tuples_init(&r.tuples, g, t->in[1], err);
	r.at = malloc((size_t)MAX_ROWS * sizeof(*r.at));
	if (!status && !r.at)
		status = tsl_no_memory(err);
	while (!status && r.next < g->ntables * g->ntuples) {
		status = collect(&r, err);
		if (!status)
			status = npyio_reader_download(t->in[0], next_rows, &r,
						       err);
	}
	free(r.at);
	npyio_tuples_close(&r.tuples);
	return status;
}
