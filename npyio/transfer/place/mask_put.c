/*
 * mask_put.c - rows written where a mask is true, in their order
 *
 * The target is cut into parts.  How many true elements come before each block
 * of the mask says which updates go to a part, so that it can be painted by
 * itself.  Long runs are put by system calls, others through a mapping; between
 * them no byte is written.
 */
#include "mask_put.h"

#include "lib/base/minmax.h"
#include "lib/kernel/bits.h"
#include "mask.h"
#include "npyio/file/workers.h"
#include "npyio/transfer/common/buffer.h"
#include "npyio/transfer/common/fetch.h"
#include "npyio/transfer/common/fill.h"

#include <stdlib.h>

#define MIB ((int64_t)1024 * 1024)

/* A part of the target, or a row that is longer, and updates read at once. */
#define MAX_PART (4 * MIB)
#define MAX_PIECE (1 * MIB)

/* Runs of so many bytes on the average are worth a system call each. */
#define MIN_PUT (4 * 1024)

/* With fewer rows in a part it is not worth a mapping. */
#define MIN_MAPPED_ROWS 32

/* With less to write, or to look through, threads cost more than they bring. */
#define MIN_OUT_FOR_THREADS (8 * MIB)
#define MIN_SPAN_FOR_THREADS (64 * MIB)

struct worker {
	bool ready;
	struct npyio_mask_reader mask;
	struct npyio_fetch updates;
	struct npyio_in_place_writer writer;
	char *piece; /* of a long row */
};

struct putting {
	const struct npyio_transfer *t;
	const struct tsl_gather_job *places;
	const struct tsl_mask *mask;
	const struct npyio_in_place_file *target;
	struct npyio_reader *updates; /* NULL: the fill */
	char *fill_row; /* a row of it, if it is not long */
	int64_t row; /* bytes */
	int64_t step; /* from one of the updates to the next; 0: the fill */
	int64_t part; /* elements of the mask */
	int64_t piece; /* bytes */
	int nworkers;
	struct worker *workers;
};

static enum tsl_status
no_memory(struct tsl_error *err)
{
	return tsl_fail(err, TSL_EMEMORY, "out of memory for a scatter");
}

static void
release(void *work, int worker)
{
	struct putting *p = work;
	struct worker *w = &p->workers[worker];

	if (!w->ready)
		return;
	npyio_mask_reader_close(&w->mask);
	npyio_in_place_writer_close(&w->writer);
	if (p->updates)
		npyio_fetch_close(&w->updates);
	free(w->piece);
	*w = (struct worker){ .ready = false };
}

static void
prepare(const struct putting *p, struct worker *w)
{
	const struct tsl_job *job = p->t->job;

	if (w->ready)
		return;
	w->ready = true;
	npyio_mask_reader_init(&w->mask, p->mask, p->t->in[job->mask_input]);
	npyio_in_place_writer_init(&w->writer, p->target);
	if (p->updates)
		npyio_fetch_init(&w->updates, p->updates, p->part * p->row);
}

static bool
is_of_long_rows(const struct putting *p)
{
	return p->row > p->piece;
}

/* ---- one part ------------------------------------------------------------ */

/* Rows by the bits of one block of the mask. */
struct rows {
	const uint64_t *bits;
	int64_t lo, hi; /* bits */
	int64_t to; /* the byte of the target that bit 0 is for */
	int64_t number; /* of the first update */
};

/* A long row, piece by piece. */
static enum tsl_status
put_long_row(const struct putting *p, struct worker *w, int64_t number,
	     int64_t to, struct tsl_error *err)
{
	const struct tsl_job *job = p->t->job;
	enum tsl_status status = TSL_OK;

	if (!w->piece && !(w->piece = npyio_buffer_new((size_t)p->piece)))
		return no_memory(err);
	for (int64_t at = 0; at < p->row && !status; at += p->piece) {
		int64_t n = tsl_min(p->piece, p->row - at);

		if (p->updates)
			status = npyio_reader_read(p->updates,
						   number * p->row + at, n,
						   w->piece, err);
		else
			npyio_fill(w->piece, at, n, job->fill,
				   tsl_job_fill_size(job));
		if (!status)
			status = npyio_in_place_writer_put(&w->writer, w->piece,
							   n, to + at, err);
	}
	return status;
}

static enum tsl_status
put_long_rows(const struct putting *p, struct worker *w, const struct rows *s,
	      struct tsl_error *err)
{
	int64_t number = s->number;
	enum tsl_status status = TSL_OK;

	for (int64_t i = tsl_bits_next(s->bits, s->lo, s->hi, true);
	     i < s->hi && !status;
	     i = tsl_bits_next(s->bits, i + 1, s->hi, true))
		status = put_long_row(p, w, number++, s->to + i * p->row, err);
	return status;
}

/* Run by run, or of the fill row by row. */
static enum tsl_status
put_runs(const struct putting *p, struct worker *w, const struct rows *s,
	 const char *updates, struct tsl_error *err)
{
	int64_t end;
	enum tsl_status status = TSL_OK;

	for (int64_t i = tsl_bits_next(s->bits, s->lo, s->hi, true);
	     i < s->hi && !status;
	     i = tsl_bits_next(s->bits, end, s->hi, true)) {
		end = p->step > 0 ? tsl_bits_next(s->bits, i, s->hi, false)
				  : i + 1;
		status = npyio_in_place_writer_put(&w->writer, updates,
						   (end - i) * p->row,
						   s->to + i * p->row, err);
		updates += (end - i) * p->step;
	}
	return status;
}

