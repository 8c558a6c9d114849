/*
 * window.h - a part of a file, mapped for as long as it is looked at
 *
 * Only one part at a time, so that what has been looked at does not stay
 * resident.  Should somebody cut the file short meanwhile, or the disk fail,
 * the process ends with status 4; see cleanup.h.
 */
#ifndef NPYIO_WINDOW_H
#define NPYIO_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct npyio_window {
	const char *name; /* of the file; NULL: nothing is to be mapped */
	bool writes; /* what is mapped may be written to */
	int guard; /* see cleanup.h; 0: none yet */
	char *base; /* NULL: nothing is mapped */
	int64_t lo, hi; /* the mapped bytes of the file */
};

/* npyio_window_init() prepares windows on the file 'name', for messages. */
void npyio_window_init(struct npyio_window *w, const char *name);
void npyio_window_close(struct npyio_window *w);

/*
 * npyio_window_close_by() closes it with up to so many threads, as unmapping
 * small pages takes half the time of mapping them.
 */
void npyio_window_close_by(struct npyio_window *w, int workers);

/* npyio_window_init_writes() prepares windows that are written to. */
void npyio_window_init_writes(struct npyio_window *w, const char *name);

/*
 * npyio_window_look() maps bytes [lo, hi) of the file 'fd' and returns them,
 * until the next look; NULL where that cannot be had.
 */
char *npyio_window_look(struct npyio_window *w, int fd, int64_t lo, int64_t hi);

/*
 * npyio_window_is_at_hand() says whether what is mapped of 'fd' is in memory,
 * as far as a sample of its pages shows.
 */
bool npyio_window_is_at_hand(const struct npyio_window *w, int fd);

/*
 * npyio_window_is_large() says whether it is mapped by huge pages, because the
 * page cache has such pages of the file, as far as a sample shows: then a place
 * chosen at random costs a third of what it does otherwise.
 */
bool npyio_window_is_large(const struct npyio_window *w);

/* npyio_window_nbytes() is how much of the file is mapped. */
int64_t npyio_window_nbytes(const struct npyio_window *w);

/*
 * npyio_window_expect() says that every page of bytes [lo, hi), which are
 * mapped, is about to be written to: it is cheaper to have them all at once.
 */
void npyio_window_expect(const struct npyio_window *w, int64_t lo, int64_t hi);

/*
 * npyio_window_faults() is how many pages this thread has been given so far,
 * which were in memory already; 0 where the system does not say.
 */
int64_t npyio_window_faults(void);

#endif /* NPYIO_WINDOW_H */
