/*
 * tuples.c - the index tuples of a gather, as places in its table
 */
#include "tuples.h"

#include "lib/base/minmax.h"

#include <stdlib.h>

/* Bytes of indices that are looked at together. */
#define CHUNK (64 * 1024)

/* A tuple has at most 32 indices of 8 bytes: a chunk holds some. */
#define MAX_CHUNK_TUPLES (CHUNK / 8)

enum tsl_status
npyio_tuples_init(struct npyio_tuples *t, const struct tsl_gather_job *gather,
		  struct npyio_reader *indices, struct tsl_error *err)
{
	*t = (struct npyio_tuples){ .gather = gather, .indices = indices };
	npyio_mask_reader_init(&t->mask, gather->job.mask, indices);
	t->chunk = malloc(CHUNK);
	return t->chunk ? TSL_OK : tsl_no_memory(err);
}

void
npyio_tuples_close(struct npyio_tuples *t)
{
	npyio_mask_reader_close(&t->mask);
	free(t->chunk);
	t->chunk = NULL;
}

/* True elements [first, first + n) of a mask. */
static enum tsl_status
find_true(struct npyio_tuples *t, int64_t first, int64_t n, int64_t *row,
	  struct tsl_error *err)
{
	const struct tsl_mask *m = t->gather->job.mask;
	int64_t i = n > 0 ? tsl_mask_block(m, first) : 0;
	enum tsl_status status = TSL_OK;

	while (n > 0 && !status) {
		int64_t some = tsl_min(n, m->before[i + 1] - first);
		const uint64_t *bits;

		status = npyio_mask_block(&t->mask, i, &bits, err);
		if (!status)
			tsl_mask_rows(t->gather, bits, i * m->block,
				      first - m->before[i], some, row);
		row += some;
		first += some;
		n -= some;
		i++;
	}
	return status;
}

enum tsl_status
npyio_tuples_rows(struct npyio_tuples *t, int64_t first, int64_t n,
		  int64_t *row, struct tsl_error *err)
{
	const struct tsl_gather_job *g = t->gather;
	int64_t unwanted[MAX_CHUNK_TUPLES];
	int64_t tuple = g->depth * g->indices.dtype.size;
	int64_t most = tuple > 0 ? CHUNK / tuple : MAX_CHUNK_TUPLES;
	enum tsl_status status = TSL_OK;

	most = tsl_min(most, MAX_CHUNK_TUPLES);
	/* What is true is a place: there is nothing to prove. */
	if (g->job.mask)
		return row ? find_true(t, first, n, row, err) : TSL_OK;
	/* Without tuples to take every row is the table from its begin on. */
	if (!tsl_gather_job_has_indices(g)) {
		for (int64_t i = 0; row && i < n; i++)
			row[i] = tsl_array_offset(&g->job.in);
		return TSL_OK;
	}
	while (n > 0 && !status) {
		int64_t some = tsl_min(n, most);

		status = npyio_reader_read(t->indices, first * tuple,
					   some * tuple, t->chunk, err);
		if (!status)
			status = tsl_gather_job_rows(g, t->chunk, first, some,
						     row ? row : unwanted, err);
		if (status == TSL_EINDEX_OUT_OF_RANGE && err)
			err->subject = npyio_reader_name(t->indices);
		row += row ? some : 0;
		first += some;
		n -= some;
	}
	return status;
}
