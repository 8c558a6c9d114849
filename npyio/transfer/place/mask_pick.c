/*
 * mask_pick.c - the output of a gather whose rows a mask names, in their order
 *
 * Both go forward: the output is made block by block, each by itself, and where
 * its rows are is known from how many come before each block of the mask.  What
 * of the input is looked at is a window at a time, so long as there is a row in
 * it; long runs are read into place, and rows that are far apart one by one.
 */
#include "mask_pick.h"

#include "lib/base/minmax.h"
#include "lib/kernel/bits.h"
#include "mask.h"
#include "npyio/file/workers.h"
#include "npyio/transfer/common/buffer.h"
#include "npyio/transfer/common/fetch.h"
#include "npyio/transfer/common/lanes.h"

#include <stdlib.h>

#define MIB ((int64_t)1024 * 1024)

/* Output that is made, and written, at once. */
#define MAX_BLOCK (4 * MIB)

/* Input that is looked at for it at once: it stays in the cache. */
#define MAX_WINDOW ((int64_t)256 * 1024)

/* Runs of so many bytes on the average are read into place. */
#define LONG_RUN ((int64_t)16 * 1024)

/* Rows further apart than this, on the average, are read one by one. */
#define FAR_APART ((int64_t)8 * 1024)

/* With less to write, or to look through, threads cost more than they bring. */
#define MIN_OUT_FOR_THREADS (8 * MIB)
#define MIN_SPAN_FOR_THREADS (64 * MIB)

/* A worker's memory is a block, a window, and a block of the mask. */
#define WORKER_NBYTES (1 * MIB)

struct worker {
	bool ready;
	struct npyio_fetch fetch;
	struct npyio_mask_reader mask;
	char *buffer; /* room for the header, a block, and the slack */
};

struct masked {
	const struct npyio_output *out;
	const struct tsl_gather_job *gather;
	const struct tsl_mask *mask;
	int nworkers;
	struct worker *workers;
	int64_t block; /* bytes of output */
	int64_t window; /* bytes of input, or a row */
};

static enum tsl_status
no_memory(struct tsl_error *err)
{
	return tsl_fail(err, TSL_EMEMORY, "out of memory for a gather");
}

static void
release(void *work, int worker)
{
	struct masked *m = work;
	struct worker *w = &m->workers[worker];

	if (!w->ready)
		return;
	npyio_fetch_close(&w->fetch);
	npyio_mask_reader_close(&w->mask);
	free(w->buffer);
	*w = (struct worker){ .ready = false };
}

static enum tsl_status
prepare(const struct masked *m, struct worker *w, struct tsl_error *err)
{
	const struct npyio_transfer *t = m->out->t;

	if (w->ready)
		return TSL_OK;
	w->ready = true;
	npyio_fetch_init(&w->fetch, t->in[0], m->window);
	npyio_mask_reader_init(&w->mask, m->mask, t->in[t->job->mask_input]);
	w->buffer = npyio_buffer_new(m->out->header.len + (size_t)m->block +
				     TSL_BITS_SLACK);
	return w->buffer ? TSL_OK : no_memory(err);
}

/* ---- rows ---------------------------------------------------------------- */

/* Some rows of a table, by the bits of one block of the mask. */
struct rows {
	const uint64_t *bits;
	int64_t base; /* the byte of the input that bit 0 is for */
	int64_t lo, hi; /* bits */
	char *dst;
};

/* Has the runs behind the one at bit 'at' asked for. */
static void
expect_runs(const struct masked *m, const struct worker *w,
	    const struct rows *s, int64_t at)
{
	int64_t row = m->gather->row_nbytes;
	int64_t offset[NPYIO_MAX_EXPECTED];
	int64_t n = 0;

	while (n < NPYIO_MAX_EXPECTED && at < s->hi) {
		offset[n++] = s->base + at * row;
		at = tsl_bits_next(s->bits, at, s->hi, false);
		at = tsl_bits_next(s->bits, at, s->hi, true);
	}
	npyio_fetch_expect(&w->fetch, offset, n, row);
}

/* Each run into its place. */
static enum tsl_status
read_runs(const struct masked *m, struct worker *w, const struct rows *s,
	  struct tsl_error *err)
{
	int64_t row = m->gather->row_nbytes;
	int64_t at = tsl_bits_next(s->bits, s->lo, s->hi, true);
	char *dst = s->dst;
	enum tsl_status status = TSL_OK;

