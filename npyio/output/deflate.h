/*
 * deflate.h - bytes deflated by several threads
 *
 * The bytes are cut into blocks that are deflated each by itself, with the 32
 * KiB before it for a dictionary, and end at a whole byte: side by side they
 * are one stream.  Where they are cut, and so what comes out, does not depend
 * on the number of threads, but it does on whether ISA-L is there.
 */
#ifndef NPYIO_DEFLATE_H
#define NPYIO_DEFLATE_H

#include "lib/base/status.h"

#include <stddef.h>

struct npyio_deflate; /* owns some 3 MiB for each thread */

/* What came of it. */
struct npyio_deflated {
	int64_t size, packed; /* bytes: that were put, and that they became */
	uint32_t crc; /* of those that were put */
};

/*
 * npyio_deflate_open() is for what goes to the file 'fd', from 'offset' on, at
 * 'level', 1 to 9, by up to 'threads'.  Returns TSL_OK; TSL_EIO without a
 * library that deflates; TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE npyio_deflate_open(struct npyio_deflate **d_new,
						int fd, int64_t offset,
						int level, int threads,
						struct tsl_error *err);

/*
 * npyio_deflate_put() takes n bytes more, npyio_deflate_end() ends the stream.
 * Return TSL_OK; TSL_EIO, TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE npyio_deflate_put(struct npyio_deflate *d,
					       const void *bytes, size_t n,
					       struct tsl_error *err);
enum tsl_status TSL_MUST_USE npyio_deflate_end(struct npyio_deflate *d,
					       struct npyio_deflated *done,
					       struct tsl_error *err);
void npyio_deflate_close(struct npyio_deflate *d); /* NULL is allowed */

#endif /* NPYIO_DEFLATE_H */
