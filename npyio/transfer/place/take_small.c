/*
 * take_small.c - the output of a take from tables that are small
 *
 * Where the rows lie is the same in each table, and found out once, if memory
 * has room for the list of it; it is looked up again for each table where there
 * are so many rows that the lookup is a small part of the work.  A box of the
 * output is all rows of some tables, or some of one.
 */
#include "take_small.h"

#include "lib/base/minmax.h"
#include "lib/kernel/kernel.h"
#include "npyio/file/workers.h"
#include "npyio/transfer/common/buffer.h"
#include "npyio/transfer/common/fetch.h"
#include "tuples.h"

#include <stdlib.h>
#include <string.h>

#define MIB ((int64_t)1024 * 1024)

/* Output that is made, and written, at once. */
#define MAX_BOX (4 * MIB)

/* More of the input at once brings nothing. */
#define MAX_SPAN (16 * MIB)

/* With less to write, or to look through, threads cost more than they bring. */
#define MIN_OUT_FOR_THREADS (8 * MIB)
#define MIN_SPAN_FOR_THREADS (64 * MIB)

/* Rows of a file that repay a system call each are read into place. */
#define MIN_READ (16 * 1024)

/* Tuples that are looked up at once. */
#define CHUNK 8192

/* For a chunk of tuples, on the stack and off it. */
#define WORKER_NBYTES (256 * 1024)

struct worker {
	bool ready;
	struct npyio_fetch fetch;
	struct npyio_tuples tuples;
	int64_t *row; /* of a box, where there is no list of all */
	char *buffer; /* room for the header and a box */
	int64_t lo, hi; /* of a table, what it has found to be wanted */
};

struct take {
	const struct npyio_output *out;
	const struct tsl_gather_job *gather;
	int nworkers;
	struct worker *workers;
	int64_t ntables; /* of a box; 1 if it is of some rows only */
	int64_t nrows; /* of each */
	int64_t nboxes; /* of a table, if it is of some rows only */
	int64_t *row; /* where all begin, from lo on, or -1; or NULL */
	int64_t lo, hi; /* of a table, what is wanted */
};

static enum tsl_status
no_memory(struct tsl_error *err)
{
	return tsl_fail(err, TSL_EMEMORY, "out of memory for a take");
}

static void
release(void *work, int worker)
{
	struct take *p = work;
	struct worker *w = &p->workers[worker];

	if (w->ready)
		npyio_fetch_close(&w->fetch);
	npyio_tuples_close(&w->tuples);
	free(w->row);
	free(w->buffer);
	w->ready = false;
	w->row = NULL;
	w->buffer = NULL;
}

/* ---- where the rows lie -------------------------------------------------- */

static enum tsl_status
find_rows(const struct take *p, struct worker *w, int64_t first, int64_t n,
	  int64_t row[], struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;

	if (!w->tuples.chunk)
		status = npyio_tuples_init(&w->tuples, p->gather,
					   p->out->t->in[1], err);
	return status ? status
		      : npyio_tuples_rows(&w->tuples, first, n, row, err);
}

static void
widen(struct worker *w, const int64_t row[], int64_t n, int64_t nbytes)
{
	for (int64_t i = 0; i < n; i++) {
		if (row[i] < 0)
			continue;
		w->lo = tsl_min(w->lo, row[i]);
		w->hi = tsl_max(w->hi, row[i] + nbytes);
	}
}

static enum tsl_status
check_chunk(void *work, int worker, int64_t i, struct tsl_error *err)
{
	struct take *p = work;
	struct worker *w = &p->workers[worker];
	int64_t first = i * CHUNK;
	int64_t n = tsl_min(CHUNK, p->gather->ntuples - first);
	int64_t some[CHUNK];
	int64_t *row = p->row ? p->row + first : some;
	enum tsl_status status = find_rows(p, w, first, n, row, err);

	if (!status)
		widen(w, row, n, p->gather->row_nbytes);
	return status;
}

/* From the first byte that is wanted on, which is all that will be there. */
static void
move_rows(const struct take *p, int64_t row[], int64_t n)
{
	for (int64_t i = 0; p->lo > 0 && i < n; i++)
		row[i] -= row[i] < 0 ? 0 : p->lo;
}

