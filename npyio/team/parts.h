/*
 * parts.h - an output that is made part by part, by processes that know nothing
 * of each other
 *
 * They meet in a directory beside the output, OUT.parts:
 *
 *	plan	what all of them must agree on; made once, by link(2)
 *	data	what becomes OUT; created once, only ever extended
 *	K.begun	part K is being made; locked meanwhile, where there are locks
 *	K	part K is in data, and on the disk
 *
 * Parts may be made in any order, at once, on any hosts that see the directory,
 * and again: the same bytes are written, and each is what it is to be from the
 * begin, so that one who comes late harms nothing.  Whoever finds the marks of
 * all renames data to OUT, and removes the directory.  Locks only tell those
 * who make the same part of each other.
 */
#ifndef NPYIO_PARTS_H
#define NPYIO_PARTS_H

#include "parts_directory.h"

struct npyio_parts {
	const char *path; /* of the output; the caller's */
	int number, count; /* which part, from 1 on, of how many */
	bool no_clobber, sync;
	struct npyio_atomic_file file; /* its fd is that of data */
	struct npyio_parts_directory folder;
	int lock; /* on the mark of what is begun; -1: not open */
	bool made; /* the part had been made before */
	int left; /* parts that are to be made; of npyio_parts_end() */
};

/*
 * npyio_parts_begin() joins those who make p->path; set are also p->number,
 * count, no_clobber and sync.  Data are then to be written to p->file.fd,
 * unless p->made.  To be closed on failure, too.
 *
 * Returns TSL_OK; TSL_EIO, also where others agreed on another plan, the
 * directory is not ours, or another process is making the part; TSL_EUSAGE for
 * an output that is no regular file; with the subject set.
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

/*
 * npyio_parts_is_over() says that there is no more to do: what this part was to
 * be of has been made by others.
 */
bool npyio_parts_is_over(const struct npyio_parts *p);
void npyio_parts_close(struct npyio_parts *p);

#endif /* NPYIO_PARTS_H */
