/*
 * zip_archive.h - what the container of zip archives knows of its records, for
 * who copies them
 *
 * Offsets and sizes are in BYTES, from the file's first.
 */
#ifndef NPYIO_ZIP_ARCHIVE_H
#define NPYIO_ZIP_ARCHIVE_H

#include "container.h"
#include "zip.h"

struct npyio_zip_records {
	const unsigned char *entries; /* the directory's bytes */
	size_t nbytes;
	int64_t directory; /* where it begins, and what is copied ends */
	size_t comment_len; /* of the archive's comment, which ends the file */
};

/*
 * npyio_zip_archive_records() stores them, of what npyio_zip_container has
 * opened.  npyio_zip_archive_extent() looks at the own header of the entry 'e',
 * and stores where ends what it takes of the file: where the next begins, or
 * the directory.  Returns TSL_OK; TSL_EBAD_ARCHIVE; TSL_EMEMORY; what read()
 * does.
 */
void npyio_zip_archive_records(const void *content,
			       struct npyio_zip_records *r);
enum tsl_status TSL_MUST_USE npyio_zip_archive_extent(
	const void *content, const struct npyio_bytes *file,
	const struct npyio_zip_entry *e, int64_t *end, struct tsl_error *err);

#endif /* NPYIO_ZIP_ARCHIVE_H */