/* All of them, before a byte is written; and what of a table is wanted. */
static enum tsl_status
check_indices(struct take *p, struct tsl_error *err)
{
	int64_t n = p->gather->ntuples;
	enum tsl_status status;

	for (int i = 0; i < p->nworkers; i++)
		p->workers[i].lo = p->gather->table_nbytes;
	status = npyio_run_tasks(check_chunk, release, p, (n - 1) / CHUNK + 1,
				 p->nworkers, err);
	p->lo = p->gather->table_nbytes;
	for (int i = 0; i < p->nworkers; i++) {
		p->lo = tsl_min(p->lo, p->workers[i].lo);
		p->hi = tsl_max(p->hi, p->workers[i].hi);
	}
	/* Perhaps nothing at all: rows of zeros. */
	p->lo = tsl_min(p->lo, p->hi);
	if (!status && p->row)
		move_rows(p, p->row, n);
	return status;
}

/* Those of one box again: the file may have changed. */
static enum tsl_status
find_again(const struct take *p, struct worker *w, int64_t first, int64_t n,
	   struct tsl_error *err)
{
	enum tsl_status status;

	if (!w->row)
		w->row = malloc((size_t)p->nrows * sizeof(*w->row));
	if (!w->row)
		return no_memory(err);
	status = find_rows(p, w, first, n, w->row, err);
	w->lo = p->lo;
	w->hi = p->hi;
	if (!status)
		widen(w, w->row, n, p->gather->row_nbytes);
	if (!status && (w->lo < p->lo || w->hi > p->hi))
		return tsl_fail_item(err, TSL_EIO, 1,
				     "the indices changed while being read");
	if (!status)
		move_rows(p, w->row, n);
	return status;
}

/* ---- one box ------------------------------------------------------------- */

struct box {
	int64_t table, ntables;
	int64_t first, n; /* rows of each */
};

static void
find_box(const struct take *p, int64_t i, struct box *box)
{
	const struct tsl_gather_job *g = p->gather;

	box->table = i / p->nboxes * p->ntables;
	box->ntables = tsl_min(p->ntables, g->ntables - box->table);
	box->first = i % p->nboxes * p->nrows;
	box->n = tsl_min(p->nrows, g->ntuples - box->first);
}

static enum tsl_status
prepare(const struct take *p, struct worker *w, struct tsl_error *err)
{
	const struct tsl_gather_job *g = p->gather;
	int64_t most = p->ntables * p->nrows * g->row_nbytes;

	if (w->ready)
		return TSL_OK;
	w->ready = true;
	npyio_fetch_init(&w->fetch, p->out->t->in[0],
			 p->ntables * g->table_nbytes);
	w->buffer = npyio_buffer_new(p->out->header.len + (size_t)most);
	return w->buffer ? TSL_OK : no_memory(err);
}

/* Long rows of a file, each by itself: what lies between is not touched. */
static enum tsl_status
read_rows(const struct take *p, struct worker *w, const struct box *box,
	  const int64_t row[], char *dst, struct tsl_error *err)
{
	int64_t n = p->gather->row_nbytes;
	int64_t base = box->table * p->gather->table_nbytes + p->lo;
	enum tsl_status status = TSL_OK;

	for (int64_t t = 0; t < box->ntables; t++) {
		for (int64_t i = 0; i < box->n && !status; i++, dst += n) {
			if (row[i] < 0)
				memset(dst, 0, (size_t)n);
			else
				status = npyio_fetch_bytes(
					&w->fetch, base + row[i], n, dst, err);
		}
		base += p->gather->table_nbytes;
	}
	return status;
}

static enum tsl_status
take_rows(const struct take *p, struct worker *w, const struct box *box,
	  const int64_t row[], char *dst, struct tsl_error *err)
{
	const struct tsl_gather_job *g = p->gather;
	int64_t base = box->table * g->table_nbytes;
	int64_t last = base + (box->ntables - 1) * g->table_nbytes;
	enum tsl_status status;
	const char *bytes;

	if (p->lo == p->hi || (g->row_nbytes >= MIN_READ && !w->fetch.forward))
		return read_rows(p, w, box, row, dst, err);
	status = npyio_fetch_look(&w->fetch, base + p->lo, last + p->hi, true,
				  &bytes, err);
	if (!status)
		tsl_take_rows(dst, bytes, box->ntables, g->table_nbytes, row,
			      box->n, (size_t)g->row_nbytes);
	return status;
}

