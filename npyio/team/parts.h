/*
 * parts.h - an output that is made part by part, by processes that know nothing
 * of each other
 *
 * They meet in a directory beside the output, OUT.parts:
 *
 *	plan	what all of them must agree on; made once, by link(2)
 *	data	what becomes OUT; created once, only ever extended
 *	K	part K is in data, and on the disk
 *
 * Nothing is locked.  Parts may be made in any order, at once, on any hosts
 * that see the directory, and again: the same bytes are written.  Whoever finds
 * the marks of all renames data to OUT, and removes the directory.
 */
#ifndef NPYIO_PARTS_H
#define NPYIO_PARTS_H

#include "npyio/output/atomic_file.h"

struct npyio_parts {
	const char *path; /* of the output; the caller's */
	int number, count; /* which part, from 1 on, of how many */
	bool no_clobber, sync;
	struct npyio_atomic_file whole; /* its fd is that of data */
	char dir_name[NPYIO_ATOMIC_FILE_NAME]; /* beside the output */
	int dir; /* -1: not open */
	bool made; /* the part had been made before */
	int left; /* parts that are to be made; of npyio_parts_end() */
};

/*
 * npyio_parts_begin() joins those who make p->path; set are also p->number,
 * count, no_clobber and sync.  Data are then to be written to p->whole.fd,
 * unless p->made.  To be closed on failure, too.
 *
 * Returns TSL_OK; TSL_EIO, also where others agreed on another plan; TSL_EUSAGE
 * for an output that is no regular file; with the subject set.
 */
enum tsl_status TSL_MUST_USE npyio_parts_begin(struct npyio_parts *p,
					       const char *plan,
					       struct tsl_error *err);

/*
 * npyio_parts_end() is for when the part is written: it is marked, and if it is
 * the last one the output appears.
 */
enum tsl_status TSL_MUST_USE npyio_parts_end(struct npyio_parts *p,
					     struct tsl_error *err);
void npyio_parts_close(struct npyio_parts *p);

#endif /* NPYIO_PARTS_H */
