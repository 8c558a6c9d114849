/*
 * shared_file.h - a file that appears whole or not at all, written by several
 * processes at once
 *
 * One of them makes it, under a name of ours, and the others open it by that.
 * Whoever fails removes it, which the others can see.
 */
#ifndef NPYIO_SHARED_FILE_H
#define NPYIO_SHARED_FILE_H

#include "npyio/output/atomic_file.h"

struct npyio_shared_file {
	const char *path; /* where it is to appear; the caller's */
	struct npyio_atomic_file file; /* its fd is what is written to */
};

/* What the others find the file by, and know it by. */
struct npyio_shared_file_id {
	char name[NPYIO_ATOMIC_FILE_NAME];
	uint64_t inode, owner;
	int64_t seconds, nanoseconds; /* its last change */
};

/* npyio_shared_file_init() is due first; npyio_shared_file_close() is in any
 * case. */
void npyio_shared_file_init(struct npyio_shared_file *j, const char *path);

/*
 * npyio_shared_file_create() makes the file, and fills in 'file'.
 * npyio_shared_file_enter() opens it by that.  In both it is removed by
 * npyio_shared_file_close(), and by signals, until it appears or is released.
 *
 * Return TSL_OK; TSL_EIO, TSL_EUSAGE; with the subject set.
 */
enum tsl_status TSL_MUST_USE npyio_shared_file_create(
	struct npyio_shared_file *j, bool no_clobber,
	struct npyio_shared_file_id *file, struct tsl_error *err);
enum tsl_status TSL_MUST_USE npyio_shared_file_enter(
	struct npyio_shared_file *j, const struct npyio_shared_file_id *file,
	struct tsl_error *err);

/* npyio_shared_file_is_gone() says that somebody has removed it. */
bool npyio_shared_file_is_gone(const struct npyio_shared_file *j);

/* npyio_shared_file_sync() has on the disk what this process wrote. */
enum tsl_status TSL_MUST_USE npyio_shared_file_sync(
	const struct npyio_shared_file *j, struct tsl_error *err);

/*
 * npyio_shared_file_appear() is for who made it, when all have written.
 * npyio_shared_file_release() is for the others: it is no longer theirs to
 * remove.
 */
enum tsl_status TSL_MUST_USE
npyio_shared_file_appear(struct npyio_shared_file *j, bool clobber, bool sync,
			 struct tsl_error *err);
void npyio_shared_file_release(struct npyio_shared_file *j);
void npyio_shared_file_close(struct npyio_shared_file *j);

#endif /* NPYIO_SHARED_FILE_H */
