/*
 * queue.h - many inputs, dealt out to threads, and what became of each
 *
 * A message comes when all inputs before it are done, so that messages are in
 * the order of the inputs, whichever is done first.
 */
#ifndef CLI_QUEUE_H
#define CLI_QUEUE_H

#include "names.h"

struct queue; /* what is known of all of them */

struct queue_options {
	struct names_options names;
	int workers;
	int index, count; /* this process has one in 'count'; 0: all */
	const char *slice; /* what errors may have a place in; or NULL */
	void (*done)(int64_t n); /* so many more are; or NULL */
};

/*
 * queue_new() makes one, in '*queue_new', and queue_free() is due in any case.
 * Returns what names_open() does.
 */
enum tsl_status TSL_MUST_USE queue_new(struct queue **queue_new,
				       const struct queue_options *options,
				       struct tsl_error *err);
void queue_free(struct queue *q);

/*
 * queue_claim() is the next input for 'worker', or NULL where there are no more
 * to be begun.  No two that have one name are at work together, and
 * '*is_made' says that this run may have made a result of its name.
 */
const struct item *queue_claim(struct queue *q, int worker, bool *is_made);

/*
 * queue_take() gives the worker's input another key, that of the name its
 * result goes to in the end, unless an input has it, or a result.
 */
bool queue_take(struct queue *q, int worker, uint64_t key);

/*
 * queue_done() says what became of the worker's input; 'fatal': of all others
 * it would be the same, and none is begun any more.
 */
void queue_done(struct queue *q, int worker, enum tsl_status status,
		const struct tsl_error *err, bool fatal);

/*
 * Between queue_alone() and queue_together() no other worker is at work.
 */
void queue_alone(struct queue *q);
void queue_together(struct queue *q);

/*
 * queue_turn() waits until all inputs before the worker's are done, and no
 * other worker gets its turn before this one's is.
 */
void queue_turn(struct queue *q, int worker);

/*
 * queue_end() is for when all workers have found no more: the highest exit
 * status there was, and what was wrong with the list.
 */
enum tsl_status TSL_MUST_USE queue_end(struct queue *q, int *exit_status,
				       struct tsl_error *err);

#endif /* CLI_QUEUE_H */
