/*
 * transfer.h - a job's output, piece by piece, from a reader to a writer
 *
 * However large the arrays are, no more memory is used than max_memory says:
 * buffers, what is mapped of the input, lists of places, what is kept of a
 * stream.  (Not counted are the program itself and a single element, nor what
 * a device's driver takes for itself.)
 */
#ifndef NPYIO_TRANSFER_H
#define NPYIO_TRANSFER_H

#include "npyio/transfer/common/request.h"

/*
 * npyio_transfer() writes the header and all the data of the job's output.
 * The writer is left open: committing or aborting it is the caller's.  Of
 * streams nothing is taken beyond what was needed.
 *
 * A job of TSL_ROAD_SCATTER needs a writer that is positional.  So does one of
 * which this is a portion: of what others make no byte is written.
 *
 * Returns TSL_OK, or a status of the readers or the writer.
 */
enum tsl_status TSL_MUST_USE npyio_transfer(const struct npyio_transfer *t,
					    struct tsl_error *err);

#endif /* NPYIO_TRANSFER_H */
