/*
 * cleanup.c - what is left to do when a signal ends the process
 *
 * Handlers may call nothing that allocates or locks, and see only what stands
 * in these variables.  They are set with the signals blocked in that thread,
 * and inside a critical section, for another thread may be in a handler.
 */
#include "cleanup.h"

#include "critical_section.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What ends no process by default, or cannot be caught. */
static const int harmless[] = { SIGKILL, SIGSTOP, SIGTSTP, SIGTTIN,  SIGTTOU,
				SIGCONT, SIGCHLD, SIGURG,  SIGWINCH, SIGBUS };

/* One for each thread that makes a file. */
#define MAX_TEMPS 64

static struct temp {
	atomic_flag taken;
	const char *volatile name; /* NULL: nothing is to be removed */
	volatile int dir;
} temps[MAX_TEMPS];

static volatile bool cuts;
static volatile int cut_fd;
static volatile int64_t cut_size;
static _Thread_local sigset_t saved_mask;

struct line {
	char *s; /* may be NULL */
	size_t len;
};

/* One for each thread that looks at a file, and some. */
#define MAX_GUARDS 512

static struct guard {
	atomic_flag taken;
	atomic_uintptr_t base, end; /* both 0: nothing is mapped */
	int fd; /* of the file */
	atomic_int_least64_t size; /* that it has to have */
	struct line shrunk, failed;
} guards[MAX_GUARDS];

static npyio_cleanup_line *line_for;
static atomic_flag said = ATOMIC_FLAG_INIT;

static void
cut(void)
{
	while (ftruncate(cut_fd, cut_size) != 0 && errno == EINTR)
		;
}

/*
 * Not before everybody has ended what they are at: who still writes would make
 * a file that was cut long again.  Nothing can be done if it fails.
 */
static void
clean_up(void)
{
	npyio_critical_shut();
	for (int i = 0; i < MAX_TEMPS; i++)
		if (temps[i].name)
			unlinkat(temps[i].dir, temps[i].name, 0);
	if (cuts)
		cut();
}

/* From here on 'sig' kills, as soon as this thread lets it in. */
static void
kill_by(int sig)
{
	signal(sig, SIG_DFL);
	raise(sig);
}

/*
 * Other threads may be in this handler too, and each removes the file: no
 * signal kills before one of them is done with it.
 */
static void
on_fatal(int sig)
{
	clean_up();
	kill_by(sig);
}

/* A page that is not there: the file has become shorter, or the disk failed. */
static void
report_failure(const struct guard *g)
{
	const struct line *line = &g->failed;
	struct stat st;
	ssize_t ignored;

	if (fstat(g->fd, &st) == 0 && st.st_size < atomic_load(&g->size))
		line = &g->shrunk;
	ignored = write(STDERR_FILENO, line->s, line->len);
	(void)ignored;
}

static void
on_bus(int sig, siginfo_t *info, void *context)
{
	uintptr_t at = (uintptr_t)info->si_addr;

	(void)context;
	clean_up();
	/* Of a signal that somebody sent this is no address. */
	for (int i = 0; i < MAX_GUARDS && info->si_code > 0; i++) {
		const struct guard *g = &guards[i];

		if (at >= atomic_load(&g->base) && at < atomic_load(&g->end)) {
			/* Another thread is saying it, and ends the process. */
			while (atomic_flag_test_and_set(&said))
				pause();
			report_failure(g);
			_exit(4);
		}
	}
	kill_by(sig);
}

static void
set_bus_handler(void)
{
	struct sigaction sa = { .sa_sigaction = on_bus,
				.sa_flags = SA_SIGINFO };

	sigfillset(&sa.sa_mask);
	sigaction(SIGBUS, &sa, NULL);
}

static bool
is_harmless(int sig)
{
	for (size_t i = 0; i < sizeof(harmless) / sizeof(harmless[0]); i++)
		if (sig == harmless[i])
			return true;
	return false;
}

