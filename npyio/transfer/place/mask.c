/*
 * mask.c - blocks of an array of bools, held or read
 */
#include "mask.h"

#include "lib/base/minmax.h"
#include "lib/kernel/bits.h"

#include <stdlib.h>

#define PIECE NPYIO_MASK_PIECE

static enum tsl_status
no_memory(struct tsl_error *err)
{
	return tsl_fail(err, TSL_EMEMORY, "out of memory for a mask");
}

void
npyio_mask_reader_init(struct npyio_mask_reader *r, const struct tsl_mask *mask,
		       const struct npyio_reader *in)
{
	*r = (struct npyio_mask_reader){ .mask = mask, .in = in, .block = -1 };
}

void
npyio_mask_reader_close(struct npyio_mask_reader *r)
{
	free(r->bits);
	free(r->bytes);
	r->bits = NULL;
	r->bytes = NULL;
	r->block = -1;
}

static enum tsl_status
changed(const struct npyio_mask_reader *r, struct tsl_error *err)
{
	return tsl_about(
		tsl_fail(err, TSL_EIO, "the mask changed while being read"),
		npyio_reader_name(r->in), err);
}

static enum tsl_status
read_block(struct npyio_mask_reader *r, int64_t i, struct tsl_error *err)
{
	const struct tsl_mask *m = r->mask;
	int64_t first = i * m->block;
	int64_t n = tsl_min(m->block, m->n - first);
	int64_t count = 0;
	enum tsl_status status = TSL_OK;

	if (!r->bits)
		r->bits = malloc((size_t)(m->block / TSL_BITS_WORD) *
				 sizeof(*r->bits));
	if (!r->bytes)
		r->bytes = malloc((size_t)PIECE);
	if (!r->bits || !r->bytes)
		return no_memory(err);
	for (int64_t at = 0; at < n && !status; at += PIECE) {
		int64_t some = tsl_min(PIECE, n - at);

		status = npyio_reader_read(r->in, first + at, some, r->bytes,
					   err);
		if (!status)
			count += tsl_bits_pack(r->bits + at / TSL_BITS_WORD,
					       r->bytes, some);
	}
	if (!status && count != m->before[i + 1] - m->before[i])
		return changed(r, err);
	return status;
}

enum tsl_status
npyio_mask_block(struct npyio_mask_reader *r, int64_t i, const uint64_t **bits,
		 struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;

	if (r->mask->bits) {
		*bits = r->mask->bits + i * (r->mask->block / TSL_BITS_WORD);
		return TSL_OK;
	}
	if (r->block != i) {
		r->block = -1;
		status = read_block(r, i, err);
	}
	if (!status)
		r->block = i;
	*bits = r->bits;
	return status;
}
