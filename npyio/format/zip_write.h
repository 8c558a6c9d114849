/*
 * zip_write.h - the records of a zip archive: entries to bytes
 *
 * As numpy.savez has them written: made on 1980-01-01 by a program that knows
 * version 4.5, by a Unix, readable by the owner.  So the same entries are the
 * same bytes, whenever and by whomever they are written.
 *
 * Source: PKWARE, APPNOTE.TXT, version 6.3.10.
 */
#ifndef NPYIO_ZIP_WRITE_H
#define NPYIO_ZIP_WRITE_H

#include "zip.h"

/* npyio_zip_entry_init() is for a name that is not empty. */
void npyio_zip_entry_init(struct npyio_zip_entry *e, const char *name,
			  size_t name_len, enum npyio_zip_method method);

/* Names are no longer. */
#define NPYIO_ZIP_MAX_NAME 65535

/*
 * npyio_zip_local_nbytes() is how long the entry's local header is, with name
 * and extra field, whatever the sizes; npyio_zip_local_format() writes it.
 */
size_t npyio_zip_local_nbytes(const struct npyio_zip_entry *e);
void npyio_zip_local_format(unsigned char *dst,
			    const struct npyio_zip_entry *e);

/*
 * npyio_zip_entry_format() writes the entry of a directory, of up to
 * NPYIO_ZIP_ENTRY_MOST bytes and its name, and returns how many.
 */
#define NPYIO_ZIP_ENTRY_MOST (46 + 28)
size_t npyio_zip_entry_format(unsigned char *dst,
			      const struct npyio_zip_entry *e);

/*
 * npyio_zip_end_format() writes the end records, up to NPYIO_ZIP_END_MOST
 * bytes, and returns how many; a comment of comment_len bytes is to follow.
 */
#define NPYIO_ZIP_END_MOST (56 + 20 + 22)
size_t npyio_zip_end_format(unsigned char *dst,
			    const struct npyio_zip_end *end);

#endif /* NPYIO_ZIP_WRITE_H */
