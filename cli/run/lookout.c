/*
 * lookout.c - now and then, whether there is still something to be made
 */
#include "lookout.h"

#include "clock.h"

/* Milliseconds: a thousand that look at a file are a load for its server. */
#define LOOK_EVERY 200

bool
lookout_is_over(struct lookout *l)
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
