/*
 * long_runs.h - the output of a gather of runs of NPYIO_LONG_RUN or more
 */
#ifndef NPYIO_LONG_RUNS_H
#define NPYIO_LONG_RUNS_H

#include "batch.h"
#include "npyio/transfer/common/fetch.h"
#include "npyio/transfer/common/output.h"

/* Output that is made, or written, at once, at most. */
#define NPYIO_LONG_RUNS_BLOCK ((int64_t)4 * 1024 * 1024)

/*
 * npyio_write_long_runs() writes them in the order of the output, 'block' bytes
 * at a time, each read into place.  'b' is open for 'nworkers'; the table must
 * not be a stream.
 *
 * Returns TSL_OK; TSL_EINDEX_OUT_OF_RANGE; TSL_EIO, TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE
npyio_write_long_runs(const struct npyio_output *out, struct npyio_batch *b,
		      int nworkers, int64_t block, struct tsl_error *err);

#endif /* NPYIO_LONG_RUNS_H */
