/*
 * download_rows.h - the rows that a gather takes of a table that is far away,
 * brought here first
 */
#ifndef NPYIO_DOWNLOAD_ROWS_H
#define NPYIO_DOWNLOAD_ROWS_H

#include "npyio/transfer/common/request.h"

/*
 * npyio_download_rows() does so for a job of runs, whose indices are at hand.
 * Returns TSL_OK; TSL_EINDEX_OUT_OF_RANGE; what npyio_reader_download() does;
 * TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE npyio_download_rows(const struct npyio_transfer *t,
						 struct tsl_error *err);

#endif /* NPYIO_DOWNLOAD_ROWS_H */
