/*
 * cancel.c - now and then, whether a process that works with others is to end
 */
#include "cancel.h"

#include "clock.h"

/* Milliseconds: a thousand that look at a file are a load for its server. */
#define LOOK_EVERY 200

bool
is_cancelled(struct cancel *l)
{
	int64_t ms = clock_ms();
	int64_t next = atomic_load(&l->next);

	/* Of several threads one looks. */
	if (ms >= next &&
	    atomic_compare_exchange_strong(&l->next, &next, ms + LOOK_EVERY) &&
	    l->is_over(l->what))
		atomic_store(&l->over, true);
	return atomic_load(&l->over);
}
