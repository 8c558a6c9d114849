/*
 * mask_pick.h - the output of a gather whose rows a mask names, in their order
 */
#ifndef NPYIO_MASK_PICK_H
#define NPYIO_MASK_PICK_H

#include "npyio/transfer/common/output.h"

/*
 * npyio_write_masked() writes the output of a job of TSL_ROAD_RUNS, if it is
 * one of a mask whose rows stand in the input in the output's order, and no
 * device is to make it, and stores whether it is.
 *
 * Returns TSL_OK; TSL_EIO, TSL_EMEMORY, TSL_ETRUNCATED_DATA.
 */
enum tsl_status TSL_MUST_USE npyio_write_masked(const struct npyio_output *out,
						bool *done,
						struct tsl_error *err);

#endif /* NPYIO_MASK_PICK_H */
