/*
 * progress.c - how far a command has come, on standard error
 *
 * A line may have to be written from a signal handler, so it is put together
 * from integers, without stdio, in memory of its own.
 */
#include "progress.h"

#include "cli/report/message.h"
#include "clock.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BAR_WIDTH 30
#define ERASE "\r\033[K" /* the line that the cursor is in */

/* Milliseconds. */
#define AUTO_AFTER 1000
#define BAR_EVERY 100
#define LINE_EVERY 1000

/* Of the thread that shows it; it has nothing else to do. */
#define STACK ((size_t)256 * 1024)

static struct {
	/* What is shown is so by a thread: whoever works may have to wait. */
	pthread_mutex_t lock; /* of these */
	pthread_cond_t change;
	bool has_thread, bar, lines;
	int64_t next; /* when something is to be shown again */
	/* Before the work begins, and then set once. */
	atomic_int_least64_t total;
	atomic_int_least64_t all; /* that the total stands for; or 0 */
	atomic_int_least64_t start; /* milliseconds */
	atomic_bool inputs; /* are what is counted, not bytes */
	atomic_bool open_end; /* nobody knows how many there are */
	atomic_int_least64_t done;
	atomic_bool shown;
} progress = { .lock = PTHREAD_MUTEX_INITIALIZER };

struct line {
	char s[200];
	size_t len;
};

static void
put(struct line *l, const char *s)
{
	while (*s && l->len < sizeof(l->s))
		l->s[l->len++] = *s++;
}

/* At least 'digits' of them. */
static void
put_number(struct line *l, int64_t n, int digits)
{
	char text[24];
	size_t at = sizeof(text) - 1;

	text[at] = '\0';
	for (; n > 0 || digits > 0; n /= 10, digits--)
		text[--at] = (char)('0' + n % 10);
	put(l, text + at);
}

static void
put_seconds(struct line *l, int64_t ms)
{
	put_number(l, ms / 1000, 1);
	put(l, ".");
	put_number(l, ms % 1000 / 100, 1);
	put(l, " s");
}

static int64_t
percent(int64_t done)
{
	/* 100 * done may be too large. */
	return progress.total > 0 ? (int64_t)(100.0 * (double)done /
					      (double)progress.total)
				  : 100;
}

/* As much of the whole as of the share, which is like the others'. */
static int64_t
of_all(int64_t done)
{
	return progress.all == 0 ? done
	       : done >= progress.total
		       ? progress.all
		       : (int64_t)((double)done / (double)progress.total *
				   (double)progress.all);
}

/* " 57 %, 3.2 s, 640.1 MB/s, 2.4 s left" */
static void
put_state(struct line *l, int64_t done)
{
	int64_t ms = clock_ms() - progress.start;
	int64_t rate = ms > 0 ? of_all(done) / ms : 0; /* KB a second */

	put(l, " ");
	if (!progress.open_end) {
		put_number(l, percent(done), 1);
		put(l, " %, ");
	}
	put_seconds(l, ms);
	put(l, ", ");
	if (progress.inputs) {
		put_number(l, ms > 0 ? done * 1000 / ms : 0, 1);
		put(l, " inputs/s");
		return;
	}
	put_number(l, rate / 1000, 1);
	put(l, ".");
	put_number(l, rate % 1000 / 100, 1);
	put(l, " MB/s");
	if (rate > 0) {
		put(l, ", ");
		put_seconds(l, (of_all(progress.total) - of_all(done)) / rate);
		put(l, " left");
	}
}

static void
write_line(const struct line *l)
{
	ssize_t ignored = write(STDERR_FILENO, l->s, l->len);

	(void)ignored;
}

static void
show_line(void)
{
	int64_t done = atomic_load(&progress.done);
	struct line l = { .len = 0 };

	/* Where the bar stands; it comes back. */
	if (atomic_load(&progress.shown))
		put(&l, ERASE);
	put(&l, message_command());
	if (atomic_load(&progress.start) == 0) {
		put(&l, ": waiting for input\n");
		write_line(&l);
		return;
	}
	put(&l, ": ");
	put_number(&l, of_all(done), 1);
	if (!progress.open_end) {
		put(&l, " of ");
		put_number(&l, of_all(progress.total), 1);
	}
	put(&l, progress.inputs ? " inputs," : " bytes,");
	put_state(&l, done);
	put(&l, "\n");
	write_line(&l);
}