static enum tsl_status
do_box(void *work, int worker, int64_t i, struct tsl_error *err)
{
	struct take *p = work;
	struct worker *w = &p->workers[worker];
	int64_t row_nbytes = p->gather->row_nbytes;
	const int64_t *row;
	struct box box;
	int64_t first, n;
	enum tsl_status status;
	char *bytes;

	find_box(p, i, &box);
	first = (box.table * p->gather->ntuples + box.first) * row_nbytes;
	n = box.ntables * box.n * row_nbytes;
	if (!npyio_is_ours(p->out, first, n))
		return TSL_OK;
	status = prepare(p, w, err);
	if (status)
		return status;
	bytes = w->buffer + p->out->header.len;
	if (!p->row)
		status = find_again(p, w, box.first, box.n, err);
	row = p->row ? p->row + box.first : w->row;
	if (!status)
		status = take_rows(p, w, &box, row, bytes, err);
	return status ? status : npyio_put(p->out, bytes, first, n, err);
}

static enum tsl_status
write_boxes(struct take *p, struct tsl_error *err)
{
	const struct npyio_transfer *t = p->out->t;
	int64_t count = ((p->gather->ntables - 1) / p->ntables + 1) * p->nboxes;

	/* Only with one do they come in the order of the streams. */
	if (!npyio_writer_is_positional(t->out) ||
	    (npyio_reader_is_stream(t->in[0]) &&
	     !npyio_reader_is_buffered(t->in[0])))
		return npyio_run_tasks(do_box, release, p, count, 1, err);
	return npyio_run_tasks(do_box, release, p, count, p->nworkers, err);
}

/* ---- the plan ------------------------------------------------------------ */

static int
count_workers(const struct take *p, int64_t room)
{
	const struct tsl_gather_job *g = p->gather;
	int64_t n = tsl_min(p->out->t->threads,
			    room / (2 * g->table_nbytes + 2 * MIB));

	if (g->job.nbytes < MIN_OUT_FOR_THREADS &&
	    tsl_array_extent(&g->job.in) < MIN_SPAN_FOR_THREADS)
		return 1;
	return (int)tsl_max(tsl_min(n, NPYIO_MAX_WORKERS), 1);
}

/*
 * Of a worker's memory half is for tables, and a quarter for what is made of
 * them, and for the list of rows of a box if there is none of all.
 */
static bool
plan(struct take *p, bool *has_list)
{
	const struct tsl_gather_job *g = p->gather;
	int64_t room = p->out->room;
	int64_t span, box, row = g->row_nbytes;

	*has_list = g->ntuples <= room / 4 / (int64_t)sizeof(*p->row);
	room -= *has_list ? g->ntuples * (int64_t)sizeof(*p->row) : 0;
	p->nworkers = count_workers(p, room);
	room = room / p->nworkers - WORKER_NBYTES;
	span = tsl_min(MAX_SPAN, room / 2);
	box = tsl_min(MAX_BOX, room / 4);
	if (g->table_nbytes > span || row > box)
		return false;
	box = tsl_min(box, npyio_writer_best_size(p->out->t->out));
	/* Enough boxes for all to be busy until the end. */
	box = tsl_min(box, tsl_max(g->job.nbytes / p->out->share.count /
					   (2 * p->nworkers),
				   MIB));
	p->nrows = box / (row + (*has_list ? 0 : (int64_t)sizeof(*p->row)));
	p->nrows = tsl_max(tsl_min(p->nrows, g->ntuples), 1);
	p->nboxes = (g->ntuples - 1) / p->nrows + 1;
	p->ntables = p->nboxes > 1 ? 1 : box / (g->ntuples * row);
	if (g->table_nbytes > 0)
		p->ntables = tsl_min(p->ntables, span / g->table_nbytes);
	p->ntables = tsl_max(tsl_min(p->ntables, g->ntables), 1);
	return true;
}

static enum tsl_status
write_all(struct take *p, bool has_list, struct tsl_error *err)
{
	enum tsl_status status;

	p->workers = calloc((size_t)p->nworkers, sizeof(*p->workers));
	if (has_list)
		p->row = npyio_buffer_new((size_t)p->gather->ntuples *
					  sizeof(*p->row));
	if (!p->workers || (has_list && !p->row))
		return no_memory(err);
	status = check_indices(p, err);
	return status ? status : write_boxes(p, err);
}

enum tsl_status
npyio_write_take(const struct npyio_output *out, bool *done,
		 struct tsl_error *err)
{
	const struct tsl_job *job = out->t->job;
	struct take p = {
		.out = out,
		.gather = (const struct tsl_gather_job *)(const void *)job
	};
	enum tsl_status status;
	bool has_list;

	*done = job->pattern == TSL_PATTERN_PICKS && plan(&p, &has_list);
	if (!*done)
		return TSL_OK;
	status = write_all(&p, has_list, err);
	if (p.workers)
		release(&p, 0);
	free(p.workers);
	free(p.row);
	return status;
}
