/*
 * reflink.h - an output of which blocks are the input's
 *
 * Rows of the input that stand in the output as they are, at an offset in its
 * file that agrees with theirs, are not copied: whole blocks of them are
 * shared, if the file system can do that, and what is left at the ends is
 * written.
 */
#ifndef NPYIO_REFLINK_H
#define NPYIO_REFLINK_H

#include "npyio/transfer/common/output.h"

/*
 * npyio_reflink_base() is for the base that a job's view makes of its input. It
 * stores how many bytes of it are shared; if any, all of it is there, header
 * and all, and if none, nothing has been written.
 *
 * Returns TSL_OK; what reading and writing may.
 */
enum tsl_status TSL_MUST_USE npyio_reflink_base(const struct npyio_output *out,
						int64_t *shared,
						struct tsl_error *err);

/*
 * npyio_reflink_parts() is for a job of TSL_ROAD_CONCAT.  It writes the header
 * and all the data, what cannot be shared with npyio_write_concat().
 */
enum tsl_status TSL_MUST_USE npyio_reflink_parts(const struct npyio_output *out,
						 int64_t *shared,
						 struct tsl_error *err);

/*
 * npyio_can_reflink() says whether npyio_reflink_base() may find something to
 * share in a file system like the one that the input is in.
 */
bool npyio_can_reflink(const struct tsl_job *job,
		       const struct npyio_reader *in);

/* npyio_is_painted() says whether something goes over a job's base. */
bool npyio_is_painted(const struct tsl_job *job);

#endif /* NPYIO_REFLINK_H */
