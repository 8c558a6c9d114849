/*
 * count_mask.h - an array of bools, read and counted; see lib/op/mask.h
 */
#ifndef NPYIO_COUNT_MASK_H
#define NPYIO_COUNT_MASK_H

#include "lib/op/mask.h"
#include "npyio/input/reader.h"

/*
 * npyio_mask_open() counts the true elements of 'in', of a dtype of one byte,
 * with up to 'threads'.  Its bits are held if there is room for them in a
 * quarter of 'max_memory', and then nothing of it is read again; else it is
 * kept by position.  In either case it is in C order from now on.
 * npyio_mask_close() is due in any case.
 *
 * Returns TSL_OK, or a status of the reader; TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE npyio_mask_open(struct tsl_mask *mask,
					     struct npyio_reader *in,
					     int threads, int64_t max_memory,
					     struct tsl_error *err);
void npyio_mask_close(struct tsl_mask *mask);

#endif /* NPYIO_COUNT_MASK_H */
