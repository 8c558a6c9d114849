/*
 * launch.c - whether this process is one of a launcher's, who make one result
 *
 * A start without a launcher must not pay for those with one: it looks up a few
 * names in the environment.
 */
#include "launch.h"

#include "cli/report/message.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define VARIABLE "TSLICE_MPI"

const char *const launch_choices[] = {
	[LAUNCH_AUTO] = "auto",
	[LAUNCH_ALWAYS] = "always",
	[LAUNCH_NEVER] = "never",
	NULL,
};

static struct npyio_launcher launcher;

/* The choice that a word is, or -1. */
static int
choice_of(const char *word)
{
	for (int i = 0; launch_choices[i]; i++)
		if (strcmp(word, launch_choices[i]) == 0)
			return i;
	return -1;
}

const char *
launch_plugin(void)
{
	const char *word = getenv(VARIABLE);

	return word && *word && choice_of(word) < 0 ? word : NULL;
}

/* What the command line, of which nothing is known yet, or a variable says. */
static bool
is_to_be_alone(int argc, char **argv)
{
	const char *word = getenv(VARIABLE);

	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strncmp(argv[i], "--part", 6) == 0 ||
		    strcmp(argv[i], "--mpi=never") == 0 ||
		    (strcmp(argv[i], "--mpi") == 0 && i + 1 < argc &&
		     strcmp(argv[i + 1], "never") == 0))
			return true;
	return word && choice_of(word) == LAUNCH_NEVER;
}

void
launch_listen(int argc, char **argv)
{
	if (npyio_launcher_find(&launcher) && launcher.is_parent &&
	    launcher.rank > 0 && launcher.has_mpi &&
	    !is_to_be_alone(argc, argv))
		message_silence(true);
}

/* A launcher that sees a process fail may end the others at once. */
int
launch_exit(int exit_status)
{
	const struct timespec nap = { .tv_nsec = 200000000 };

	if (exit_status && launcher.rank > 0 && launcher.is_parent &&
	    message_is_silent())
		nanosleep(&nap, NULL);
	return exit_status;
}

/* srun starts as many without MPI, if it is told to. */
static void
note_no_mpi(bool quiet)
{
	if (launcher.is_parent && launcher.rank == 0 && !quiet)
		message_note("srun has started %d processes without MPI: each "
			     "makes all of the result; see tslice-mpi(7)",
			     launcher.size);
}

static bool
is_name(const char *s)
{
	return strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789._-") ==
	       strlen(s);
}

int
launch_resolve(int choice, bool quiet, const struct npyio_launcher **l)
{
	const char *word = getenv(VARIABLE);

	*l = NULL;
	if (choice < 0 && word && *word)
		choice = choice_of(word);
	if (launch_plugin() && !is_name(launch_plugin()))
		return message_fail(TSL_ESYNTAX,
				    VARIABLE " is auto, always, never, or the "
					     "name of a plugin, not '%s'",
				    word);
	if (choice == LAUNCH_ALWAYS && launcher.size == 0)
		return message_fail(TSL_EIO,
				    "--mpi=always: no launcher, such as mpirun "
				    "or srun, has started this");
	if (choice != LAUNCH_NEVER && launcher.size > 1 && launcher.has_mpi &&
	    (launcher.is_parent || choice == LAUNCH_ALWAYS))
		*l = &launcher;
	else if (launcher.size > 1 && !launcher.has_mpi &&
		 choice != LAUNCH_NEVER)
		note_no_mpi(quiet);
	message_silence(*l && launcher.rank > 0);
	return 0;
}
