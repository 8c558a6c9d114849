/*
 * launch.h - whether this process is one of a launcher's, who make one result
 */
#ifndef CLI_LAUNCH_H
#define CLI_LAUNCH_H

#include "npyio/team/launcher.h"

/* The choices of --mpi. */
enum launch_mpi {
	LAUNCH_AUTO,
	LAUNCH_ALWAYS,
	LAUNCH_NEVER,
};

extern const char *const launch_choices[];

/*
 * launch_listen() finds out, before the command line is read, whether messages
 * are another process's to say.
 */
void launch_listen(int argc, char **argv);

/*
 * launch_resolve() settles it, given the choice, -1: not said, for the
 * environment to say.  '*l' is the launcher whose other processes are to be
 * joined, or NULL: this one works alone.  Returns 0, or an exit status.
 */
int launch_resolve(int choice, bool quiet, const struct npyio_launcher **l);

/*
 * launch_exit() is for an exit status that may be known before others were
 * joined: if it is not 0, who is silent lets the one speak who is not.  Returns
 * it.
 */
int launch_exit(int exit_status);

/* launch_plugin() is the plugin that the environment names, or NULL. */
const char *launch_plugin(void);

#endif /* CLI_LAUNCH_H */
