/*
 * many_work.h - one of many inputs after the other: what a worker does
 *
 * A small input is read with its header, in one call; the plan for one that has
 * the same header is made already.  A small result is made in memory, and
 * written in one call.  All else goes the way of a single input.
 */
#ifndef CLI_MANY_WORK_H
#define CLI_MANY_WORK_H

#include "cli/many/queue.h"
#include "cli/many/target.h"
#include "invocation.h"

/* What all workers share. */
struct many {
	const struct invocation *c;
	struct queue *queue;
	struct target target; /* not open where files are written in place */
	const struct inputs *shared; /* the operands that are read once */
	int workers;
	int64_t max_memory; /* of all */
};

struct many_worker; /* what one has for itself */

/* many_worker_new() makes one.  Returns TSL_OK; TSL_EMEMORY, TSL_EIO. */
enum tsl_status TSL_MUST_USE many_worker_new(struct many_worker **worker_new,
					     struct many *m, int number,
					     struct tsl_error *err);
void many_worker_free(struct many_worker *w); /* NULL is allowed */

/*
 * many_work() makes the result of an input.  Returns TSL_OK, or what is wrong
 * with it; '*fatal': with all of them.
 */
enum tsl_status TSL_MUST_USE many_work(struct many_worker *w,
				       const struct item *item, bool is_made,
				       bool *fatal, struct tsl_error *err);

#endif /* CLI_MANY_WORK_H */
