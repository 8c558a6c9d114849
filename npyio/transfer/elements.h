/*
 * elements.h - all the elements of an input, in C order
 *
 * For inputs that an operation wants to look at, rather than hand on box by
 * box: index tuples, diagonals.  However the file is laid out.
 */
#ifndef NPYIO_ELEMENTS_H
#define NPYIO_ELEMENTS_H

#include "fetch.h"

/* Used by one thread at a time; several may look at one reader. */
struct npyio_elements {
	struct tsl_job all; /* the slice of everything */
	struct npyio_fetch fetch;
};

/*
 * npyio_elements_init() prepares to look at 'in', a regular file or a stream
 * that was kept, with 'room' for so many bytes.  It must outlive 'e'.
 */
void npyio_elements_init(struct npyio_elements *e, struct npyio_reader *in,
			 int64_t room);
void npyio_elements_close(struct npyio_elements *e);

/* npyio_elements_get() copies elements [first, first + n) to 'dst'. */
enum tsl_status TSL_MUST_USE npyio_elements_get(struct npyio_elements *e,
						int64_t first, int64_t n,
						char *dst,
						struct tsl_error *err);

#endif /* NPYIO_ELEMENTS_H */
