/*
 * tuples.h - the index tuples of a gather, as places in its table
 */
#ifndef NPYIO_TUPLES_H
#define NPYIO_TUPLES_H

#include "lib/op/gather_nd.h"
#include "mask.h"

/* Used by one thread at a time; several may read the same indices. */
struct npyio_tuples {
	const struct tsl_gather_job *gather;
	struct npyio_reader *indices; /* in C order */
	char *chunk;
	struct npyio_mask_reader mask; /* where that names them */
};

/*
 * npyio_tuples_init() prepares to read tuples from 'indices', which must be in
 * C order, by position, and outlive 't'.  Returns TSL_OK; TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE
npyio_tuples_init(struct npyio_tuples *t, const struct tsl_gather_job *gather,
		  struct npyio_reader *indices, struct tsl_error *err);
void npyio_tuples_close(struct npyio_tuples *t);

/*
 * npyio_tuples_rows() stores at which byte of the table the rows of tuples
 * [first, first + n) begin, -1 for a row of zeros.  'row' NULL: only whether
 * they are right.
 *
 * Returns TSL_OK; TSL_EINDEX_OUT_OF_RANGE; what reading returns.
 */
enum tsl_status TSL_MUST_USE npyio_tuples_rows(struct npyio_tuples *t,
					       int64_t first, int64_t n,
					       int64_t *row,
					       struct tsl_error *err);

#endif /* NPYIO_TUPLES_H */
