/*
 * diagonals.c - the new values of a set_diag, as its patch() wants them
 */
#include "diagonals.h"

#include "lib/base/minmax.h"
#include "npyio/transfer/common/fill.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of diagonals that are looked at together. */
#define CHUNK ((int64_t)256 * 1024)

/* Diagonals of no more bytes are looked at several together. */
#define MAX_NEAR 4096

/* And no more than so many times what is needed of them. */
#define MAX_WASTE 4

static enum tsl_status
no_memory(struct tsl_error *err)
{
	return tsl_fail(err, TSL_EMEMORY, "out of memory for diagonals");
}

enum tsl_status
npyio_diagonals_init(struct npyio_diagonals *d, const struct npyio_transfer *t,
		     struct tsl_error *err)
{
	const struct tsl_job *job = t->job;
	const struct tsl_set_diag_job *set = (const void *)job;
	int64_t nbytes = tsl_max(CHUNK, set->width);

	*d = (struct npyio_diagonals){ .set = set };
	d->packed = malloc((size_t)nbytes);
	if (!d->packed)
		return no_memory(err);
	if (job->source)
		d->in = t->in[job->source];
	else if (set->width > 0)
		npyio_fill(d->packed, 0, nbytes, job->fill, set->width);
	return TSL_OK;
}

void
npyio_diagonals_close(struct npyio_diagonals *d)
{
	free(d->packed);
	free(d->side);
	d->packed = d->side = NULL;
}

/* Elements [first, first + n) to d->packed. */
static enum tsl_status
get(struct npyio_diagonals *d, int64_t first, int64_t n, struct tsl_error *err)
{
	int64_t width = d->set->width;

	/* What is packed is the fill already, wherever it is wanted. */
	if (!d->in)
		return TSL_OK;
	return npyio_reader_read(d->in, first * width, n * width, d->packed,
				 err);
}

/* A piece of one diagonal, in parts as large as d->packed. */
static enum tsl_status
lay_run(struct npyio_diagonals *d, struct tsl_set_diag_run run,
	struct tsl_error *err)
{
	int64_t most = tsl_max(CHUNK / d->set->width, 1);
	int64_t left = run.count;
	enum tsl_status status = TSL_OK;

	d->n = 0;
	while (left > 0 && !status) {
		run.count = tsl_min(left, most);
		status = get(d, run.source, run.count, err);
		if (!status)
			tsl_set_diag_lay(d->set, &run, d->packed, d->side);
		run.source += run.count;
		run.to += run.count * run.step;
		left -= run.count;
	}
	return status;
}

/*
 * Many short pieces lie close together: as many of them as d->packed holds are
 * got at once, and stay for the pieces of the next call.
 */
static enum tsl_status
lay_cached(struct npyio_diagonals *d, const struct tsl_set_diag_run *run,
	   struct tsl_error *err)
{
	int64_t total = tsl_array_count(&d->set->diagonal);
	int64_t width = d->set->width;
	enum tsl_status status = TSL_OK;

	if (run->source < d->first ||
	    run->source + run->count > d->first + d->n) {
		d->first = run->source;
		d->n = tsl_min(CHUNK / width, total - run->source);
		status = get(d, d->first, d->n, err);
	}
	if (!status)
		tsl_set_diag_lay(d->set, run,
				 d->packed + (run->source - d->first) * width,
				 d->side);
	return status;
}

static enum tsl_status
reserve(struct npyio_diagonals *d, int64_t nbytes, struct tsl_error *err)
{
	if (nbytes <= d->side_nbytes)
		return TSL_OK;
	free(d->side);
	/* Where the matrix has no such column nobody looks. */
	d->side = calloc(1, (size_t)nbytes);
	d->side_nbytes = d->side ? nbytes : 0;
	return d->side ? TSL_OK : no_memory(err);
}

/*
 * Whether the pieces that are needed for n bytes of output lie close together,
 * and what lies between them is not much more: or with little memory, and
 * therefore many calls, all the diagonals would be read for each.
 */
static bool
are_near(const struct npyio_diagonals *d, int64_t n)
{
	const struct tsl_set_diag_job *set = d->set;
	int64_t diagonal = set->band.max_len * set->width;
	int64_t nrows = n / (set->band.ncols * set->width) + 1;

	if (tsl_array_nbytes(&set->diagonal) <= CHUNK)
		return true;
	return (diagonal <= MAX_NEAR ||
		set->band.ndiags * diagonal <= CHUNK / 2) &&
	       nrows >= set->band.max_len / MAX_WASTE;
}

enum tsl_status
npyio_diagonals_side(struct npyio_diagonals *d, int64_t first, int64_t n,
		     struct tsl_error *err)
{
	const struct tsl_job *job = &d->set->job;
	bool near = are_near(d, n);
	struct tsl_set_diag_run run = { .batch = -1 };
	enum tsl_status status;

	status = reserve(d, job->op->side_nbytes(job, first, n), err);
	while (!status && tsl_set_diag_next(d->set, first, n, &run))
		status = near ? lay_cached(d, &run, err) : lay_run(d, run, err);
	return status;
}

enum tsl_status
npyio_diagonals_patch(struct npyio_diagonals *d, int64_t first, int64_t n,
		      int64_t room, char *bytes, struct tsl_error *err)
{
	const struct tsl_job *job = &d->set->job;
	enum tsl_status status = TSL_OK;

	while (n > 0 && !status) {
		int64_t part = tsl_set_diag_part(d->set, first, n, room);

		status = npyio_diagonals_side(d, first, part, err);
		if (!status)
			job->op->patch(job, first, part, d->side, bytes);
		bytes += part;
		first += part;
		n -= part;
	}
	return status;
}
