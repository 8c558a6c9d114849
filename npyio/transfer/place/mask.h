/*
 * mask.h - blocks of an array of bools, held or read; see lib/op/mask.h
 */
#ifndef NPYIO_MASK_H
#define NPYIO_MASK_H

#include "lib/op/mask.h"
#include "npyio/input/reader.h"

/* Elements that are read at once, at most; a block has so many, or more. */
#define NPYIO_MASK_PIECE ((int64_t)64 * 1024)

/* Blocks of a mask as one thread looks at them. */
struct npyio_mask_reader {
	const struct tsl_mask *mask;
	const struct npyio_reader *in;
	uint64_t *bits; /* of one block, where not all are held */
	char *bytes;
	int64_t block; /* which; < 0: none */
};

void npyio_mask_reader_init(struct npyio_mask_reader *r,
			    const struct tsl_mask *mask,
			    const struct npyio_reader *in);
void npyio_mask_reader_close(struct npyio_mask_reader *r);

/*
 * npyio_mask_block() is the bits of block i, from its first element on, until
 * the next call.  As many of them are set as were when they were counted.
 *
 * Returns TSL_OK; TSL_EIO, also where the file has changed; TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE npyio_mask_block(struct npyio_mask_reader *r,
					      int64_t i, const uint64_t **bits,
					      struct tsl_error *err);

#endif /* NPYIO_MASK_H */