	for (int64_t i = 0; at < s->hi && !status; i++) {
		int64_t end = tsl_bits_next(s->bits, at, s->hi, false);

		if (i % NPYIO_MAX_EXPECTED == 0)
			expect_runs(m, w, s, at);
		status = npyio_fetch_bytes(&w->fetch, s->base + at * row,
					   (end - at) * row, dst, err);
		dst += (end - at) * row;
		at = tsl_bits_next(s->bits, end, s->hi, true);
	}
	return status;
}

/* What lies between the first and the last of them is looked at, too. */
static enum tsl_status
look_and_pick(const struct masked *m, struct worker *w, const struct rows *s,
	      struct tsl_error *err)
{
	int64_t row = m->gather->row_nbytes;
	const char *bytes;
	enum tsl_status status =
		npyio_fetch_look(&w->fetch, s->base + s->lo * row,
				 s->base + s->hi * row, true, &bytes, err);

	if (!status)
		tsl_bits_compress(s->dst, bytes, s->bits, s->lo, s->hi,
				  (size_t)row);
	return status;
}

/* 'n' rows of a window; the first and the last of the bits are set. */
static enum tsl_status
take_window(const struct masked *m, struct worker *w, const struct rows *s,
	    int64_t n, struct tsl_error *err)
{
	int64_t row = m->gather->row_nbytes;
	int64_t span = (s->hi - s->lo) * row;

	if (span / n >= FAR_APART && !w->fetch.forward)
		return read_runs(m, w, s, err);
	if (n * row / tsl_bits_runs(s->bits, s->lo, s->hi) >= LONG_RUN)
		return read_runs(m, w, s, err);
	return look_and_pick(m, w, s, err);
}

/* Windows end with words, so that most of them are whole. */
static int64_t
window_end(const struct masked *m, const struct rows *s)
{
	int64_t n = tsl_max(m->window / m->gather->row_nbytes, 1);
	int64_t end = s->lo + n;

	if (n > TSL_BITS_WORD)
		end -= end % TSL_BITS_WORD;
	return tsl_min(end, s->hi);
}

/* All 'n' rows of 'all', which is changed. */
static enum tsl_status
take_rows(const struct masked *m, struct worker *w, struct rows *all,
	  struct tsl_error *err)
{
	int64_t row = m->gather->row_nbytes;
	enum tsl_status status = TSL_OK;

	/* No window would hold more than one. */
	if (row * 2 > m->window)
		return read_runs(m, w, all, err);
	while (!status) {
		struct rows s = *all;
		int64_t end, n;

		s.lo = tsl_bits_next(all->bits, all->lo, all->hi, true);
		if (s.lo == all->hi)
			break;
		end = s.hi = window_end(m, &s);
		n = tsl_bits_count(s.bits, s.lo, s.hi);
		/* A bit is set at lo: there is a last one. */
		while (!(s.bits[(s.hi - 1) / TSL_BITS_WORD] >>
				 (s.hi - 1) % TSL_BITS_WORD &
			 1))
			s.hi--;
		status = take_window(m, w, &s, n, err);
		all->dst += n * row;
		all->lo = end;
	}
	return status;
}

/* Rows [first, first + n) of a table. */
static enum tsl_status
take_table(const struct masked *m, struct worker *w, int64_t table,
	   int64_t first, int64_t n, char *dst, struct tsl_error *err)
{
	const struct tsl_mask *mask = m->mask;
	int64_t row = m->gather->row_nbytes;
	int64_t i = tsl_mask_block(mask, first);
	enum tsl_status status = TSL_OK;

	while (n > 0 && !status) {
		int64_t some = tsl_min(n, mask->before[i + 1] - first);
		struct rows s = { .dst = dst };

		status = npyio_mask_block(&w->mask, i, &s.bits, err);
		if (status || some == 0) {
			i++;
			continue;
		}
		s.base =
			table * m->gather->table_nbytes + i * mask->block * row;
		s.lo = tsl_bits_find(s.bits, 0, first - mask->before[i]);
		s.hi = tsl_bits_find(s.bits, s.lo, some - 1) + 1;
		status = take_rows(m, w, &s, err);
		dst += some * row;
		first += some;
		n -= some;
		i++;
	}
	return status;
}

/* Bytes [skipped, skipped + n) of a row that is longer than a block. */
static enum tsl_status
take_part(const struct masked *m, struct worker *w, int64_t table,
	  int64_t number, int64_t skipped, int64_t n, char *dst,
	  struct tsl_error *err)
{
	int64_t i = tsl_mask_block(m->mask, number);
	const uint64_t *bits;
	int64_t at;
	enum tsl_status status = npyio_mask_block(&w->mask, i, &bits, err);

