/*
 * inflate_thread.c - a member that a thread of its own inflates, ahead of who
 * takes it
 */
#include "inflate_thread.h"

#include "npyio/file/workers.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Enough for one to be made while others are written at once. */
#define NBLOCKS 4
#define BLOCK ((size_t)256 * 1024)

/* Inflating needs little of it. */
#define STACK_NBYTES ((size_t)256 * 1024)

struct npyio_inflate_thread {
	struct npyio_inflate *z; /* the thread's */
	pthread_t thread;
	size_t begin; /* in the first block, of what has not been taken */

	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t changed;
	size_t made, taken; /* blocks, counted on */
	size_t nbytes[NBLOCKS];
	bool ended; /* no block will be made */
	bool unwanted; /* nor is any to be */
	enum tsl_status status; /* what ended it */
	struct tsl_error err;

	char bytes[NBLOCKS][BLOCK];
};

/* ---- the thread ---------------------------------------------------------- */

/* Waits for a block to be free; false: no more are wanted. */
static bool
wait_for_room(struct npyio_inflate_thread *a)
{
	bool wanted;

	pthread_mutex_lock(&a->lock);
	while (a->made - a->taken == NBLOCKS && !a->unwanted)
		pthread_cond_wait(&a->changed, &a->lock);
	wanted = !a->unwanted;
	pthread_mutex_unlock(&a->lock);
	return wanted;
}

static void
publish(struct npyio_inflate_thread *a, size_t n, enum tsl_status status,
	const struct tsl_error *err)
{
	pthread_mutex_lock(&a->lock);
	a->nbytes[a->made % NBLOCKS] = n;
	a->made += n > 0;
	a->ended = status || n < BLOCK;
	a->status = status;
	if (status)
		a->err = *err;
	pthread_cond_signal(&a->changed);
	pthread_mutex_unlock(&a->lock);
}

static void *
run(void *arg)
{
	struct npyio_inflate_thread *a = arg;
	enum tsl_status status = TSL_OK;
	struct tsl_error err;
	size_t n = BLOCK;

	for (size_t i = 0; !status && n == BLOCK && wait_for_room(a); i++) {
		status = npyio_inflate_get(a->z, a->bytes[i % NBLOCKS], BLOCK,
					   &n, &err);
		publish(a, status ? 0 : n, status, &err);
	}
	return NULL;
}

struct npyio_inflate_thread *
npyio_inflate_thread_open(struct npyio_inflate *z)
{
	struct npyio_inflate_thread *a = malloc(sizeof(*a));

	if (!a)
		return NULL;
	memset(a, 0, sizeof(*a) - sizeof(a->bytes));
	a->z = z;
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->changed, NULL);
	if (npyio_thread_start(&a->thread, STACK_NBYTES, run, a))
		return a;
	free(a);
	return NULL;
}

void
npyio_inflate_thread_close(struct npyio_inflate_thread *a)
{
	if (!a)
		return;
	pthread_mutex_lock(&a->lock);
	a->unwanted = true;
	pthread_cond_signal(&a->changed);
	pthread_mutex_unlock(&a->lock);
	pthread_join(a->thread, NULL);
	pthread_cond_destroy(&a->changed);
	pthread_mutex_destroy(&a->lock);
	free(a);
}

/* ---- who takes it -------------------------------------------------------- */

/* Waits for a block; false: there are no more. */
static bool
wait_for_block(struct npyio_inflate_thread *a, size_t *nbytes)
{
	bool is_there;

	pthread_mutex_lock(&a->lock);
	while (a->made == a->taken && !a->ended)
		pthread_cond_wait(&a->changed, &a->lock);
	is_there = a->made > a->taken;
	*nbytes = a->nbytes[a->taken % NBLOCKS];
	pthread_mutex_unlock(&a->lock);
	return is_there;
}

static void
give_back(struct npyio_inflate_thread *a)
{
	pthread_mutex_lock(&a->lock);
	a->taken++;
	pthread_cond_signal(&a->changed);
	pthread_mutex_unlock(&a->lock);
	a->begin = 0;
}

enum tsl_status
npyio_inflate_thread_get(struct npyio_inflate_thread *a, void *dst, size_t n,
			 size_t *got, struct tsl_error *err)
{
	size_t have;

	for (*got = 0; *got < n;) {
		size_t part;

		if (!wait_for_block(a, &have))
			break;
		part = n - *got < have - a->begin ? n - *got : have - a->begin;
		memcpy((char *)dst + *got,
		       a->bytes[a->taken % NBLOCKS] + a->begin, part);
		*got += part;
		a->begin += part;
		if (a->begin == have)
			give_back(a);
	}
	if (*got == n || !a->status)
		return TSL_OK;
	if (err)
		*err = a->err;
	return a->status;
}
