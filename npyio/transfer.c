/*
 * transfer.c - a job's output, block by block, from a reader to a writer
 *
 * A shared counter hands out blocks.  Each worker produces its block in a
 * buffer of its own, which it uses again and again, and writes it where it
 * belongs; with one worker the blocks come in order, as a pipe needs them.
 */
#include "transfer.h"

#include "header.h"
#include "lib/overflow.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/*
 * Large writes halve the kernel's work for a page of the page cache; beyond
 * 4 MiB nothing is gained and the buffer leaves the cache.
 */
#define BLOCK (4 * 1024 * 1024)

/* Below this much output starting a thread costs more than it brings. */
#define MIN_NBYTES_FOR_THREADS (8 * 1024 * 1024)

/* However many are asked for: each has buffers of its own. */
#define MAX_THREADS 256

/*
 * What is read at once by position.  Only where a mapping was refused can more
 * lie between the ends of what is needed; it is then got in parts.
 */
#define MAX_SCRATCH (16 * 1024 * 1024)

struct shared {
	const struct npyio_transfer *t;
	struct npyio_text header; /* written with the first block */
	int64_t block; /* bytes of output data, but for the last */
	int64_t nblocks;
	atomic_int_least64_t next;
	atomic_bool failed;
	pthread_mutex_t lock; /* of status and err */
	enum tsl_status status; /* the first failure */
	struct tsl_error *err;
};

/* Memory for input bytes that are read by position. */
struct scratch {
	char *bytes;
	int64_t nbytes;
};

struct worker {
	struct shared *shared;
	char *out; /* room for the header and a block */
	struct scratch scratch;
	bool is_helper; /* not the calling thread */
	pthread_t thread;
};

/* ---- one block ----------------------------------------------------------- */

static enum tsl_status
reserve_scratch(struct scratch *s, int64_t nbytes, struct tsl_error *err)
{
	if (nbytes <= s->nbytes)
		return TSL_OK;
	free(s->bytes);
	s->nbytes = 0;
	s->bytes = malloc((size_t)nbytes);
	if (!s->bytes)
		return tsl_fail(err, TSL_EMEMORY,
				"out of memory for %lld bytes of input",
				(long long)nbytes);
	s->nbytes = nbytes;
	return TSL_OK;
}

/* Reads input bytes [lo, hi), and makes output bytes of them. */
static enum tsl_status
read_and_fill(const struct npyio_transfer *t, struct scratch *scratch,
	      int64_t lo, int64_t hi, int64_t first, int64_t n, char *dst,
	      struct tsl_error *err)
{
	enum tsl_status status = reserve_scratch(scratch, hi - lo, err);

	if (!status)
		status = npyio_reader_read(t->in, lo, hi - lo, scratch->bytes,
					   err);
	if (!status)
		t->job->op->fill(t->job, first, n, scratch->bytes, lo, dst);
	return status;
}

/* Output bytes [first, first + n), which lie within one piece of the job. */
static enum tsl_status
produce_piece(const struct npyio_transfer *t, struct scratch *scratch,
	      int64_t first, int64_t n, char *dst, struct tsl_error *err)
{
	const struct tsl_job *job = t->job;
	int64_t half = n / 2 / job->out.dtype.size * job->out.dtype.size;
	enum tsl_status status;
	const char *bytes;
	int64_t lo, hi;

	job->op->need(job, first, n, &lo, &hi);
	if (job->access == TSL_ACCESS_COPY)
		return npyio_reader_read(t->in, lo, n, dst, err);
	bytes = npyio_reader_bytes(t->in, lo, hi);
	if (bytes) {
		job->op->fill(job, first, n, bytes, lo, dst);
		return TSL_OK;
	}
	if (hi - lo <= MAX_SCRATCH || half == 0)
		return read_and_fill(t, scratch, lo, hi, first, n, dst, err);
	status = produce_piece(t, scratch, first, half, dst, err);
	if (!status)
		status = produce_piece(t, scratch, first + half, n - half,
				       dst + half, err);
	return status;
}

static enum tsl_status
produce(const struct npyio_transfer *t, struct scratch *scratch, int64_t first,
	int64_t n, char *dst, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;

	while (n > 0 && !status) {
		int64_t part = t->job->piece - first % t->job->piece;

		if (part > n)
			part = n;
		status = produce_piece(t, scratch, first, part, dst, err);
		if (!status && t->job->op->patch)
			t->job->op->patch(t->job, first, part, dst);
		first += part;
		dst += part;
		n -= part;
	}
	return status;
}

