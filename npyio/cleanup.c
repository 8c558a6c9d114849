/*
 * cleanup.c - what is left to do when a signal ends the process
 *
 * Handlers may call nothing that allocates or locks, and see only what stands
 * in these variables; they are set with the signals blocked.
 */
#include "cleanup.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

static const int fatal[] = {
	SIGHUP, SIGINT, SIGTERM, SIGQUIT, SIGXFSZ, SIGXCPU
};

static const char *volatile temp_path;
static sigset_t saved_mask;

static struct {
	uintptr_t base, end;
	const char *line;
	size_t len;
} guard;

static void
remove_temp(void)
{
	if (temp_path)
		unlink(temp_path);
	temp_path = NULL;
}

static void
on_fatal(int sig)
{
	remove_temp();
	/* The handler was reset when it was entered: this time it kills. */
	raise(sig);
}

static void
on_bus(int sig, siginfo_t *info, void *context)
{
	uintptr_t at = (uintptr_t)info->si_addr;

	(void)context;
	remove_temp();
	if (at >= guard.base && at < guard.end) {
		ssize_t ignored = write(STDERR_FILENO, guard.line, guard.len);

		(void)ignored;
		_exit(4);
	}
	raise(sig);
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
	struct sigaction old,
		sa = { .sa_handler = on_fatal, .sa_flags = (int)SA_RESETHAND };

	if (installed)
		return;
	installed = true;
	sigemptyset(&sa.sa_mask);
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
npyio_cleanup_guard(const void *base, size_t n, const char *line)
{
	struct sigaction sa = { .sa_sigaction = on_bus,
				.sa_flags = (int)(SA_SIGINFO | SA_RESETHAND) };

	guard.base = (uintptr_t)base;
	guard.end = guard.base + n;
	guard.line = line;
	guard.len = strlen(line);
	sigemptyset(&sa.sa_mask);
	sigaction(SIGBUS, &sa, NULL);
}
