/*
 * prepare.h - what can be wrong with a job's data, before a byte is written
 */
#ifndef NPYIO_PREPARE_H
#define NPYIO_PREPARE_H

#include "npyio/transfer/common/request.h"

/*
 * npyio_prepare() proves members of archives, see verify_crc.h, but for one of
 * box/whole_member.h, gets the sides ready, see operands.h, or what is woven,
 * see concat.h, and proves the tuples of a scatter.  Returns TSL_OK, or what
 * these return.
 */
enum tsl_status TSL_MUST_USE npyio_prepare(const struct npyio_transfer *t,
					   struct tsl_error *err);

/*
 * npyio_prepare_empty() is the same for a job without a byte of output,
 * whose tuples may be wrong all the same.
 */
enum tsl_status TSL_MUST_USE npyio_prepare_empty(const struct npyio_transfer *t,
						 struct tsl_error *err);

/*
 * npyio_read_ahead() has threads inflate those inputs that are streams, where
 * there are threads and memory for it.
 */
void npyio_read_ahead(const struct npyio_transfer *t);

#endif /* NPYIO_PREPARE_H */
