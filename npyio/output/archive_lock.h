/*
 * archive_lock.h - of those who replace an archive at once one is alone
 */
#ifndef NPYIO_ARCHIVE_LOCK_H
#define NPYIO_ARCHIVE_LOCK_H

#include "npyio/input/archive.h"
#include "output_path.h"

/*
 * npyio_archive_lock() takes the lock of the archive 'old', which was opened at
 * 'at', and stores in '*own' a descriptor to be closed when the new one is in
 * its place; or -1: the lock is given up with 'old'.  Where there are no locks
 * everybody has it, and who runs us may have it for us.
 *
 * Returns TSL_OK; TSL_EIO if somebody else has it, and does not give it up
 * within a second.
 */
enum tsl_status TSL_MUST_USE npyio_archive_lock(
	const struct npyio_archive *old, const struct npyio_output_path *at,
	int *own, struct tsl_error *err);

#endif /* NPYIO_ARCHIVE_LOCK_H */
