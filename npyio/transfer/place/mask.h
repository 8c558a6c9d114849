/*
 * mask.h - an array of bools, read and counted; see lib/op/mask.h
 */
#ifndef NPYIO_MASK_H
#define NPYIO_MASK_H

#include "lib/op/mask.h"
#include "npyio/input/reader.h"

/*
 * npyio_mask_open() counts the true elements of 'in', of a dtype of one byte,
 * with up to 'threads'.  Its bits are held if there is room for them in an
 * eighth of 'max_memory', and then nothing of it is read again; else it is kept
 * by position.  In either case it is in C order from now on.
 * npyio_mask_close() is due in any case.
 *
 * Returns TSL_OK, or a status of the reader; TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE npyio_mask_open(struct tsl_mask *mask,
					     struct npyio_reader *in,
					     int threads, int64_t max_memory,
					     struct tsl_error *err);
void npyio_mask_close(struct tsl_mask *mask);

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
