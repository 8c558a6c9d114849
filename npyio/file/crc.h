/*
 * crc.h - the CRC-32 of bytes, as zip archives have it
 */
#ifndef NPYIO_CRC_H
#define NPYIO_CRC_H

#include "lib/base/status.h"

#include <stddef.h>

/*
 * npyio_crc_open() is due before the others; 'what' cannot be had without them.
 * Returns TSL_OK; TSL_EIO, without a library that counts.
 */
enum tsl_status TSL_MUST_USE npyio_crc_open(const char *what,
					    struct tsl_error *err);

/* npyio_crc() goes on from 'crc' with n bytes; the CRC of no bytes is 0. */
uint32_t npyio_crc(uint32_t crc, const void *bytes, size_t n);

/* npyio_crc_join() is that of two pieces, the second of which has n bytes. */
uint32_t npyio_crc_join(uint32_t first, uint32_t second, int64_t n);

/* npyio_crc_zeros() goes on from 'crc' with n bytes that are 0. */
uint32_t npyio_crc_zeros(uint32_t crc, int64_t n);

/* npyio_crc_check() returns TSL_OK; TSL_EBAD_ARCHIVE if they differ. */
enum tsl_status TSL_MUST_USE npyio_crc_check(uint32_t is, uint32_t should_be,
					     struct tsl_error *err);

#endif /* NPYIO_CRC_H */