/* Called with all signals blocked, so that none meets a handler for another. */
static void
install_handlers(void)
{
	static bool installed;
	struct sigaction old, sa = { .sa_handler = on_fatal };

	if (installed)
		return;
	installed = true;
	sigfillset(&sa.sa_mask);
	for (int sig = 1; sig <= SIGRTMAX; sig++)
		if (!is_harmless(sig) && sigaction(sig, &sa, &old) == 0 &&
		    ((old.sa_flags & SA_SIGINFO) || old.sa_handler != SIG_DFL))
			sigaction(sig, &old, NULL);
	/* As if somebody had sent it, unless a file is being looked at. */
	if (sigaction(SIGBUS, NULL, &old) == 0 && old.sa_handler == SIG_DFL)
		set_bus_handler();
}

void
npyio_cleanup_begin(void)
{
	sigset_t set;

	sigfillset(&set);
	pthread_sigmask(SIG_BLOCK, &set, &saved_mask);
	npyio_critical_enter();
}

void
npyio_cleanup_end(void)
{
	npyio_critical_leave();
	pthread_sigmask(SIG_SETMASK, &saved_mask, NULL);
}

void
npyio_cleanup_catch(void)
{
	npyio_cleanup_begin();
	install_handlers();
	npyio_cleanup_end();
}

void
npyio_cleanup_arm(int dir, const char *name)
{
	install_handlers();
	for (int i = 0; i < MAX_TEMPS; i++) {
		struct temp *t = &temps[i];

		if (atomic_flag_test_and_set(&t->taken))
			continue;
		t->dir = dir;
		t->name = name;
		return;
	}
}

void
npyio_cleanup_disarm(const char *name)
{
	for (int i = 0; i < MAX_TEMPS; i++) {
		struct temp *t = &temps[i];

		if (t->name != name)
			continue;
		t->name = NULL;
		atomic_flag_clear(&t->taken);
	}
}

void
npyio_cleanup_arm_cut(int fd, int64_t size)
{
	install_handlers();
	cut_fd = fd;
	cut_size = size;
	cuts = true;
}

void
npyio_cleanup_disarm_cut(void)
{
	cuts = false;
}

void
npyio_cleanup_cut(void)
{
	if (cuts)
		cut();
	cuts = false;
}

void
npyio_cleanup_describe(npyio_cleanup_line *line_new)
{
	line_for = line_new;
}

static void
describe(struct line *line, const char *name, enum npyio_fault fault)
{
	line->s = line_for ? line_for(name, fault) : NULL;
	line->len = line->s ? strlen(line->s) : 0;
}

int
npyio_cleanup_guard_new(const char *name, int fd, bool writes)
{
	for (int i = 0; i < MAX_GUARDS; i++) {
		struct guard *g = &guards[i];

		if (atomic_flag_test_and_set(&g->taken))
			continue;
		describe(&g->shrunk, name, NPYIO_FAULT_SHRUNK);
		describe(&g->failed, name,
			 writes ? NPYIO_FAULT_WRITE : NPYIO_FAULT_READ);
		g->fd = fd;
		set_bus_handler();
		return i + 1;
	}
	return 0;
}

void
npyio_cleanup_guard(int guard, const void *base, size_t n, int64_t size)
{
	struct guard *g = &guards[guard - 1];

	atomic_store(&g->end, 0);
	atomic_store(&g->size, size);
	atomic_store(&g->base, (uintptr_t)base);
	if (base)
		atomic_store(&g->end, (uintptr_t)base + n);
}

void
npyio_cleanup_guard_free(int guard)
{
	struct guard *g;

	if (guard == 0)
		return;
	g = &guards[guard - 1];
	npyio_cleanup_guard(guard, NULL, 0, 0);
	free(g->shrunk.s);
	free(g->failed.s);
	atomic_flag_clear(&g->taken);
}
