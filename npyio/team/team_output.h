/*
 * team_output.h - the file that several processes are to make
 */
#ifndef NPYIO_TEAM_OUTPUT_H
#define NPYIO_TEAM_OUTPUT_H

#include "npyio/output/atomic_file.h"

/*
 * npyio_team_output_find() finds where 'path' leads, into w->at, and refuses
 * what cannot be made by several, or not at all.  Returns TSL_OK; TSL_EIO;
 * TSL_EUSAGE for what is no regular file.  'w' is to be closed on failure too.
 */
enum tsl_status TSL_MUST_USE npyio_team_output_find(struct npyio_atomic_file *w,
						    const char *path,
						    bool no_clobber,
						    struct tsl_error *err);

#endif /* NPYIO_TEAM_OUTPUT_H */
