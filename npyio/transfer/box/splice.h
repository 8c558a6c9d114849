/*
 * splice.h - one run of a file, handed to a pipe as it lies in the page cache
 */
#ifndef NPYIO_SPLICE_H
#define NPYIO_SPLICE_H

#include "npyio/transfer/common/output.h"

/*
 * npyio_splice_run() is for a job that is one run of a regular file, to a
 * pipe: it writes the header and all the data.
 */
enum tsl_status TSL_MUST_USE npyio_splice_run(const struct npyio_output *out,
					      struct tsl_error *err);

#endif /* NPYIO_SPLICE_H */
