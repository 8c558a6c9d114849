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

/*
 * npyio_spool_share() gets room for 'nbytes' at 'offset' of such a file that
 * all share who ask for it, so that many streams take no more than one
 * descriptor.  npyio_spool_unshare() is due for each; after the last the file
 * is gone.  Both are called by one thread.
 */
enum tsl_status TSL_MUST_USE npyio_spool_share(int *fd, int64_t *offset,
					       int64_t nbytes,
					       struct tsl_error *err);
void npyio_spool_unshare(void);

#endif /* NPYIO_SPOOL_H */