/* The header goes out in front of the first block, with one write. */
static enum tsl_status
do_block(struct worker *w, int64_t i, struct tsl_error *err)
{
	struct shared *s = w->shared;
	int64_t first = i * s->block;
	int64_t n = s->t->job->nbytes - first;
	int64_t header = i == 0 ? (int64_t)s->header.len : 0;
	enum tsl_status status;

	if (n > s->block)
		n = s->block;
	if (header > 0)
		memcpy(w->out, s->header.s, (size_t)header);
	status = produce(s->t, &w->scratch, first, n, w->out + header, err);
	if (status)
		return status;
	return npyio_writer_put(s->t->out, w->out, (size_t)(header + n),
				i == 0 ? 0 : (int64_t)s->header.len + first,
				err);
}

/* ---- workers ------------------------------------------------------------- */

static void
record_failure(struct shared *s, enum tsl_status status,
	       const struct tsl_error *err)
{
	pthread_mutex_lock(&s->lock);
	if (!s->status) {
		s->status = status;
		if (s->err)
			*s->err = *err;
	}
	pthread_mutex_unlock(&s->lock);
	atomic_store(&s->failed, true);
}

static void *
work(void *arg)
{
	struct worker *w = arg;
	struct shared *s = w->shared;
	struct tsl_error err;
	enum tsl_status status = TSL_OK;

	w->out = malloc(s->header.len + (size_t)s->block);
	/* Without memory a helper does not help. */
	if (!w->out && w->is_helper)
		return NULL;
	if (!w->out)
		status = tsl_fail(&err, TSL_EMEMORY, "out of memory");
	while (!status && !atomic_load(&s->failed)) {
		int64_t i = atomic_fetch_add(&s->next, 1);

		if (i >= s->nblocks)
			break;
		status = do_block(w, i, &err);
	}
	if (status)
		record_failure(s, status, &err);
	free(w->out);
	free(w->scratch.bytes);
	return NULL;
}

static int
count_workers(const struct shared *s)
{
	int64_t n = s->t->threads;

	if (!npyio_writer_is_positional(s->t->out) ||
	    s->t->job->nbytes < MIN_NBYTES_FOR_THREADS)
		return 1;
	if (n > s->nblocks)
		n = s->nblocks;
	if (n > MAX_THREADS)
		n = MAX_THREADS;
	return n < 1 ? 1 : (int)n;
}

/* The calling thread is the first worker; others are a help, not a need. */
static enum tsl_status
run_workers(struct shared *s)
{
	struct worker self = { .shared = s };
	int n = count_workers(s) - 1;
	struct worker *others = n ? calloc((size_t)n, sizeof(*others)) : NULL;
	int started = 0;

	while (others && started < n) {
		others[started].shared = s;
		others[started].is_helper = true;
		if (pthread_create(&others[started].thread, NULL, work,
				   &others[started]) != 0)
			break;
		started++;
	}
	work(&self);
	while (started > 0)
		pthread_join(others[--started].thread, NULL);
	free(others);
	return s->status;
}

/* ---- the whole ----------------------------------------------------------- */

static int64_t
block_size(const struct tsl_job *job)
{
	if (job->nbytes <= BLOCK)
		return job->nbytes;
	if (job->grain >= BLOCK)
		return job->grain;
	return BLOCK / job->grain * job->grain;
}

enum tsl_status
npyio_transfer_prepare(const struct npyio_transfer *t, struct tsl_error *err)
{
	int64_t lo, hi;

	if (t->job->nbytes == 0)
		return TSL_OK;
	if (npyio_reader_is_stream(t->in)) {
		t->job->op->need(t->job, 0, t->job->nbytes, &lo, &hi);
		return npyio_reader_load(t->in, hi, err);
	}
	if (t->job->access == TSL_ACCESS_MAP)
		npyio_reader_map(t->in);
	return TSL_OK;
}

enum tsl_status
npyio_transfer_range(const struct npyio_transfer *t, int64_t first, int64_t n,
		     char *dst, struct tsl_error *err)
{
	struct scratch scratch = { NULL, 0 };
	enum tsl_status status = produce(t, &scratch, first, n, dst, err);

	free(scratch.bytes);
	return status;
}

enum tsl_status
npyio_transfer(const struct npyio_transfer *t, struct tsl_error *err)
{
	struct shared s = { .t = t,
			    .lock = PTHREAD_MUTEX_INITIALIZER,
			    .err = err };
	enum tsl_status status;
	int64_t total;

	status = npyio_header_format(&s.header, &t->job->out, err);
	if (!status)
		status = npyio_transfer_prepare(t, err);
	if (!status && !tsl_add((int64_t)s.header.len, t->job->nbytes, &total))
		status = tsl_fail(err, TSL_ETOO_LARGE,
				  "the file would be larger than 2^63-1 bytes");
	if (!status)
		status = npyio_writer_reserve(t->out, total, err);
	if (!status) {
		s.block = block_size(t->job);
		/* Without any data there is still a header to write. */
		s.nblocks = t->job->nbytes == 0
				    ? 1
				    : (t->job->nbytes - 1) / s.block + 1;
		status = run_workers(&s);
	}
	npyio_text_free(&s.header);
	return status;
}