static bool
is_mapped(const struct putting *p, const struct rows *s, int64_t n)
{
	int64_t run = p->row;

	if (p->step > 0)
		run = n * p->row / tsl_bits_runs(s->bits, s->lo, s->hi);
	return n >= MIN_MAPPED_ROWS && run < MIN_PUT;
}

static enum tsl_status
put_rows(const struct putting *p, struct worker *w, const struct rows *s,
	 int64_t n, struct tsl_error *err)
{
	const char *updates = p->fill_row;
	char *out = NULL;
	enum tsl_status status = TSL_OK;

	if (is_of_long_rows(p))
		return put_long_rows(p, w, s, err);
	if (p->updates)
		status = npyio_fetch_look(&w->updates, s->number * p->row,
					  (s->number + n) * p->row, true,
					  &updates, err);
	if (status)
		return status;
	if (is_mapped(p, s, n))
		out = npyio_in_place_writer_look(&w->writer,
						 s->to + s->lo * p->row,
						 s->to + s->hi * p->row, n);
	if (!out)
		return put_runs(p, w, s, updates, err);
	tsl_bits_put(out, updates, p->step, s->bits, s->lo, s->hi,
		     (size_t)p->row);
	return TSL_OK;
}

/* How many parts a block has; where all bits are held there are no blocks. */
static int64_t
parts_per_block(const struct putting *p)
{
	return p->mask->bits ? 1 : (p->mask->block - 1) / p->part + 1;
}

static int64_t
count_parts(const struct putting *p)
{
	return p->mask->bits ? (p->mask->n - 1) / p->part + 1
			     : p->mask->nblocks * parts_per_block(p);
}

/* Part i of the mask; returns how many are true in it. */
static enum tsl_status
find_part(const struct putting *p, struct worker *w, int64_t i, struct rows *s,
	  int64_t *n, struct tsl_error *err)
{
	const struct tsl_mask *m = p->mask;
	int64_t per_block = parts_per_block(p);
	int64_t first =
		m->bits ? i * p->part
			: i / per_block * m->block + i % per_block * p->part;
	int64_t block = first / m->block;
	int64_t end = m->bits ? m->n : tsl_min((block + 1) * m->block, m->n);
	enum tsl_status status =
		npyio_mask_block(&w->mask, block, &s->bits, err);

	s->to = block * m->block * p->row;
	s->lo = first - block * m->block;
	s->hi = tsl_min(first + p->part, end) - block * m->block;
	*n = 0;
	if (status || s->lo >= s->hi)
		return status;
	s->number = m->before[block] + tsl_bits_count(s->bits, 0, s->lo);
	*n = tsl_bits_count(s->bits, s->lo, s->hi);
	return TSL_OK;
}

static enum tsl_status
put_part(void *work, int worker, int64_t i, struct tsl_error *err)
{
	struct putting *p = work;
	struct worker *w = &p->workers[worker];
	struct rows s;
	enum tsl_status status;
	int64_t n;

	prepare(p, w);
	status = find_part(p, w, i, &s, &n, err);
	if (status || n == 0)
		return status;
	status = put_rows(p, w, &s, n, err);
	if (!status && p->t->progress)
		p->t->progress(n * p->row);
	return status;
}

/* ---- the plan ------------------------------------------------------------ */

/* A worker has a part of the target, as many updates, and a block of bits. */
static void
plan(struct putting *p, int64_t room)
{
	int64_t n = tsl_min(p->t->threads, room / (2 * MIB));
	int64_t part;

	if (p->places->job.nbytes < MIN_OUT_FOR_THREADS &&
	    p->t->job->nbytes < MIN_SPAN_FOR_THREADS)
		n = 1;
	p->nworkers = (int)tsl_max(tsl_min(n, NPYIO_MAX_WORKERS), 1);
	part = tsl_min(MAX_PART, room / 4 / p->nworkers);
	p->piece = tsl_min(MAX_PIECE, part);
	p->part = tsl_max(part / p->row, 1);
	if (!p->mask->bits)
		p->part = tsl_min(p->part, p->mask->block);
	if (p->part > TSL_BITS_WORD)
		p->part -= p->part % TSL_BITS_WORD;
}

static enum tsl_status
put_all(struct putting *p, struct tsl_error *err)
{
	const struct tsl_job *job = p->t->job;

	p->workers = calloc((size_t)p->nworkers, sizeof(*p->workers));
	if (!p->workers)
		return no_memory(err);
	if (!p->updates && !is_of_long_rows(p)) {
		p->fill_row = malloc((size_t)p->row);
		if (!p->fill_row)
			return no_memory(err);
		npyio_fill(p->fill_row, 0, p->row, job->fill,
			   tsl_job_fill_size(job));
	}
	return npyio_run_tasks(put_part, release, p, count_parts(p),
			       p->nworkers, err);
}

enum tsl_status
npyio_put_masked(const struct npyio_transfer *t,
		 const struct tsl_gather_job *places,
		 const struct npyio_in_place_file *target, int64_t room,
		 bool *done, struct tsl_error *err)
{
	struct putting p = {
		.t = t,
		.places = places,
		.mask = t->job->mask,
		.target = target,
		.updates = t->job->source ? t->in[t->job->source] : NULL,
		.row = places->row_nbytes,
	};
	enum tsl_status status;

	*done = p.mask && tsl_mask_is_linear(places);
	if (!*done)
		return TSL_OK;
	p.step = p.updates ? p.row : 0;
	plan(&p, room);
	status = put_all(&p, err);
	if (p.workers)
		release(&p, 0);
	free(p.workers);
	free(p.fill_row);
	return status;
}
