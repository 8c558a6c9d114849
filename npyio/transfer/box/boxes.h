/*
 * boxes.h - the output of a job that is a view, box by box
 */
#ifndef NPYIO_BOXES_H
#define NPYIO_BOXES_H

#include "npyio/transfer/common/output.h"

/* npyio_write_boxes() writes the header and all the data. */
enum tsl_status TSL_MUST_USE npyio_write_boxes(const struct npyio_output *out,
					       struct tsl_error *err);

#endif /* NPYIO_BOXES_H */
