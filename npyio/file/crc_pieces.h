/*
 * crc_pieces.h - the CRC-32 of many bytes, counted by several threads
 */
#ifndef NPYIO_CRC_PIECES_H
#define NPYIO_CRC_PIECES_H

#include "crc.h"

/*
 * A read stores all n bytes at 'at' of 'from' to 'dst', or fails.  It is called
 * by several threads at once.
 */
typedef enum tsl_status npyio_crc_read(const void *from, int64_t at, int64_t n,
				       char *dst, struct tsl_error *err);

/* A worker's memory. */
#define NPYIO_CRC_STEP ((int64_t)256 * 1024)

/*
 * npyio_crc_pieces() counts bytes [lo, hi) of 'from', with up to 'workers'
 * threads; npyio_crc_file() those of a file.  npyio_crc_open() is due before.
 *
 * Return TSL_OK; TSL_EMEMORY; what 'read' does, or TSL_EIO.
 */
enum tsl_status TSL_MUST_USE npyio_crc_pieces(uint32_t *crc,
					      npyio_crc_read *read,
					      const void *from, int64_t lo,
					      int64_t hi, int64_t workers,
					      struct tsl_error *err);
enum tsl_status TSL_MUST_USE npyio_crc_file(uint32_t *crc, int fd, int64_t lo,
					    int64_t hi, int64_t workers,
					    struct tsl_error *err);

#endif /* NPYIO_CRC_PIECES_H */