	if (status)
		return status;
	at = i * m->mask->block +
	     tsl_bits_find(bits, 0, number - m->mask->before[i]);
	return npyio_fetch_bytes(&w->fetch,
				 table * m->gather->table_nbytes +
					 at * m->gather->row_nbytes + skipped,
				 n, dst, err);
}

/* ---- blocks -------------------------------------------------------------- */

/* Bytes [first, end) of the output. */
static enum tsl_status
take_bytes(const struct masked *m, struct worker *w, int64_t first, int64_t end,
	   char *dst, struct tsl_error *err)
{
	int64_t row = m->gather->row_nbytes;
	int64_t ntuples = m->gather->ntuples;
	enum tsl_status status = TSL_OK;

	while (first < end && !status) {
		int64_t number = first / row % ntuples;
		int64_t table = first / row / ntuples;
		int64_t skipped = first % row;
		int64_t n = tsl_min((end - first) / row, ntuples - number);
		int64_t nbytes = n * row;

		if (skipped > 0 || n == 0) {
			nbytes = tsl_min(row - skipped, end - first);
			status = take_part(m, w, table, number, skipped, nbytes,
					   dst, err);
		} else {
			status = take_table(m, w, table, number, n, dst, err);
		}
		dst += nbytes;
		first += nbytes;
	}
	return status;
}

static enum tsl_status
do_block(void *work, int worker, int64_t i, struct tsl_error *err)
{
	struct masked *m = work;
	struct worker *w = &m->workers[worker];
	int64_t first = i * m->block;
	int64_t end = tsl_min(first + m->block, m->out->t->job->nbytes);
	enum tsl_status status;
	char *bytes;

	if (!npyio_is_ours(m->out, first, end - first))
		return TSL_OK;
	status = prepare(m, w, err);
	if (status)
		return status;
	bytes = w->buffer + m->out->header.len;
	status = take_bytes(m, w, first, end, bytes, err);
	return status ? status
		      : npyio_put(m->out, bytes, first, end - first, err);
}

/* ---- the plan ------------------------------------------------------------ */

static bool
is_forward(const struct npyio_reader *in)
{
	return npyio_reader_is_stream(in) && !npyio_reader_is_buffered(in);
}

static int
count_workers(const struct masked *m)
{
	const struct npyio_transfer *t = m->out->t;
	int64_t n = tsl_min(t->threads,
			    m->out->room / (MAX_WINDOW + WORKER_NBYTES));

	if (!npyio_writer_is_positional(t->out) || is_forward(t->in[0]))
		return 1;
	if (t->job->nbytes < MIN_OUT_FOR_THREADS &&
	    tsl_array_extent(&t->job->in) < MIN_SPAN_FOR_THREADS)
		return 1;
	return (int)tsl_max(tsl_min(n, NPYIO_MAX_WORKERS), 1);
}

/* Blocks are of whole rows, so far as a row is not longer than one. */
static void
plan(struct masked *m)
{
	const struct npyio_transfer *t = m->out->t;
	int64_t row = m->gather->row_nbytes;
	int64_t room;

	m->nworkers = count_workers(m);
	room = m->out->room / m->nworkers;
	m->window = tsl_min(MAX_WINDOW, room / 8);
	m->block = tsl_min(MAX_BLOCK, room / 4);
	m->block = tsl_min(m->block, npyio_writer_best_size(t->out));
	/* Enough blocks for all to be busy until the end. */
	m->block =
		tsl_min(m->block, tsl_max(t->job->nbytes / m->out->share.count /
						  (4 * m->nworkers),
					  MAX_WINDOW));
	m->block = npyio_whole_elements(m->out, m->block);
	if (m->block > row)
		m->block -= m->block % row;
}

enum tsl_status
npyio_write_masked(const struct npyio_output *out, bool *done,
		   struct tsl_error *err)
{
	const struct tsl_gather_job *g =
		(const struct tsl_gather_job *)(const void *)out->t->job;
	struct masked m = { .out = out, .gather = g, .mask = g->job.mask };
	enum tsl_status status;

	*done = m.mask && tsl_mask_is_linear(g) && !npyio_has_lanes(out->t);
	if (!*done)
		return TSL_OK;
	plan(&m);
	m.workers = calloc((size_t)m.nworkers, sizeof(*m.workers));
	if (!m.workers)
		return no_memory(err);
	status = npyio_run_tasks(do_block, release, &m,
				 (out->t->job->nbytes - 1) / m.block + 1,
				 m.nworkers, err);
	release(&m, 0);
	free(m.workers);
	return status;
}
