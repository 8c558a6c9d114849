/*
 * scatter.h - rows written where tuples say
 */
#ifndef NPYIO_SCATTER_H
#define NPYIO_SCATTER_H

#include "lib/op/gather_nd.h"
#include "npyio/output/in_place_file.h"
#include "npyio/transfer/common/request.h"

/*
 * npyio_scatter_places() is where the rows of a job of TSL_ROAD_SCATTER go.  In
 * an output in Fortran order the runs of a row are all over it: where there are
 * more of them than are found at once they are numbered run by run, so that the
 * output is gone through once, and the updates are wanted in that order.
 */
void npyio_scatter_places(const struct npyio_transfer *t,
			  struct tsl_gather_job *places);

/*
 * npyio_scatter_check() looks at all tuples of a job of TSL_ROAD_SCATTER:
 * whether they are in range, and, if that is asked for, none named twice.
 *
 *	room	bytes of memory to use
 *
 * Returns TSL_OK; TSL_EINDEX_OUT_OF_RANGE; TSL_EDUPLICATE_INDEX; what reading
 * returns.
 */
enum tsl_status TSL_MUST_USE npyio_scatter_check(const struct npyio_transfer *t,
						 int64_t room,
						 struct tsl_error *err);

/*
 * npyio_scatter() writes the updates to their places on the target, of which
 * the job's output is the array; of several for one place the last.  Tuples
 * were proved; inputs are as npyio_keep_operands() leaves them.
 */
enum tsl_status TSL_MUST_USE
npyio_scatter(const struct npyio_transfer *t,
	      const struct npyio_in_place_file *target, int64_t room,
	      struct tsl_error *err);

#endif /* NPYIO_SCATTER_H */
