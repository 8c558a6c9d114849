/*
 * cleanup.c - what is left to do when a signal ends the process
 *
 * Handlers may call nothing that allocates or locks, and see only what stands
 * in these variables; they are set with the signals blocked.
 */
#include "cleanup.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* All that end a process by default, may be caught, and are no fault in it. */
static const int fatal[] = { SIGHUP,    SIGINT,  SIGTERM, SIGQUIT,
			     SIGXFSZ,   SIGXCPU, SIGPIPE, SIGALRM,
			     SIGVTALRM, SIGPROF, SIGUSR2, SIGPOLL };

static const char *volatile temp_path;
static sigset_t saved_mask;

/* One for each thread that looks at a file, and some. */
#define MAX_GUARDS 512

static struct guard {
	atomic_flag taken;
	atomic_uintptr_t base, end; /* both 0: nothing is mapped */
	char *line; /* may be NULL */
	size_t len;
} guards[MAX_GUARDS];

static char *(*line_for)(const char *name);
static atomic_flag said = ATOMIC_FLAG_INIT;

static void
remove_temp(void)
{
	const char *path = temp_path;

	if (path)
		unlink(path);
}

/* From here on 'sig' kills, as soon as this thread lets it in. */
static void
die_of(int sig)
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
	remove_temp();
	die_of(sig);
}

static void
on_bus(int sig, siginfo_t *info, void *context)
{
	uintptr_t at = (uintptr_t)info->si_addr;

	(void)context;
	remove_temp();
	for (int i = 0; i < MAX_GUARDS; i++) {
		const struct guard *g = &guards[i];

		if (at >= atomic_load(&g->base) && at < atomic_load(&g->end)) {
			ssize_t ignored;

			/* Another thread is saying it, and ends the process. */
			while (atomic_flag_test_and_set(&said))
				pause();
			ignored = write(STDERR_FILENO, g->line, g->len);
			(void)ignored;
			_exit(4);
		}
	}
	die_of(sig);
}

static void
fatal_set(sigset_t *set)
{
	sigemptyset(set);
	for (size_t i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++)
		sigaddset(set, fatal[i]);
}

static void
install_handlers(void)
{
	static bool installed;
	struct sigaction old, sa = { .sa_handler = on_fatal };

	if (installed)
		return;
	installed = true;
	fatal_set(&sa.sa_mask);
	for (size_t i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++)
		if (sigaction(fatal[i], NULL, &old) == 0 &&
		    old.sa_handler == SIG_DFL)
			sigaction(fatal[i], &sa, NULL);
}

void
npyio_cleanup_begin(void)
{
	sigset_t set;

	fatal_set(&set);
	sigprocmask(SIG_BLOCK, &set, &saved_mask);
}

void
npyio_cleanup_end(void)
{
	sigprocmask(SIG_SETMASK, &saved_mask, NULL);
}

void
npyio_cleanup_arm(const char *path)
{
	install_handlers();
	temp_path = path;
}

void
npyio_cleanup_disarm(void)
{
	temp_path = NULL;
}

void
npyio_cleanup_describe(char *(*line_new)(const char *name))
{
	line_for = line_new;
}

static void
install_bus_handler(void)
{
	struct sigaction sa = { .sa_sigaction = on_bus,
				.sa_flags = SA_SIGINFO };

	fatal_set(&sa.sa_mask);
	sigaction(SIGBUS, &sa, NULL);
}

int
npyio_cleanup_guard_new(const char *name)
{
	for (int i = 0; i < MAX_GUARDS; i++) {
		struct guard *g = &guards[i];

		if (atomic_flag_test_and_set(&g->taken))
			continue;
		g->line = line_for ? line_for(name) : NULL;
		g->len = g->line ? strlen(g->line) : 0;
		install_bus_handler();
		return i + 1;
	}
	return 0;
}

void
npyio_cleanup_guard(int guard, const void *base, size_t n)
{
	struct guard *g = &guards[guard - 1];

	atomic_store(&g->end, 0);
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
	npyio_cleanup_guard(guard, NULL, 0);
	free(g->line);
	atomic_flag_clear(&g->taken);
}
