/*
 * goal.h - the file that several processes are to make
 */
#ifndef NPYIO_GOAL_H
#define NPYIO_GOAL_H

#include "npyio/file/whole.h"

/*
 * npyio_goal_find() finds where 'path' leads, into w->at, and refuses what
 * cannot be made by several, or not at all.  Returns TSL_OK; TSL_EIO;
 * TSL_EUSAGE for what is no regular file.  'w' is to be closed on failure too.
 */
enum tsl_status TSL_MUST_USE npyio_goal_find(struct npyio_whole *w,
					     const char *path, bool no_clobber,
					     struct tsl_error *err);

#endif /* NPYIO_GOAL_H */
