/*
 * inflate.h - the bytes of a deflated member of an archive, once and in order
 */
#ifndef NPYIO_INFLATE_H
#define NPYIO_INFLATE_H

#include "npyio/format/container.h"
#include "shared_descriptor.h"

struct npyio_inflate; /* 300 KiB until its end, whatever the member's size */

/*
 * npyio_inflate_open() begins with a member of a file, which stays the
 * caller's. Returns TSL_OK; TSL_EMEMORY; TSL_EIO, without zlib.
 */
enum tsl_status TSL_MUST_USE
npyio_inflate_open(struct npyio_inflate **inflate_new,
		   const struct npyio_shared_descriptor *file,
		   const struct npyio_member *m, struct tsl_error *err);
void npyio_inflate_close(struct npyio_inflate *z); /* NULL is allowed */

/*
 * npyio_inflate_rest() has one that may not be wanted for long, of which little
 * was taken, take no memory until then.
 */
void npyio_inflate_rest(struct npyio_inflate *z);

/*
 * npyio_inflate_get() stores the next n bytes; '*got' is less only where the
 * member ends.  With its last byte it is known whether all of them were right.
 *
 * Returns TSL_OK; TSL_EBAD_ARCHIVE for data that cannot be inflated, are more
 * or fewer than they should be, or have another CRC-32; TSL_EIO.
 */
enum tsl_status TSL_MUST_USE npyio_inflate_get(struct npyio_inflate *z,
					       void *dst, size_t n, size_t *got,
					       struct tsl_error *err);

#endif /* NPYIO_INFLATE_H */
