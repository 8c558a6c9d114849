/*
 * zip.c - the directory of a zip archive: bytes to entries
 */
#include "zip.h"

#include "lib/base/overflow.h"
#include "lib/base/utf8.h"
#include "zip_records.h"

#include <string.h>

/* Bits of the flags. */
#define ENCRYPTED 0x1u
#define HAS_DESCRIPTOR 0x8u /* sizes and CRC stand behind the data, too */
#define PATCH 0x20u
#define STRONGLY_ENCRYPTED 0x40u
#define MASKED 0x2000u /* the local header is encrypted */

/* The format's version that is known here; the upper byte is a system. */
#define MAX_VERSION 63
#define VERSION 0xffu

/* Two bits at least make 258 bytes at most. */
#define MAX_INFLATION 1032

static unsigned
get16(const unsigned char *b)
{
	return b[0] | (unsigned)b[1] << 8;
}

static uint32_t
get32(const unsigned char *b)
{
	return get16(b) | (uint32_t)get16(b + 2) << 16;
}

static uint64_t
get64(const unsigned char *b)
{
	return get32(b) | (uint64_t)get32(b + 4) << 32;
}

static enum tsl_status
broken(struct tsl_error *err, const char *how)
{
	return tsl_fail(err, TSL_EBAD_ARCHIVE, "a broken zip archive: %s", how);
}

bool
npyio_zip_is(const unsigned char *bytes, size_t len)
{
	return len >= 4 && (get32(bytes) == NPYIO_ZIP_LOCAL_SIGNATURE ||
			    get32(bytes) == NPYIO_ZIP_END_SIGNATURE);
}

/* ---- the end ------------------------------------------------------------- */

/*
 * Finds the end record, whose comment goes on to the file's last byte.  Within
 * the comment of one there may lie another that does: who has put it there
 * wants two readers to see two archives.  Returns its place, or -1.
 */
static int64_t
find_end(const unsigned char *tail, size_t len, int *found)
{
	int64_t at = -1;

	*found = 0;
	for (size_t i = 0; i + NPYIO_ZIP_END_NBYTES <= len; i++) {
		if (tail[i] != 'P' ||
		    get32(tail + i) != NPYIO_ZIP_END_SIGNATURE ||
		    i + NPYIO_ZIP_END_NBYTES + get16(tail + i + 20) != len)
			continue;
		at = (int64_t)i;
		++*found;
	}
	return at;
}

/* The numbers of an end record, as wide as those of a zip64 record. */
struct numbers {
	uint64_t count, nbytes, offset;
};

/* A narrow number that is not full must be the wide one. */
static bool
agrees(uint64_t narrow, uint64_t full, uint64_t wide)
{
	return narrow == full || narrow == wide;
}

/*
 * The zip64 record stands in front of its locator, which stands in front of
 * the end record at tail[at].  It takes the place of what the latter says, and
 * '*at' becomes its own.
 */
static enum tsl_status
read_zip64(struct numbers *n, const unsigned char *tail, int64_t *at,
	   int64_t tail_offset, struct tsl_error *err)
{
	int64_t before =
		*at - NPYIO_ZIP_LOCATOR_NBYTES - NPYIO_ZIP_ZIP64_NBYTES;
	const unsigned char *record = tail + (before < 0 ? 0 : before);
	const unsigned char *locator = record + NPYIO_ZIP_ZIP64_NBYTES;
	struct numbers wide;

	if (before < 0 || get32(record) != NPYIO_ZIP_ZIP64_SIGNATURE ||
	    get64(record + 4) != NPYIO_ZIP_ZIP64_NBYTES - 12 ||
	    get64(locator + 8) != (uint64_t)(before + tail_offset))
		return broken(err,
			      "its zip64 record is not where it should be");
	wide = (struct numbers){ get64(record + 32), get64(record + 40),
				 get64(record + 48) };
	if (get32(locator + 4) != 0 || get32(locator + 16) > 1 ||
	    get32(record + 16) != 0 || get32(record + 20) != 0 ||
	    get64(record + 24) != wide.count)
		return broken(err, "it is one of several parts");
	if (!agrees(n->count, NPYIO_ZIP_FULL16, wide.count) ||
	    !agrees(n->nbytes, NPYIO_ZIP_FULL32, wide.nbytes) ||
	    !agrees(n->offset, NPYIO_ZIP_FULL32, wide.offset))
		return broken(err, "its two end records do not agree");
	*n = wide;
	*at = before;
	return TSL_OK;
}

