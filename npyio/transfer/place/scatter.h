/*
 * scatter.h - rows written where tuples say
 */
#ifndef NPYIO_SCATTER_H
#define NPYIO_SCATTER_H

#include "npyio/output/in_place_file.h"
#include "npyio/transfer/common/request.h"

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
 * npyio_scatter() writes the updates to their places on the canvas, of which
 * the job's output is the array; of several for one place the last.  Tuples
 * were proved; inputs are as npyio_keep_operands() leaves them.
 */
enum tsl_status TSL_MUST_USE
npyio_scatter(const struct npyio_transfer *t,
	      const struct npyio_in_place_file *canvas, int64_t room,
	      struct tsl_error *err);

#endif /* NPYIO_SCATTER_H */
