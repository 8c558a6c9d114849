/*
 * janitor.h - who removes the temporary file if this process is killed
 *
 * A launcher may end a process by SIGKILL, which no handler sees.  A child that
 * was forked before, in a session of its own, lives on, sees the socket between
 * them end, and removes the file.
 */
#ifndef NPYIO_JANITOR_H
#define NPYIO_JANITOR_H

#include "npyio/file/target.h"

/*
 * npyio_janitor_start() forks it, before there is a thread.  Returns the way to
 * it, or -1: there is none, and it is done without.
 */
int npyio_janitor_start(void);

/*
 * npyio_janitor_watch() names the file 'name' in the directory of 'at', and
 * npyio_janitor_release() says that there is nothing to remove.
 */
void npyio_janitor_watch(int janitor, const struct npyio_target *at,
			 const char *name);
void npyio_janitor_release(int janitor);

#endif /* NPYIO_JANITOR_H */