enum tsl_status
npyio_zip_end_parse(struct npyio_zip_end *end, const unsigned char *tail,
		    size_t len, int64_t size, struct tsl_error *err)
{
	int64_t tail_offset = size - (int64_t)len;
	enum tsl_status status;
	const unsigned char *record;
	struct numbers n;
	int64_t at;
	int found;

	at = find_end(tail, len, &found);
	if (found != 1)
		return broken(err, found ? "it has more than one end"
					 : "its end is missing");
	record = tail + at;
	n = (struct numbers){ get16(record + 10), get32(record + 12),
			      get32(record + 16) };
	if (get16(record + 4) != 0 || get16(record + 6) != 0 ||
	    get16(record + 8) != n.count)
		return broken(err, "it is one of several parts");
	if (at >= NPYIO_ZIP_LOCATOR_NBYTES &&
	    get32(record - NPYIO_ZIP_LOCATOR_NBYTES) ==
		    NPYIO_ZIP_LOCATOR_SIGNATURE) {
		status = read_zip64(&n, tail, &at, tail_offset, err);
		if (status)
			return status;
	}
	at += tail_offset;
	if (n.offset > (uint64_t)at || n.nbytes != (uint64_t)at - n.offset)
		return broken(err, "its directory is not where it should be");
	if (n.count > n.nbytes / NPYIO_ZIP_ENTRY_NBYTES)
		return broken(err, "its directory is too short");
	*end = (struct npyio_zip_end){ (int64_t)n.count, (int64_t)n.offset,
				       (int64_t)n.nbytes,
				       len - (size_t)(record - tail) -
					       NPYIO_ZIP_END_NBYTES };
	return TSL_OK;
}

/* ---- entries ------------------------------------------------------------- */

/* The zip64 field among the extra ones, with its length; or NULL. */
static const unsigned char *
zip64_field(const unsigned char *extra, size_t len, size_t *n)
{
	while (len >= NPYIO_ZIP_FIELD_NBYTES) {
		*n = get16(extra + 2);
		if (*n > len - NPYIO_ZIP_FIELD_NBYTES)
			return NULL;
		if (get16(extra) == NPYIO_ZIP_ZIP64_FIELD)
			return extra + NPYIO_ZIP_FIELD_NBYTES;
		extra += NPYIO_ZIP_FIELD_NBYTES + *n;
		len -= NPYIO_ZIP_FIELD_NBYTES + *n;
	}
	return NULL;
}

/*
 * Puts what did not fit into 32 bits, in the order of the zip64 field, which
 * has those numbers only.
 */
static bool
widen(uint64_t *const numbers[], int n, const unsigned char *extra, size_t len)
{
	size_t left = 0;
	const unsigned char *field = zip64_field(extra, len, &left);

	for (int i = 0; i < n; i++) {
		if (*numbers[i] != NPYIO_ZIP_FULL32)
			continue;
		if (!field || left < 8)
			return false;
		*numbers[i] = get64(field);
		field += 8;
		left -= 8;
	}
	return true;
}

enum tsl_status
npyio_zip_entry_parse(struct npyio_zip_entry *e, const unsigned char *bytes,
		      size_t len, size_t *pos, struct tsl_error *err)
{
	const unsigned char *b = bytes + *pos;
	uint64_t packed, size, offset;
	size_t name_len, extra_len, nbytes;

	if (len - *pos < NPYIO_ZIP_ENTRY_NBYTES ||
	    get32(b) != NPYIO_ZIP_ENTRY_SIGNATURE)
		return broken(err, "an entry of its directory is missing");
	name_len = get16(b + 28);
	extra_len = get16(b + 30);
	nbytes = NPYIO_ZIP_ENTRY_NBYTES + name_len + extra_len + get16(b + 32);
	if (nbytes > len - *pos)
		return broken(err, "its directory is cut short");
	packed = get32(b + 20);
	size = get32(b + 24);
	offset = get32(b + 42);
	if (!widen((uint64_t *const[]){ &size, &packed, &offset }, 3,
		   b + NPYIO_ZIP_ENTRY_NBYTES + name_len, extra_len) ||
	    packed > INT64_MAX || size > INT64_MAX || offset > INT64_MAX)
		return broken(err, "an entry's sizes are");
	if (memchr(b + NPYIO_ZIP_ENTRY_NBYTES, '\0', name_len))
		return broken(err, "a name has a NUL");
	*e = (struct npyio_zip_entry){
		.name = (const char *)b + NPYIO_ZIP_ENTRY_NBYTES,
		.name_len = name_len,
		.version = get16(b + 6) & VERSION,
		.flags = get16(b + 8),
		.method = get16(b + 10),
		.crc = get32(b + 16),
		.packed = (int64_t)packed,
		.size = (int64_t)size,
		.offset = (int64_t)offset,
	};
	*pos += nbytes;
	return TSL_OK;
}

