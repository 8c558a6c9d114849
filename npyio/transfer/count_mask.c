/*
 * count_mask.c - an array of bools, read and counted
 *
 * An element of it is a byte, of which one bit is of interest.  What is held
 * is an eighth of the file, so that most masks are read only once, and what was
 * counted is what is used, whatever becomes of the file.
 */
#include "count_mask.h"

#include "lib/base/minmax.h"
#include "lib/kernel/bits.h"
#include "npyio/file/workers.h"
#include "npyio/transfer/common/buffer.h"
#include "npyio/transfer/place/mask.h"
#include "operands.h"
#include "verify_crc.h"

#include <stdlib.h>

/* Elements of a block; more only where there would be too many blocks. */
#define BLOCK NPYIO_MASK_PIECE

/* With fewer elements threads cost more than they bring. */
#define MIN_FOR_THREADS ((int64_t)4 * 1024 * 1024)

struct counting {
	struct tsl_mask *mask;
	struct npyio_reader *in;
	bool forward; /* it comes as a stream, and is not kept */
	int nworkers;
	char **buffers; /* of each worker: a part of a block */
};

static enum tsl_status
no_memory(struct tsl_error *err)
{
	return tsl_fail(err, TSL_EMEMORY, "out of memory for a mask");
}

/* Elements [at, at + n), and how many of them are true; 'bits' may be NULL. */
static enum tsl_status
read_part(const struct counting *c, int64_t at, int64_t n, char *bytes,
	  uint64_t *bits, int64_t *count, struct tsl_error *err)
{
	uint64_t words[BLOCK / TSL_BITS_WORD];
	enum tsl_status status =
		c->forward ? npyio_reader_take(c->in, bytes, n, err)
			   : npyio_reader_read(c->in, at, n, bytes, err);

	if (!status)
		*count += tsl_bits_pack(bits ? bits : words, bytes, n);
	return status;
}

static enum tsl_status
count_block(void *work, int worker, int64_t i, struct tsl_error *err)
{
	const struct counting *c = work;
	struct tsl_mask *m = c->mask;
	char **buffer = &c->buffers[worker];
	int64_t end = tsl_min((i + 1) * m->block, m->n);
	enum tsl_status status = TSL_OK;
	int64_t count = 0;

	if (!*buffer && !(*buffer = malloc((size_t)BLOCK)))
		return no_memory(err);
	for (int64_t at = i * m->block; at < end && !status; at += BLOCK)
		status =
			read_part(c, at, tsl_min(BLOCK, end - at), *buffer,
				  m->bits ? m->bits + at / TSL_BITS_WORD : NULL,
				  &count, err);
	m->before[i + 1] = count;
	return status;
}

static void
release(void *work, int worker)
{
	const struct counting *c = work;

	free(c->buffers[worker]);
	c->buffers[worker] = NULL;
}

static enum tsl_status
count_all(struct counting *c, struct tsl_error *err)
{
	struct tsl_mask *m = c->mask;
	enum tsl_status status;

	c->buffers = calloc((size_t)c->nworkers, sizeof(*c->buffers));
	if (!c->buffers)
		return no_memory(err);
	status = npyio_run_tasks(count_block, release, c, m->nblocks,
				 c->nworkers, err);
	release(c, 0);
	free(c->buffers);
	for (int64_t i = 0; i < m->nblocks && !status; i++)
		m->before[i + 1] += m->before[i];
	m->ntrue = m->before[m->nblocks];
	return status;
}

/* ---- the plan ------------------------------------------------------------ */

static enum tsl_status
reserve(struct tsl_mask *m, int64_t room, struct tsl_error *err)
{
	int64_t words = m->n / TSL_BITS_WORD + 1;

	m->block = BLOCK;
	while (m->n / m->block > room / 16 / (int64_t)sizeof(*m->before))
		m->block *= 2;
	m->nblocks = m->n > 0 ? (m->n - 1) / m->block + 1 : 0;
	m->before = calloc((size_t)m->nblocks + 1, sizeof(*m->before));
	if (words <= room / (int64_t)sizeof(*m->bits)) {
		m->bits = npyio_buffer_new((size_t)words * sizeof(*m->bits));
		if (!m->bits)
			return no_memory(err);
	}
	return m->before ? TSL_OK : no_memory(err);
}

static bool
is_in_c_order(const struct tsl_array *array)
{
	return !array->field &&
	       (!array->fortran_order || tsl_array_is_1d(array));
}

/* What is kept is no member any more: it is proved before. */
static enum tsl_status
keep_in_c_order(const struct npyio_transfer *t, struct tsl_error *err)
{
	enum tsl_status status = npyio_verify_member(t, t->in[0], err);

	return status ? status : npyio_keep_in_c_order(t, 0, err);
}

enum tsl_status
npyio_mask_open(struct tsl_mask *mask, struct npyio_reader *in, int threads,
		int64_t max_memory, struct tsl_error *err)
{
	const struct npyio_transfer keeping = {
		.in = &in,
		.ninputs = 1,
		.threads = threads,
		.max_memory = max_memory,
	};
	struct counting c = { .mask = mask, .in = in, .nworkers = 1 };
	enum tsl_status status;

	*mask = (struct tsl_mask){ .n = tsl_array_count(
					   npyio_reader_array(in)) };
	status = reserve(mask, max_memory / 4, err);
	if (!status && (!mask->bits || !is_in_c_order(npyio_reader_array(in))))
		status = keep_in_c_order(&keeping, err);
	if (status)
		return status;
	c.forward = npyio_reader_is_stream(in) && !npyio_reader_is_buffered(in);
	if (!c.forward && mask->n >= MIN_FOR_THREADS)
		c.nworkers = (int)tsl_min(threads, NPYIO_MAX_WORKERS);
	return count_all(&c, err);
}

void
npyio_mask_close(struct tsl_mask *mask)
{
	free(mask->before);
	free(mask->bits);
	*mask = (struct tsl_mask){ .n = 0 };
}
