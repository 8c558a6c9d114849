/*
 * isal.h - ISA-L, which counts, inflates and deflates faster than zlib, where
 * it is there
 *
 * It is looked for when it is needed, and nothing but time is missed without
 * it.  Of what it finds wrong no more is said than that it is.
 */
#ifndef NPYIO_ISAL_H
#define NPYIO_ISAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

/*
 * npyio_isal_load() loads it, for good, if that has not been tried yet, and
 * returns whether it is there.  Whoever calls the others has called it before.
 */
bool npyio_isal_load(void);

/*
 * npyio_isal_crc() stores in '*crc', which it goes on from, the CRC-32 of n
 * bytes more; returns false, and does nothing, if the library is not loaded.
 */
bool npyio_isal_crc(uint32_t *crc, const void *bytes, size_t n);

struct npyio_isal; /* a deflated stream; 128 KiB */

/* npyio_isal_open() begins with one; NULL where that cannot be had. */
struct npyio_isal *npyio_isal_open(void);
void npyio_isal_close(struct npyio_isal *s); /* NULL is allowed */

/*
 * npyio_isal_inflate() does, and returns, what zlib's inflate() does with
 * Z_NO_FLUSH, and the same with the input and output of 'z'; but for next_in
 * at the end of the stream, where avail_in alone says what is left.
 */
int npyio_isal_inflate(struct npyio_isal *s, z_stream *z);

struct npyio_isal_deflate; /* 640 KiB, for a block at a time */

/*
 * npyio_isal_deflate_open() is for blocks at a level of its own, 1 or 2; NULL
 * where that cannot be had.
 */
struct npyio_isal_deflate *npyio_isal_deflate_open(int level);
void npyio_isal_deflate_close(struct npyio_isal_deflate *d); /* or NULL */

/*
 * npyio_isal_deflate() deflates the input of 'z', which may look back at the
 * 'before' bytes that lie before it, up to 32 KiB, as zlib's deflate() does
 * after a reset: with Z_FINISH if it is the last block, else with Z_SYNC_FLUSH.
 * Returns whether that is done, and there is room left in the output.
 */
bool npyio_isal_deflate(struct npyio_isal_deflate *d, z_stream *z,
			size_t before, bool is_last);

#endif /* NPYIO_ISAL_H */
