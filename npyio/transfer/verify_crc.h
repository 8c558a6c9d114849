/*
 * verify_crc.h - the CRC-32 of archive members that are read whole
 */
#ifndef NPYIO_VERIFY_CRC_H
#define NPYIO_VERIFY_CRC_H

#include "npyio/transfer/common/request.h"

/*
 * npyio_verify_crc() reads the stored members that the job reads all of, to
 * find out whether each is what its archive says; so that nothing of one that
 * is not gets out.  Of a member that is read in part that cannot be known.  One
 * that comes as a stream tells by itself; see inflate.h.
 *
 * Returns TSL_OK; TSL_EBAD_ARCHIVE; TSL_EIO, TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE npyio_verify_crc(const struct npyio_transfer *t,
					      struct tsl_error *err);

/* npyio_verify_member() does so for one of them, as far as it is stored. */
enum tsl_status TSL_MUST_USE npyio_verify_member(const struct npyio_transfer *t,
						 const struct npyio_reader *in,
						 struct tsl_error *err);

#endif /* NPYIO_VERIFY_CRC_H */
