/*
 * archive.h - a file that holds arrays, and where they lie: an .npz file, or
 * another container
 *
 * A member is called by its name, byte by byte, or by its name without the
 * suffix of its kind.  Names are never taken for paths.
 */
#ifndef NPYIO_ARCHIVE_H
#define NPYIO_ARCHIVE_H

#include "lib/base/status.h"
#include "npyio/format/zip_archive.h"
#include "shared_descriptor.h"

#include <stddef.h>
#include <sys/stat.h>

struct npyio_archive; /* owns a descriptor, and the directory's bytes */

/*
 * npyio_archive_is() looks at the file 'fd', which was opened as 'path'.
 * Returns TSL_OK; TSL_EIO, and nobody knows.
 */
enum tsl_status TSL_MUST_USE
npyio_archive_is(int fd, const char *path, const struct npyio_container **kind,
		 struct tsl_error *err);

/*
 * npyio_archive_open() opens what 'path' leads to: the archive of that name,
 * or FILE of a "FILE:NAME" that is no file, with '*member' being NAME, or else
 * NULL.  Where there is neither, that is no failure, and there is no
 * '*archive_new'.
 *
 * Returns TSL_OK; TSL_EBAD_ARCHIVE, also for a FILE that is none; TSL_EIO,
 * TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE
npyio_archive_open(struct npyio_archive **archive_new, const char *path,
		   const char **member, struct tsl_error *err);
void npyio_archive_close(struct npyio_archive *a); /* NULL is allowed */

/*
 * npyio_archive_reopen() is the same for one path after the other: '*archive'
 * is what an earlier one led to, or NULL, and stays if that is what this one
 * leads to; else it is closed, and another takes its place.  '*found' says
 * whether there is one.
 */
enum tsl_status TSL_MUST_USE
npyio_archive_reopen(struct npyio_archive **archive, const char *path,
		     const char **member, bool *found, struct tsl_error *err);

/*
 * npyio_archive_read() reads what the file 'fd', which becomes the archive's,
 * on failure too, says of its arrays.  Returns TSL_OK; TSL_EBAD_ARCHIVE;
 * TSL_EIO, TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE
npyio_archive_read(struct npyio_archive **archive_new, int fd,
		   const struct npyio_container *kind, struct tsl_error *err);
enum tsl_status TSL_MUST_USE npyio_archive_read_shared(
	struct npyio_archive **archive_new,
	struct npyio_shared_descriptor *file,
	const struct npyio_container *kind, struct tsl_error *err);

/*
 * npyio_archive_open_url() is npyio_archive_reopen() for a URL, of which
 * nothing is looked up again while the archive is the same.  'file' is what it
 * leads to, if that is open already, or NULL.
 */
enum tsl_status TSL_MUST_USE
npyio_archive_open_url(struct npyio_archive **archive,
		       struct npyio_shared_descriptor *file, const char *url,
		       const char **member, bool *found, struct tsl_error *err);

/* npyio_archive_url() is where the URL that it was opened by is noted. */
char **npyio_archive_url(struct npyio_archive *a);

/*
 * npyio_archive_is_file() says whether it is the file 'st', as it was when it
 * was opened.
 */
bool npyio_archive_is_file(const struct npyio_archive *a,
			   const struct stat *st);

/*
 * npyio_archive_leads_in() is the kind of archive to a member of which, there
 * or not, 'path' leads; its first '*file_len' bytes are the archive's.  NULL if
 * it leads to none, or is the name of a file.
 */
const struct npyio_container *npyio_archive_leads_in(const char *path,
						     size_t *file_len);

/* npyio_archive_name() is how member i is called, of '*len' bytes. */
int64_t npyio_archive_count(const struct npyio_archive *a);
const char *npyio_archive_name(const struct npyio_archive *a, int64_t i,
			       int *len);

/*
 * npyio_archive_find() finds a member by its name, npyio_archive_only() the one
 * that there is.  Return TSL_OK; TSL_ENPZ_MEMBER, with what there is;
 * TSL_EBAD_ARCHIVE for a name that is there twice.
 */
enum tsl_status TSL_MUST_USE npyio_archive_find(struct npyio_archive *a,
						const char *name, int64_t *i,
						struct tsl_error *err);
enum tsl_status TSL_MUST_USE npyio_archive_only(const struct npyio_archive *a,
						int64_t *i,
						struct tsl_error *err);

/*
 * npyio_archive_check_name() is for who goes through all of them: of a name
 * that is there twice it returns TSL_EBAD_ARCHIVE.  '*is_first' says that no
 * member before i has i's.
 */
enum tsl_status TSL_MUST_USE npyio_archive_check_name(struct npyio_archive *a,
						      int64_t i, bool *is_first,
						      struct tsl_error *err);

/*
 * npyio_archive_member() stores where member i lies in the file, which is to be
 * dropped, also after the archive's close. Returns TSL_OK; TSL_EBAD_ARCHIVE;
 * TSL_EIO, TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE npyio_archive_member(
	const struct npyio_archive *a, int64_t i, struct npyio_member *m,
	struct npyio_shared_descriptor **file_new, struct tsl_error *err);

/* An archive as it stands in its file, for who copies it. */
struct npyio_archive_records {
	int fd; /* the archive's own */
	int64_t size; /* of the file */
	struct npyio_zip_records zip;
};

/*
 * npyio_archive_records() stores them.  npyio_archive_extent() looks at the own
 * header of the entry 'e', and stores where ends what it takes of the file:
 * where the next begins, or the directory.  Returns TSL_OK; TSL_EBAD_ARCHIVE;
 * TSL_EIO, TSL_EMEMORY.
 */
void npyio_archive_records(const struct npyio_archive *a,
			   struct npyio_archive_records *r);
enum tsl_status TSL_MUST_USE npyio_archive_extent(
	const struct npyio_archive *a, const struct npyio_zip_entry *e,
	int64_t *end, struct tsl_error *err);

#endif /* NPYIO_ARCHIVE_H */
