/*
 * workers.c - tasks by number, done by several threads
 */
#include "workers.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct pool {
	npyio_task *task;
	npyio_release *release;
	void *work;
	int64_t count;
	atomic_int_least64_t next;
	atomic_bool failed;
	pthread_mutex_t lock; /* of what follows */
	int64_t returned[NPYIO_MAX_WORKERS]; /* by workers without memory */
	int nreturned;
	bool alone; /* worker 0 is the only one left */
	int64_t failed_task; /* the lowest, with what came of it */
	enum tsl_status status;
	struct tsl_error *err;
};

struct worker {
	struct pool *pool;
	int number;
	pthread_t thread;
};

/*
 * Tasks before it have all been begun, and will be done: what is reported does
 * not depend on who was faster.
 */
static void
record_failure(struct pool *p, int64_t i, enum tsl_status status,
	       const struct tsl_error *err)
{
	pthread_mutex_lock(&p->lock);
	if (!p->status || i < p->failed_task) {
		p->failed_task = i;
		p->status = status;
		if (p->err)
			*p->err = *err;
	}
	pthread_mutex_unlock(&p->lock);
	atomic_store(&p->failed, true);
}

/* For worker 0 to do, from the start, when the others have released theirs. */
static void
give_back(struct pool *p, int worker, int64_t i)
{
	p->release(p->work, worker);
	pthread_mutex_lock(&p->lock);
	p->returned[p->nreturned++] = i;
	pthread_mutex_unlock(&p->lock);
}

/* Returns whether the worker can go on. */
static bool
do_task(struct worker *w, int64_t i)
{
	struct pool *p = w->pool;
	struct tsl_error err;
	enum tsl_status status = p->task(p->work, w->number, i, &err);

	if (status == TSL_EMEMORY && !p->alone)
		give_back(p, w->number, i);
	else if (status)
		record_failure(p, i, status, &err);
	return !status;
}

static void *
work(void *arg)
{
	struct worker *w = arg;
	struct pool *p = w->pool;
	int64_t i = 0;

	while (!atomic_load(&p->failed) &&
	       (i = atomic_fetch_add(&p->next, 1)) < p->count)
		if (!do_task(w, i))
			break;
	if (w->number > 0)
		p->release(p->work, w->number);
	return NULL;
}

/* Deep enough for any task, and so much smaller than what is usual. */
#define STACK_NBYTES ((size_t)1024 * 1024)

bool
npyio_thread_start(pthread_t *thread, size_t stack, void *(*run)(void *),
		   void *arg)
{
	pthread_attr_t attr;
	bool started;

	if (pthread_attr_init(&attr) != 0)
		return false;
	started = pthread_attr_setstacksize(&attr, stack) == 0 &&
		  pthread_create(thread, &attr, run, arg) == 0;
	pthread_attr_destroy(&attr);
	return started;
}

enum tsl_status
npyio_run_tasks(npyio_task *task, npyio_release *release, void *task_work,
		int64_t count, int workers, struct tsl_error *err)
{
	struct pool pool = { .task = task,
			     .release = release,
			     .work = task_work,
			     .count = count,
			     .lock = PTHREAD_MUTEX_INITIALIZER,
			     .err = err };
	struct worker w[NPYIO_MAX_WORKERS];
	int started = 1;

	while (started < workers && started < count &&
	       started < NPYIO_MAX_WORKERS) {
		w[started] =
			(struct worker){ .pool = &pool, .number = started };
		if (!npyio_thread_start(&w[started].thread, STACK_NBYTES, work,
					&w[started]))
			break;
		started++;
	}
	w[0] = (struct worker){ .pool = &pool };
	work(&w[0]);
	while (started > 1)
		pthread_join(w[--started].thread, NULL);
	pool.alone = true;
	while (pool.nreturned > 0 && !atomic_load(&pool.failed))
		do_task(&w[0], pool.returned[--pool.nreturned]);
	/* What is left where all had to stop. */
	work(&w[0]);
	return pool.status;
}
