/*
 * runs.h - the output of a gather: runs of bytes from all over a table
 */
#ifndef NPYIO_RUNS_H
#define NPYIO_RUNS_H

#include "npyio/transfer/common/output.h"

/* npyio_write_runs() writes the header and all the data. */
enum tsl_status TSL_MUST_USE npyio_write_runs(const struct npyio_output *out,
					      struct tsl_error *err);

#endif /* NPYIO_RUNS_H */