/* It was parsed before: the field is there if it is needed. */
void
npyio_zip_entry_move(unsigned char *entry, int64_t offset)
{
	unsigned char *at = entry + 42;
	unsigned char *extra =
		entry + NPYIO_ZIP_ENTRY_NBYTES + get16(entry + 28);
	size_t n = 4, left;

	if (get32(at) == NPYIO_ZIP_FULL32) {
		const unsigned char *field =
			zip64_field(extra, get16(entry + 30), &left);

		at = extra + (field - extra) +
		     (get32(entry + 24) == NPYIO_ZIP_FULL32 ? 8 : 0) +
		     (get32(entry + 20) == NPYIO_ZIP_FULL32 ? 8 : 0);
		n = 8;
	}
	for (size_t i = 0; i < n; i++)
		at[i] = (unsigned char)((uint64_t)offset >> (8 * i));
}

static enum tsl_status
check_version(unsigned version, struct tsl_error *err)
{
	return version <= MAX_VERSION
		       ? TSL_OK
		       : tsl_fail(err, TSL_EBAD_ARCHIVE,
				  "the member needs version %u.%u of the zip "
				  "format, and only %d.%d is known",
				  version / 10, version % 10, MAX_VERSION / 10,
				  MAX_VERSION % 10);
}

enum tsl_status
npyio_zip_entry_check(const struct npyio_zip_entry *e, struct tsl_error *err)
{
	if (e->flags & (ENCRYPTED | STRONGLY_ENCRYPTED | MASKED))
		return tsl_fail(err, TSL_EBAD_ARCHIVE,
				"the member is encrypted");
	if ((e->method != NPYIO_ZIP_STORED &&
	     e->method != NPYIO_ZIP_DEFLATED) ||
	    e->flags & PATCH)
		return tsl_fail(err, TSL_EBAD_ARCHIVE,
				"the member is compressed by method %u, and "
				"only deflate (8) is known",
				e->method);
	if (e->flags & NPYIO_ZIP_UTF8 && !tsl_utf8_is(e->name, e->name_len))
		return broken(err, "the member's name is not UTF-8, as it "
				   "says");
	if (e->method == NPYIO_ZIP_STORED ? e->packed != e->size
					  : e->size / MAX_INFLATION > e->packed)
		return broken(err, "the member's size cannot be true");
	return check_version(e->version, err);
}

int64_t
npyio_zip_least_end(const struct npyio_zip_entry *e)
{
	int64_t end;

	if (!tsl_add(e->offset, NPYIO_ZIP_LOCAL + (int64_t)e->name_len, &end) ||
	    !tsl_add(end, e->packed, &end))
		return INT64_MAX;
	return end;
}

/* ---- local headers ------------------------------------------------------- */

size_t
npyio_zip_local_rest(const unsigned char *header)
{
	return (size_t)get16(header + 26) + get16(header + 28);
}

/* Where a descriptor follows the data, the header may have left them out. */
static bool
sizes_agree(const struct npyio_zip_entry *e, const unsigned char *header,
	    const unsigned char *extra)
{
	uint64_t packed = get32(header + 18), size = get32(header + 22);

	if (e->flags & HAS_DESCRIPTOR)
		return true;
	return widen((uint64_t *const[]){ &size, &packed }, 2, extra,
		     get16(header + 28)) &&
	       get32(header + 14) == e->crc && packed == (uint64_t)e->packed &&
	       size == (uint64_t)e->size;
}

enum tsl_status
npyio_zip_local_check(const struct npyio_zip_entry *e,
		      const unsigned char *header, const unsigned char *rest,
		      struct tsl_error *err)
{
	size_t name_len = get16(header + 26);
	unsigned differ = get16(header + 6) ^ e->flags;

	if (get32(header) != NPYIO_ZIP_LOCAL_SIGNATURE)
		return broken(err, "the member is not where it should be");
	if (differ & (ENCRYPTED | HAS_DESCRIPTOR | STRONGLY_ENCRYPTED) ||
	    get16(header + 8) != e->method || name_len != e->name_len ||
	    memcmp(rest, e->name, name_len) != 0 ||
	    !sizes_agree(e, header, rest + name_len))
		return broken(err, "the member's own header does not agree "
				   "with the directory");
	return check_version(get16(header + 4) & VERSION, err);
}
