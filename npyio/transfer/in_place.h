/*
 * in_place.h - what a job changes, written into the file that it goes through
 */
#ifndef NPYIO_IN_PLACE_H
#define NPYIO_IN_PLACE_H

#include "npyio/output/in_place_file.h"
#include "npyio/transfer/common/request.h"

/*
 * npyio_write_in_place() writes the places that the job's layers, or tuples,
 * name, and no other byte, over a base that is there.  Where that is the input
 * itself the job's output is the target, of in's own dtype, shape and order,
 * and no writer is looked at.  npyio_prepare() was called, which finds all that
 * can be wrong with the data; what is written before another failure stays.
 *
 * Returns TSL_OK, or a status of the readers or the target.
 */
enum tsl_status TSL_MUST_USE npyio_write_in_place(
	const struct npyio_transfer *t,
	const struct npyio_in_place_file *target, struct tsl_error *err);

#endif /* NPYIO_IN_PLACE_H */
