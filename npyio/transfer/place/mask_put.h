/*
 * mask_put.h - rows written where a mask is true, in their order
 */
#ifndef NPYIO_MASK_PUT_H
#define NPYIO_MASK_PUT_H

#include "lib/op/gather_nd.h"
#include "npyio/output/in_place_file.h"
#include "npyio/transfer/common/request.h"

/*
 * npyio_put_masked() writes the updates of a job of TSL_ROAD_SCATTER, which has
 * some, to their places on the target, if a mask names these in the target's
 * order, and stores whether it does.
 *
 *	places	of the job, as the target is laid out
 *	room	bytes of memory to use
 *
 * Returns TSL_OK; TSL_EIO, TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE npyio_put_masked(
	const struct npyio_transfer *t, const struct tsl_gather_job *places,
	const struct npyio_in_place_file *target, int64_t room, bool *done,
	struct tsl_error *err);

#endif /* NPYIO_MASK_PUT_H */
