/*
 * workers.c - tasks by number, done by several threads
 */
#include "workers.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct pool {
	npyio_task *task;
	void *work;
	int64_t count;
	atomic_int_least64_t next;
	atomic_bool failed;
	pthread_mutex_t lock; /* of status and err */
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

static void *
work(void *arg)
{
	struct worker *w = arg;
	struct pool *p = w->pool;

	while (!atomic_load(&p->failed)) {
		int64_t i = atomic_fetch_add(&p->next, 1);
		enum tsl_status status;
		struct tsl_error err;

		if (i >= p->count)
			break;
		status = p->task(p->work, w->number, i, &err);
		if (status)
			record_failure(p, i, status, &err);
	}
	return NULL;
}

enum tsl_status
npyio_run_tasks(npyio_task *task, void *task_work, int64_t count, int workers,
		struct tsl_error *err)
{
	struct pool pool = { .task = task,
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
		if (pthread_create(&w[started].thread, NULL, work,
				   &w[started]) != 0)
			break;
		started++;
	}
	w[0] = (struct worker){ .pool = &pool };
	work(&w[0]);
	while (started > 1)
		pthread_join(w[--started].thread, NULL);
	return pool.status;
}
