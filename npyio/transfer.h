/*
 * transfer.h - a job's output, block by block, from a reader to a writer
 */
#ifndef NPYIO_TRANSFER_H
#define NPYIO_TRANSFER_H

#include "lib/job.h"
#include "reader.h"
#include "writer.h"

struct npyio_transfer {
	const struct tsl_job *job;
	struct npyio_reader *in;
	struct npyio_writer *out;
	int threads; /* at most; fewer where they would not pay */
};

/*
 * npyio_transfer() writes the header and all the data of the job's output.
 * The writer is left open: committing or aborting it is the caller's.
 *
 * Returns TSL_OK, or a status of the reader or the writer.
 */
enum tsl_status TSL_MUST_USE npyio_transfer(const struct npyio_transfer *t,
					    struct tsl_error *err);

/*
 * npyio_transfer_prepare() gets the input to where npyio_transfer_range()
 * finds it, and that copies output bytes [first, first + n) to 'dst': for who
 * wants to look at a few.
 */
enum tsl_status TSL_MUST_USE
npyio_transfer_prepare(const struct npyio_transfer *t, struct tsl_error *err);
enum tsl_status TSL_MUST_USE
npyio_transfer_range(const struct npyio_transfer *t, int64_t first, int64_t n,
		     char *dst, struct tsl_error *err);

#endif /* NPYIO_TRANSFER_H */
