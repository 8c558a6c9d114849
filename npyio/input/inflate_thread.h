/*
 * inflate_thread.h - a member that a thread of its own inflates, ahead of who
 * takes it
 *
 * Inflating takes longer than all else that is done with the bytes: so it does
 * not wait for that.
 */
#ifndef NPYIO_INFLATE_THREAD_H
#define NPYIO_INFLATE_THREAD_H

#include "inflate.h"

struct npyio_inflate_thread; /* a thread, and 1 MiB */

/*
 * npyio_inflate_thread_open() goes on with a member, which is the thread's
 * until npyio_inflate_thread_close().  Returns NULL where there is no thread to
 * be had, or no memory: nothing has changed then.
 */
struct npyio_inflate_thread *npyio_inflate_thread_open(struct npyio_inflate *z);
void npyio_inflate_thread_close(
	struct npyio_inflate_thread *a); /* NULL is allowed */

/* npyio_inflate_thread_get() does, and returns, what npyio_inflate_get() does.
 */
enum tsl_status TSL_MUST_USE
npyio_inflate_thread_get(struct npyio_inflate_thread *a, void *dst, size_t n,
			 size_t *got, struct tsl_error *err);

#endif /* NPYIO_INFLATE_THREAD_H */
