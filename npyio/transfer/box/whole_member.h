/*
 * whole_member.h - a stored member that is copied whole, its CRC-32 counted
 *
 * All of it goes by once, and what it goes to appears only at the end: so it is
 * proved by then, and need not be gone through before.
 */
#ifndef NPYIO_WHOLE_MEMBER_H
#define NPYIO_WHOLE_MEMBER_H

#include "npyio/transfer/common/fetch.h"
#include "npyio/transfer/common/request.h"

/* npyio_is_whole_member() says whether the job is such a copy. */
bool npyio_is_whole_member(const struct npyio_transfer *t);

struct npyio_whole_member {
	const struct npyio_reader *in;
	int64_t count; /* of pieces, in their order */
	struct npyio_counted *piece;
};

/*
 * npyio_whole_member_fetch() is npyio_fetch_bytes() of piece i.  When all have
 * come, npyio_whole_member_check() says whether they are what their archive
 * says.
 *
 * Return TSL_OK; TSL_EMEMORY; TSL_EIO; TSL_EBAD_ARCHIVE.
 */
enum tsl_status TSL_MUST_USE npyio_whole_member_open(
	struct npyio_whole_member *m, const struct npyio_reader *in,
	int64_t count, struct tsl_error *err);
enum tsl_status TSL_MUST_USE npyio_whole_member_fetch(
	const struct npyio_whole_member *m, int64_t i, struct npyio_fetch *f,
	int64_t lo, int64_t n, char *dst, struct tsl_error *err);
enum tsl_status TSL_MUST_USE npyio_whole_member_check(
	const struct npyio_whole_member *m, struct tsl_error *err);
void npyio_whole_member_close(struct npyio_whole_member *m);

/*
 * npyio_member_crc() counts the first n bytes of a stored member, its header
 * being the first, and npyio_member_crc_check() compares what all of them come
 * to; see crc.h and crc_pieces.h.
 */
enum tsl_status TSL_MUST_USE npyio_member_crc(uint32_t *crc,
					      const struct npyio_reader *in,
					      int64_t n, int64_t workers,
					      struct tsl_error *err);
enum tsl_status TSL_MUST_USE npyio_member_crc_check(
	const struct npyio_reader *in, uint32_t crc, struct tsl_error *err);

#endif /* NPYIO_WHOLE_MEMBER_H */
