/*
 * queue.c - many inputs, dealt out to threads, and what became of each
 */
#include "queue.h"

#include "cli/report/message.h"
#include "name_set.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* With so many messages waiting for one input, all others do too. */
#define MAX_WAITING 1000

struct slot {
	struct item item;
	bool active;
};

/* A message, until its turn comes. */
struct waiting {
	struct waiting *next; /* of a higher number */
	int64_t number;
	struct tsl_error err;
	char subject[]; /* of it */
};

struct queue {
	struct queue_options options;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	int sleepers; /* who wait for that */
	struct names *names;
	struct name_set made;
	struct slot *slot; /* of each worker */
	int busy; /* workers that are at work */
	bool alone; /* one of them wants to be alone, or is */
	struct waiting *waiting;
	int nwaiting;
	int highest; /* exit status */
	bool ended; /* no more inputs */
	enum tsl_status status; /* of the list */
	struct tsl_error err;
};

enum tsl_status
queue_new(struct queue **queue_new, const struct queue_options *options,
	  struct tsl_error *err)
{
	struct queue *q = *queue_new = calloc(1, sizeof(*q));

	if (!q)
		return tsl_no_memory(err);
	q->options = *options;
	pthread_mutex_init(&q->lock, NULL);
	pthread_cond_init(&q->changed, NULL);
	q->slot = calloc((size_t)options->workers, sizeof(*q->slot));
	if (!q->slot)
		return tsl_no_memory(err);
	return names_open(&q->names, &options->names, err);
}

void
queue_free(struct queue *q)
{
	if (!q)
		return;
	for (int i = 0; q->slot && i < q->options.workers; i++)
		names_free_item(&q->slot[i].item);
	free(q->slot);
	names_close(q->names);
	name_set_free(&q->made);
	pthread_cond_destroy(&q->changed);
	pthread_mutex_destroy(&q->lock);
	free(q);
}

static void
wait_for_change(struct queue *q)
{
	q->sleepers++;
	pthread_cond_wait(&q->changed, &q->lock);
	q->sleepers--;
}

static void
tell_change(struct queue *q)
{
	if (q->sleepers > 0)
		pthread_cond_broadcast(&q->changed);
}

/* ---- messages ------------------------------------------------------------ */

static int64_t
first_active(const struct queue *q)
{
	int64_t first = INT64_MAX;

	for (int i = 0; i < q->options.workers; i++)
		if (q->slot[i].active && q->slot[i].item.number < first)
			first = q->slot[i].item.number;
	return first;
}

/* Those before which nothing can come any more. */
static void
tell_those_due(struct queue *q)
{
	int64_t first = q->waiting ? first_active(q) : 0;

	while (q->waiting && q->waiting->number < first) {
		struct waiting *w = q->waiting;

		message_error(&w->err, q->options.slice);
		q->waiting = w->next;
		q->nwaiting--;
		free(w);
	}
}

static void
add_message(struct queue *q, const struct item *item,
	    const struct tsl_error *err)
{
	const char *subject = err->subject ? err->subject : item->shown.s;
	size_t n = strlen(subject) + 1;
	struct waiting *w = malloc(sizeof(*w) + n);
	struct waiting **at = &q->waiting;

	if (!w) {
		/* Out of turn is better than not at all. */
		message_error(err, q->options.slice);
		return;
	}
	w->number = item->number;
	w->err = *err;
	memcpy(w->subject, subject, n);
	w->err.subject = w->subject;
	while (*at && (*at)->number < w->number)
		at = &(*at)->next;
	w->next = *at;
	*at = w;
	q->nwaiting++;
}

/* ---- inputs -------------------------------------------------------------- */

static bool
is_ours(const struct queue *q, const struct item *item)
{
	return q->options.count <= 1 || item->status ||
	       (int)(item->share % (uint64_t)q->options.count) ==
		       q->options.index;
}

/* What is wrong with its name alone is said by the first process. */
static bool
is_for_others(const struct queue *q, const struct item *item)
{
	return !is_ours(q, item) || (item->status && q->options.index > 0);
}

