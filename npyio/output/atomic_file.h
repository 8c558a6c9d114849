/*
 * atomic_file.h - a file that appears whole or not at all
 *
 * Where the file system can do that it has no name before it is whole: the
 * end of the process, however it comes, is the end of the file.  Elsewhere it
 * has a name of our own, beside its target, which cleanup.h removes.
 */
#ifndef NPYIO_ATOMIC_FILE_H
#define NPYIO_ATOMIC_FILE_H

#include "acl.h"
#include "output_path.h"

#define NPYIO_ATOMIC_FILE_NAME \
	300 /* a name, and one in a directory of that name */

struct npyio_atomic_file {
	struct npyio_output_path at;
	int fd; /* -1: not open */
	char temp[NPYIO_ATOMIC_FILE_NAME]; /* while it has a name of ours; or ""
					    */
	bool named; /* is to have one from the begin, for others to open it */
	bool stays; /* under that name, unless it appears */
	struct npyio_acl acl; /* of what it replaces */
};

/*
 * npyio_atomic_file_open() makes the file that is to stand at w->at, which was
 * found, and is or will be a regular file; it takes the target over.  What
 * exists and may not be written is refused.
 *
 * Returns TSL_OK; TSL_EIO.  To be closed on failure too.
 */
enum tsl_status TSL_MUST_USE npyio_atomic_file_open(struct npyio_atomic_file *w,
						    struct tsl_error *err);

/*
 * npyio_atomic_file_check() refuses to replace what exists and may not be
 * written. npyio_atomic_file_open() does so, too.
 */
enum tsl_status TSL_MUST_USE
npyio_atomic_file_check(struct npyio_atomic_file *w, struct tsl_error *err);

/*
 * npyio_atomic_file_appear() gives the file the owner, the rights and the name
 * that it is to have.  'clobber': another file of that name goes.  'sync': what
 * is in it, and the name, are to be on the disk.
 */
enum tsl_status TSL_MUST_USE
npyio_atomic_file_appear(struct npyio_atomic_file *w, bool clobber, bool sync,
			 struct tsl_error *err);

/*
 * npyio_atomic_file_begin_threads() is to be called before there are threads
 * that each make a file.
 */
void npyio_atomic_file_begin_threads(void);

/* npyio_atomic_file_close() drops the file, unless it has appeared. */
void npyio_atomic_file_close(struct npyio_atomic_file *w);

#endif /* NPYIO_ATOMIC_FILE_H */
