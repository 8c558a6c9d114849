/*
 * zip_write.c - the records of a zip archive: entries to bytes
 */
#include "zip_write.h"

#include "lib/base/minmax.h"
#include "lib/base/utf8.h"
#include "zip_records.h"

#include <string.h>

#define VERSION 45 /* 4.5 has zip64 */
#define UNIX 3u
#define MODE (0600u << 16)
#define DATE 0x21u /* 1980-01-01 */

/* Larger numbers are wide: not all who read them take 32 bits for unsigned. */
#define MAX_NARROW INT32_MAX

/* Of a local header: two sizes. */
#define LOCAL_EXTRA (NPYIO_ZIP_FIELD_NBYTES + 16)

static unsigned char *
put(unsigned char *b, uint64_t value, int nbytes)
{
	for (int i = 0; i < nbytes; i++)
		*b++ = (unsigned char)(value >> (8 * i));
	return b;
}

static bool
is_ascii(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)s[i] >= 0x80)
			return false;
	return true;
}

/* What is neither says nothing, and is read as it was written. */
void
npyio_zip_entry_init(struct npyio_zip_entry *e, const char *name,
		     size_t name_len, enum npyio_zip_method method)
{
	bool says_utf8 =
		!is_ascii(name, name_len) && tsl_utf8_is(name, name_len);

	*e = (struct npyio_zip_entry){
		.name = name,
		.name_len = name_len,
		.version = VERSION,
		.flags = says_utf8 ? NPYIO_ZIP_UTF8 : 0,
		.method = method,
	};
}

/* ---- local headers ------------------------------------------------------- */

size_t
npyio_zip_local_nbytes(const struct npyio_zip_entry *e)
{
	return NPYIO_ZIP_LOCAL + e->name_len + LOCAL_EXTRA;
}

/* From the version to the CRC, which both headers have. */
static unsigned char *
put_common(unsigned char *b, const struct npyio_zip_entry *e)
{
	b = put(b, e->version, 2);
	b = put(b, e->flags, 2);
	b = put(b, e->method, 2);
	b = put(b, 0, 2);
	b = put(b, DATE, 2);
	return put(b, e->crc, 4);
}

static unsigned char *
put_name(unsigned char *b, const struct npyio_zip_entry *e)
{
	memcpy(b, e->name, e->name_len);
	return b + e->name_len;
}

void
npyio_zip_local_format(unsigned char *dst, const struct npyio_zip_entry *e)
{
	unsigned char *b = put(dst, NPYIO_ZIP_LOCAL_SIGNATURE, 4);

	b = put_common(b, e);
	b = put(b, NPYIO_ZIP_FULL32, 4);
	b = put(b, NPYIO_ZIP_FULL32, 4);
	b = put(b, e->name_len, 2);
	b = put(b, LOCAL_EXTRA, 2);
	b = put_name(b, e);
	b = put(b, NPYIO_ZIP_ZIP64_FIELD, 2);
	b = put(b, 16, 2);
	b = put(b, (uint64_t)e->size, 8);
	put(b, (uint64_t)e->packed, 8);
}

/* ---- the directory ------------------------------------------------------- */

size_t
npyio_zip_entry_format(unsigned char *dst, const struct npyio_zip_entry *e)
{
	bool wide_sizes = e->size > MAX_NARROW || e->packed > MAX_NARROW;
	bool wide_offset = e->offset > MAX_NARROW;
	unsigned field = (wide_sizes ? 16u : 0) + (wide_offset ? 8u : 0);
	unsigned char *b = put(dst, NPYIO_ZIP_ENTRY_SIGNATURE, 4);

	b = put(b, UNIX << 8 | VERSION, 2);
	b = put_common(b, e);
	b = put(b, wide_sizes ? NPYIO_ZIP_FULL32 : (uint64_t)e->packed, 4);
	b = put(b, wide_sizes ? NPYIO_ZIP_FULL32 : (uint64_t)e->size, 4);
	b = put(b, e->name_len, 2);
	b = put(b, field ? NPYIO_ZIP_FIELD_NBYTES + field : 0, 2);
	b = put(b, 0, 2 + 2 + 2); /* comment, disk, internal attributes */
	b = put(b, MODE, 4);
	b = put(b, wide_offset ? NPYIO_ZIP_FULL32 : (uint64_t)e->offset, 4);
	b = put_name(b, e);
	if (field) {
		b = put(b, NPYIO_ZIP_ZIP64_FIELD, 2);
		b = put(b, field, 2);
	}
	if (wide_sizes) {
		b = put(b, (uint64_t)e->size, 8);
		b = put(b, (uint64_t)e->packed, 8);
	}
	if (wide_offset)
		b = put(b, (uint64_t)e->offset, 8);
	return (size_t)(b - dst);
}

static unsigned char *
put_zip64(unsigned char *b, const struct npyio_zip_end *end)
{
	b = put(b, NPYIO_ZIP_ZIP64_SIGNATURE, 4);
	b = put(b, NPYIO_ZIP_ZIP64_NBYTES - 12, 8);
	b = put(b, VERSION, 2);
	b = put(b, VERSION, 2);
	b = put(b, 0, 4 + 4);
	b = put(b, (uint64_t)end->count, 8);
	b = put(b, (uint64_t)end->count, 8);
	b = put(b, (uint64_t)end->nbytes, 8);
	b = put(b, (uint64_t)end->offset, 8);
	b = put(b, NPYIO_ZIP_LOCATOR_SIGNATURE, 4);
	b = put(b, 0, 4);
	b = put(b, (uint64_t)(end->offset + end->nbytes), 8);
	return put(b, 1, 4);
}

size_t
npyio_zip_end_format(unsigned char *dst, const struct npyio_zip_end *end)
{
	uint64_t count = (uint64_t)tsl_min(end->count, NPYIO_ZIP_FULL16);
	unsigned char *b = dst;

	if (end->count > NPYIO_ZIP_FULL16 || end->offset > MAX_NARROW ||
	    end->nbytes > MAX_NARROW)
		b = put_zip64(b, end);
	b = put(b, NPYIO_ZIP_END_SIGNATURE, 4);
	b = put(b, 0, 2 + 2);
	b = put(b, count, 2);
	b = put(b, count, 2);
	b = put(b, (uint64_t)tsl_min(end->nbytes, NPYIO_ZIP_FULL32), 4);
	b = put(b, (uint64_t)tsl_min(end->offset, NPYIO_ZIP_FULL32), 4);
	b = put(b, end->comment_len, 2);
	return (size_t)(b - dst);
}
