/*
 * joint.h - a file that appears whole or not at all, written by several
 * processes at once
 *
 * One of them makes it, under a name of ours, and the others open it by that.
 * Whoever fails removes it, which the others can see.
 */
#ifndef NPYIO_JOINT_H
#define NPYIO_JOINT_H

#include "npyio/file/whole.h"

struct npyio_joint {
	const char *path; /* where it is to appear; the caller's */
	struct npyio_whole whole; /* its fd is what is written to */
};

/* npyio_joint_init() is due first; npyio_joint_close() is in any case. */
void npyio_joint_init(struct npyio_joint *j, const char *path);

/*
 * npyio_joint_create() makes the file; its name is then j->whole.temp.
 * npyio_joint_enter() opens it by that name.  In both it is removed by
 * npyio_joint_close(), and by signals, until it appears or is released.
 *
 * Return TSL_OK; TSL_EIO, TSL_EUSAGE; with the subject set.
 */
enum tsl_status TSL_MUST_USE npyio_joint_create(struct npyio_joint *j,
						bool no_clobber,
						struct tsl_error *err);
enum tsl_status TSL_MUST_USE npyio_joint_enter(struct npyio_joint *j,
					       const char *name,
					       struct tsl_error *err);

/* npyio_joint_is_gone() says that somebody has removed it. */
bool npyio_joint_is_gone(const struct npyio_joint *j);

/* npyio_joint_sync() has on the disk what this process wrote. */
enum tsl_status TSL_MUST_USE npyio_joint_sync(const struct npyio_joint *j,
					      struct tsl_error *err);

/*
 * npyio_joint_appear() is for who made it, when all have written.
 * npyio_joint_release() is for the others: it is no longer theirs to remove.
 */
enum tsl_status TSL_MUST_USE npyio_joint_appear(struct npyio_joint *j,
						bool clobber, bool sync,
						struct tsl_error *err);
void npyio_joint_release(struct npyio_joint *j);
void npyio_joint_close(struct npyio_joint *j);

#endif /* NPYIO_JOINT_H */
