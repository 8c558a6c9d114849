/*
 * crc.c - the CRC-32 of bytes, as zip archives have it
 */
#include "crc.h"

#include "npyio/library/isal.h"
#include "npyio/library/zlib.h"

enum tsl_status
npyio_crc_open(const char *what, struct tsl_error *err)
{
	(void)npyio_isal_load();
	return npyio_zlib_load(what, err);
}

uint32_t
npyio_crc(uint32_t crc, const void *bytes, size_t n)
{
	if (npyio_isal_crc(&crc, bytes, n))
		return crc;
	return (uint32_t)npyio_zlib()->crc32_z(crc, bytes, n);
}

uint32_t
npyio_crc_join(uint32_t first, uint32_t second, int64_t n)
{
	return (uint32_t)npyio_zlib()->crc32_combine(first, second, (z_off_t)n);
}

/* Twice as many at each step. */
uint32_t
npyio_crc_zeros(uint32_t crc, int64_t n)
{
	uint32_t power = npyio_crc(0, "", 1);

	for (int64_t of = 1; n > 0; n >>= 1) {
		if (n & 1)
			crc = npyio_crc_join(crc, power, of);
		if (n > 1) {
			power = npyio_crc_join(power, power, of);
			of *= 2;
		}
	}
	return crc;
}

enum tsl_status
npyio_crc_check(uint32_t is, uint32_t should_be, struct tsl_error *err)
{
	if (is == should_be)
		return TSL_OK;
	return tsl_fail(err, TSL_EBAD_ARCHIVE,
			"the member is damaged: its CRC-32 is %08x, and should "
			"be %08x",
			(unsigned)is, (unsigned)should_be);
}
