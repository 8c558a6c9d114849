/*
 * zip.h - the directory of a zip archive: bytes to entries
 *
 *	local header | name | extra | data	of each entry
 *	entry | name | extra | comment		of each: the directory
 *	[zip64 record | locator]
 *	end record | comment
 *
 * What is read twice, or could be read in two ways, must agree: an archive
 * that looks different to two readers is broken.
 *
 * Why there is no library for this: those that there are hand out bytes, and
 * do not say where a stored member lies in the file, or do not check that
 * entries lie apart; and libzip brings a cryptographic library along, which
 * more than doubles the time that a command takes to start.  What is hard,
 * inflating, is zlib's.
 *
 * Source: PKWARE, APPNOTE.TXT, version 6.3.10.
 */
#ifndef NPYIO_ZIP_H
#define NPYIO_ZIP_H

#include "lib/base/status.h"

#include <stddef.h>

/* npyio_zip_is() says whether a file that begins so is an archive, as NumPy
 * tells them: by the first entry, or by the end of an empty one. */
bool npyio_zip_is(const unsigned char *bytes, size_t len);

/* So much of a file's end has the end records, and a comment of any length. */
#define NPYIO_ZIP_TAIL (56 + 20 + 22 + 65535)

struct npyio_zip_end {
	int64_t count; /* entries */
	int64_t offset, nbytes; /* of the directory */
	size_t comment_len; /* of the archive's, which ends it */
};

/*
 * npyio_zip_end_parse() finds the directory from the last 'len' bytes of a file
 * of 'size' bytes: NPYIO_ZIP_TAIL, or all there are.  The directory lies within
 * the file, and ends where the end records begin.  Returns TSL_OK;
 * TSL_EBAD_ARCHIVE.
 */
enum tsl_status TSL_MUST_USE npyio_zip_end_parse(struct npyio_zip_end *end,
						 const unsigned char *tail,
						 size_t len, int64_t size,
						 struct tsl_error *err);

enum npyio_zip_method { NPYIO_ZIP_STORED = 0, NPYIO_ZIP_DEFLATED = 8 };

struct npyio_zip_entry {
	const char *name; /* in the directory's bytes; no NUL within */
	size_t name_len;
	unsigned version; /* that who reads it has to know: 63 is 6.3 */
	unsigned flags, method; /* as they stand there */
	uint32_t crc; /* of the data, unpacked */
	int64_t packed, size; /* bytes of data: in the file, and unpacked */
	int64_t offset; /* in the file, of the local header */
};

/*
 * npyio_zip_entry_parse() reads the entry at bytes[*pos] of a directory and
 * moves '*pos' behind it.  Returns TSL_OK; TSL_EBAD_ARCHIVE.
 */
enum tsl_status TSL_MUST_USE npyio_zip_entry_parse(struct npyio_zip_entry *e,
						   const unsigned char *bytes,
						   size_t len, size_t *pos,
						   struct tsl_error *err);

/*
 * npyio_zip_entry_move() has an entry that was parsed say that its local header
 * is at 'offset', which is no greater than what it said.
 */
void npyio_zip_entry_move(unsigned char *entry, int64_t offset);

/*
 * npyio_zip_entry_check() says whether the entry's data can be had: they are
 * not encrypted, stored or deflated, of no later version of the format, and
 * there may be as many as it claims; and its name is UTF-8 if it says so.
 * Returns TSL_OK; TSL_EBAD_ARCHIVE.
 */
enum tsl_status TSL_MUST_USE
npyio_zip_entry_check(const struct npyio_zip_entry *e, struct tsl_error *err);

/* npyio_zip_least_end() is where the entry's data end at the earliest. */
int64_t npyio_zip_least_end(const struct npyio_zip_entry *e);

/* A local header is so long, and then come its name and extra fields. */
#define NPYIO_ZIP_LOCAL 30

/*
 * npyio_zip_local_rest() is how many bytes of names and extra fields follow a
 * local header, of which all NPYIO_ZIP_LOCAL bytes are there.
 *
 * npyio_zip_local_check() makes sure that the header, with those behind it,
 * says what the directory does.  Returns TSL_OK; TSL_EBAD_ARCHIVE.
 */
size_t npyio_zip_local_rest(const unsigned char *header);
enum tsl_status TSL_MUST_USE npyio_zip_local_check(
	const struct npyio_zip_entry *e, const unsigned char *header,
	const unsigned char *rest, struct tsl_error *err);

#endif /* NPYIO_ZIP_H */
