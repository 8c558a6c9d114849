/*
 * orphan_cleanup.h - who removes the temporary file if this process is killed
 *
 * A launcher may end a process by SIGKILL, which no handler sees.  A child that
 * was forked before, in a session of its own, lives on, sees the socket between
 * them end, and removes the file.
 */
#ifndef NPYIO_ORPHAN_CLEANUP_H
#define NPYIO_ORPHAN_CLEANUP_H

#include "npyio/output/output_path.h"

/*
 * npyio_orphan_cleanup_start() forks it, before there is a thread.  Returns the
 * way to it, or -1: there is none, and it is done without.
 */
int npyio_orphan_cleanup_start(void);

/*
 * npyio_orphan_cleanup_watch() names the file 'name' in the directory of 'at',
 * and npyio_orphan_cleanup_release() says that there is nothing to remove.
 */
void npyio_orphan_cleanup_watch(int cleanup, const struct npyio_output_path *at,
				const char *name);
void npyio_orphan_cleanup_release(int cleanup);

#endif /* NPYIO_ORPHAN_CLEANUP_H */
