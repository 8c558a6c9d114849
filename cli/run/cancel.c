/*
 * cancel.c - now and then, whether a process that works with others is to end
 */
#include "cancel.h"

#include "clock.h"

#include <stdatomic.h>

/* Milliseconds: a thousand that look at a file are a load for its server. */
#define LOOK_EVERY 200

static struct {
	bool (*is_over)(const void *what);
	const void *what;
	atomic_int_least64_t next; /* milliseconds: when it is due again */
	atomic_bool over; /* it was seen */
} watched;

void
cancel_watch(bool (*is_over)(const void *what), const void *what)
{
	watched.is_over = is_over;
	watched.what = what;
}

bool
is_cancelled(void)
{
	int64_t ms = clock_ms();
	int64_t next = atomic_load(&watched.next);

	/* Of several threads one looks. */
	if (ms >= next &&
	    atomic_compare_exchange_strong(&watched.next, &next,
					   ms + LOOK_EVERY) &&
	    watched.is_over(watched.what))
		atomic_store(&watched.over, true);
	return atomic_load(&watched.over);
}

bool
was_cancelled(void)
{
	return atomic_load(&watched.over);
}
