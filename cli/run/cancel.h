/*
 * cancel.h - now and then, whether a process that works with others is to end
 */
#ifndef CLI_CANCEL_H
#define CLI_CANCEL_H

#include <stdatomic.h>
#include <stdbool.h>

struct cancel {
	bool (*is_over)(const void *what); /* the look itself */
	const void *what;
	atomic_int_least64_t next; /* milliseconds: when it is due again */
	atomic_bool over; /* it was seen */
};

/*
 * is_cancelled() says whether it is over, as far as is known.  May be asked
 * between any two pieces of work, by any thread: few of the times there is a
 * look.
 */
bool is_cancelled(struct cancel *l);

#endif /* CLI_CANCEL_H */
