/*
 * ahead.h - a member that a thread of its own inflates, ahead of who takes it
 *
 * Inflating takes longer than all else that is done with the bytes: so it does
 * not wait for that.
 */
#ifndef NPYIO_AHEAD_H
#define NPYIO_AHEAD_H

#include "inflate.h"

struct npyio_ahead; /* a thread, and 1 MiB */

/*
 * npyio_ahead_open() goes on with a member, which is the thread's until
 * npyio_ahead_close().  Returns NULL where there is no thread to be had, or no
 * memory: nothing has changed then.
 */
struct npyio_ahead *npyio_ahead_open(struct npyio_inflate *z);
void npyio_ahead_close(struct npyio_ahead *a); /* NULL is allowed */

/* npyio_ahead_get() does, and returns, what npyio_inflate_get() does. */
enum tsl_status TSL_MUST_USE npyio_ahead_get(struct npyio_ahead *a, void *dst,
					     size_t n, size_t *got,
					     struct tsl_error *err);

#endif /* NPYIO_AHEAD_H */
