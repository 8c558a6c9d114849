/*
 * mapped_runs.h - the output of a gather from a table that is in memory
 *
 * All of the table is mapped, and its runs go to the output in the output's
 * order, each asked for some time before it is copied: what is at hand needs
 * no order of its own.  (Of what has to come from a disk the order of the table
 * is the better one; see runs.c.)
 */
#ifndef NPYIO_MAPPED_RUNS_H
#define NPYIO_MAPPED_RUNS_H

#include "npyio/transfer/common/output.h"

/*
 * npyio_write_mapped_runs() writes the header and all the data, if the table is
 * in memory, as far as a sample of it shows, and may all be mapped, and enough
 * of it is wanted to repay that; '*done' says whether it has.  If it 'needs
 * large' pages it has not where the page cache has small ones of the table.
 *
 * Returns TSL_OK; TSL_EINDEX_OUT_OF_RANGE; TSL_EIO, TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE
npyio_write_mapped_runs(const struct npyio_output *out, bool needs_large,
			bool *done, struct tsl_error *err);

#endif /* NPYIO_MAPPED_RUNS_H */