static bool
next_item(struct queue *q, struct item *item)
{
	bool more = false;

	while (!q->ended) {
		q->status = names_next(q->names, item, &more, &q->err);
		q->ended = !more;
		if (more && !is_for_others(q, item))
			return true;
		if (more)
			names_release(item);
	}
	return false;
}

static bool
is_at_work(const struct queue *q, const struct slot *mine)
{
	for (int i = 0; i < q->options.workers; i++) {
		const struct slot *s = &q->slot[i];

		if (s != mine && s->active && s->item.key == mine->item.key &&
		    s->item.number < mine->item.number)
			return true;
	}
	return false;
}

const struct item *
queue_claim(struct queue *q, int worker, bool *is_made)
{
	struct slot *mine = &q->slot[worker];

	pthread_mutex_lock(&q->lock);
	while (q->alone || (q->nwaiting >= MAX_WAITING && !q->ended))
		wait_for_change(q);
	mine->active = next_item(q, &mine->item);
	while (mine->active && (q->alone || is_at_work(q, mine)))
		wait_for_change(q);
	q->busy += mine->active;
	*is_made = mine->active && name_set_has(&q->made, mine->item.key);
	if (!mine->active)
		tell_those_due(q);
	pthread_mutex_unlock(&q->lock);
	return mine->active ? &mine->item : NULL;
}

bool
queue_take(struct queue *q, int worker, uint64_t key)
{
	struct slot *mine = &q->slot[worker];
	bool taken;

	pthread_mutex_lock(&q->lock);
	taken = name_set_has(&q->made, key);
	for (int i = 0; i < q->options.workers; i++)
		taken |= &q->slot[i] != mine && q->slot[i].active &&
			 q->slot[i].item.key == key;
	if (!taken)
		mine->item.key = key;
	pthread_mutex_unlock(&q->lock);
	return !taken;
}

static void
note_failure(struct queue *q, const struct item *item, enum tsl_status status,
	     const struct tsl_error *err)
{
	int exit_status = tsl_status_exit(status);

	if (exit_status > q->highest)
		q->highest = exit_status;
	add_message(q, item, err);
}

void
queue_done(struct queue *q, int worker, enum tsl_status status,
	   const struct tsl_error *err, bool fatal)
{
	struct slot *mine = &q->slot[worker];
	struct tsl_error no_memory;

	pthread_mutex_lock(&q->lock);
	if (status)
		note_failure(q, &mine->item, status, err);
	else if (name_set_add(&q->made, mine->item.key, &no_memory))
		note_failure(q, &mine->item, TSL_EMEMORY, &no_memory);
	q->ended = q->ended || fatal;
	names_release(&mine->item);
	mine->active = false;
	q->busy--;
	tell_those_due(q);
	tell_change(q);
	pthread_mutex_unlock(&q->lock);
	if (q->options.done)
		q->options.done(1);
}

void
queue_alone(struct queue *q)
{
	pthread_mutex_lock(&q->lock);
	q->busy--;
	tell_change(q);
	while (q->alone)
		wait_for_change(q);
	q->alone = true;
	while (q->busy > 0)
		wait_for_change(q);
	pthread_mutex_unlock(&q->lock);
}

void
queue_together(struct queue *q)
{
	pthread_mutex_lock(&q->lock);
	q->alone = false;
	q->busy++;
	tell_change(q);
	pthread_mutex_unlock(&q->lock);
}

/* Who waits is not at work: one before it may want to be alone. */
void
queue_turn(struct queue *q, int worker)
{
	const struct slot *mine = &q->slot[worker];

	pthread_mutex_lock(&q->lock);
	q->busy--;
	tell_change(q);
	while (q->alone || first_active(q) < mine->item.number)
		wait_for_change(q);
	q->busy++;
	pthread_mutex_unlock(&q->lock);
}

enum tsl_status
queue_end(struct queue *q, int *exit_status, struct tsl_error *err)
{
	*exit_status = q->highest;
	if (q->status)
		*err = q->err;
	return q->status;
}
