/*
 * spool.h - room on disk for what does not fit into memory
 */
#ifndef NPYIO_SPOOL_H
#define NPYIO_SPOOL_H

#include "lib/base/status.h"

/* npyio_spool_directory() is the directory of such files. */
const char *npyio_spool_directory(void);

/*
 * npyio_spool_open() makes a file that has no name, in the directory that
 * TMPDIR names, or /tmp; it is gone when its descriptor is closed.  Returns
 * TSL_OK; TSL_EIO with the directory as the error's subject.
 */
enum tsl_status TSL_MUST_USE npyio_spool_open(int *fd, struct tsl_error *err);

#endif /* NPYIO_SPOOL_H */
