/*
 * diagonals.h - the new values of a set_diag, as its patch() wants them
 */
#ifndef NPYIO_DIAGONALS_H
#define NPYIO_DIAGONALS_H

#include "lib/op/set_diag.h"
#include "npyio/transfer/common/request.h"

/* Used by one thread at a time; several may read the same diagonals. */
struct npyio_diagonals {
	const struct tsl_set_diag_job *set;
	struct npyio_reader *in; /* in C order; NULL: the job's fill */
	char *packed; /* elements from the file, in the output's byte order */
	int64_t first, n; /* which; n 0: they are of no more use */
	char *side;
	int64_t side_nbytes; /* of memory */
};

/*
 * npyio_diagonals_init() prepares to read the diagonals of a job that has a
 * patch; they must be in C order, by position, and outlive 'd'.  Returns
 * TSL_OK; TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE
npyio_diagonals_init(struct npyio_diagonals *d, const struct npyio_transfer *t,
		     struct tsl_error *err);
void npyio_diagonals_close(struct npyio_diagonals *d);

/*
 * npyio_diagonals_side() makes the side, see set_diag.h, of output bytes
 * [first, first + n), in the byte order of the output; d->side has it until
 * the next call.
 */
enum tsl_status TSL_MUST_USE npyio_diagonals_side(struct npyio_diagonals *d,
						  int64_t first, int64_t n,
						  struct tsl_error *err);

/*
 * npyio_diagonals_patch() overwrites what of output bytes [first, first + n)
 * is on the diagonals, with 'room' for so much of them at once.
 */
enum tsl_status TSL_MUST_USE npyio_diagonals_patch(struct npyio_diagonals *d,
						   int64_t first, int64_t n,
						   int64_t room, char *bytes,
						   struct tsl_error *err);

#endif /* NPYIO_DIAGONALS_H */