static void
show_bar(void)
{
	int64_t done = atomic_load(&progress.done);
	int64_t filled =
		progress.open_end ? 0 : percent(done) * BAR_WIDTH / 100;
	struct line l = { .len = 0 };

	put(&l, "\r[");
	for (int i = 0; i < BAR_WIDTH; i++)
		put(&l, i < filled ? "=" : " ");
	put(&l, "]");
	if (progress.open_end) {
		put(&l, " ");
		put_number(&l, done, 1);
		put(&l, " inputs,");
	}
	put_state(&l, done);
	put(&l, "\033[K");
	write_line(&l);
}

static void
on_signal(int sig)
{
	int sys = errno;

	(void)sig;
	show_line();
	errno = sys;
}

void
progress_listen(void)
{
	struct sigaction old,
		sa = { .sa_handler = on_signal, .sa_flags = SA_RESTART };

	if (sigaction(SIGUSR1, NULL, &old) == 0 && old.sa_handler == SIG_DFL)
		sigaction(SIGUSR1, &sa, NULL);
}

/* ---- the thread that shows it -------------------------------------------- */

static void
show(void)
{
	if (progress.bar && atomic_load(&progress.start))
		show_bar();
	else
		show_line();
	atomic_store(&progress.shown,
		     progress.bar && atomic_load(&progress.start));
}

static void
wait_until(int64_t ms)
{
	struct timespec t = { .tv_sec = ms / 1000,
			      .tv_nsec = ms % 1000 * 1000000 };

	(void)pthread_cond_timedwait(&progress.change, &progress.lock, &t);
}

static void *
show_again_and_again(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&progress.lock);
	for (;;) {
		if (!progress.bar && !progress.lines) {
			pthread_cond_wait(&progress.change, &progress.lock);
		} else if (clock_ms() < progress.next) {
			wait_until(progress.next);
		} else {
			show();
			progress.next =
				clock_ms() + (progress.bar && progress.start
						      ? BAR_EVERY
						      : LINE_EVERY);
		}
	}
	return NULL;
}

/* Signals are for the others.  Without a thread nothing is shown. */
static void
start_thread(void)
{
	pthread_condattr_t clock;
	pthread_attr_t attr;
	sigset_t all, old;
	pthread_t thread;

	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&progress.change, &clock);
	pthread_condattr_destroy(&clock);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	progress.has_thread =
		pthread_create(&thread, &attr, show_again_and_again, NULL) == 0;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attr);
}

/* From 'first' on, in milliseconds, something is shown. */
static void
begin(bool bar, int64_t first)
{
	pthread_mutex_lock(&progress.lock);
	if (!progress.has_thread)
		start_thread();
	progress.bar = bar && progress.has_thread;
	progress.lines = !bar && progress.has_thread;
	progress.next = first;
	if (progress.has_thread)
		pthread_cond_signal(&progress.change);
	pthread_mutex_unlock(&progress.lock);
}

/* ---- for who works ------------------------------------------------------- */

void
progress_wait(const struct common_options *co)
{
	progress_listen();
	if (co->progress == PROGRESS_ALWAYS)
		begin(isatty(STDERR_FILENO), clock_ms() + LINE_EVERY);
}

void
progress_start(const struct common_options *co, int64_t total)
{
	bool is_auto = co->progress == PROGRESS_AUTO;
	bool terminal;
	int64_t start = clock_ms();

	atomic_fetch_add(&progress.total, total);
	if (atomic_load(&progress.start) == 0)
		atomic_store(&progress.start, start);
	else
		start = atomic_load(&progress.start);
	if (co->progress == PROGRESS_NEVER || (is_auto && co->quiet))
		return;
	terminal = isatty(STDERR_FILENO);
	if (terminal || !is_auto)
		begin(terminal,
		      start + (is_auto || !terminal ? AUTO_AFTER : 0));
}

void
progress_start_inputs(const struct common_options *co, int64_t total)
{
	progress.inputs = true;
	progress.open_end = total < 0;
	progress_start(co, total < 0 ? 0 : total);
}

void
progress_stands_for(int64_t all)
{
	atomic_store(&progress.all, all);
}

void
progress_add(int64_t nbytes)
{
	atomic_fetch_add(&progress.done, nbytes);
}

void
progress_end(void)
{
	struct line erase = { .len = 0 };

	pthread_mutex_lock(&progress.lock);
	put(&erase, ERASE);
	if (progress.bar && atomic_load(&progress.shown))
		write_line(&erase);
	else if (progress.lines && atomic_load(&progress.start))
		show_line();
	atomic_store(&progress.shown, false);
	progress.bar = progress.lines = false;
	pthread_mutex_unlock(&progress.lock);
}
