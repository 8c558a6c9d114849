/*
 * workers.h - tasks by number, done by several threads
 */
#ifndef NPYIO_WORKERS_H
#define NPYIO_WORKERS_H

#include "lib/base/status.h"

#include <pthread.h>

/* However many are asked for: each has memory of its own. */
#define NPYIO_MAX_WORKERS 256

/*
 * A task does number i of the tasks of 'work'; 'worker' counts the threads
 * from 0, and is nobody else's meanwhile.
 */
typedef enum tsl_status npyio_task(void *work, int worker, int64_t i,
				   struct tsl_error *err);

/*
 * A release gives up what 'worker' holds, if anything; it may be asked to work
 * again.
 */
typedef void npyio_release(void *work, int worker);

/*
 * npyio_run_tasks() does tasks 0 to count - 1, begun in this order, with up to
 * 'workers' threads; the calling one, worker 0, is the first, and if no other
 * can be had it does them all.  The others release what they hold when they
 * end.  A task that finds no memory is done again, by worker 0, when it is the
 * only one left.
 *
 * Returns TSL_OK; or the failure of the lowest task that failed, after which no
 * further task was begun.
 */
enum tsl_status TSL_MUST_USE npyio_run_tasks(npyio_task *task,
					     npyio_release *release, void *work,
					     int64_t count, int workers,
					     struct tsl_error *err);

/* npyio_thread_start() starts one with a stack of so many bytes, if it can. */
bool npyio_thread_start(pthread_t *thread, size_t stack, void *(*run)(void *),
			void *arg);

#endif /* NPYIO_WORKERS_H */
