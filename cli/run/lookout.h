/*
 * lookout.h - now and then, whether there is still something to be made
 */
#ifndef CLI_LOOKOUT_H
#define CLI_LOOKOUT_H

#include <stdatomic.h>
#include <stdbool.h>

struct lookout {
	bool (*is_over)(const void *what); /* the look itself */
	const void *what;
	atomic_int_least64_t next; /* milliseconds: when it is due again */
	atomic_bool over; /* it was seen */
};

/*
 * lookout_is_over() says whether it is over, as far as is known.  May be asked
 * between any two pieces of work, by any thread: few of the times there is a
 * look.
 */
bool lookout_is_over(struct lookout *l);

#endif /* CLI_LOOKOUT_H */
