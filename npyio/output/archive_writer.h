/*
 * archive_writer.h - an archive that appears whole or not at all, members at a
 * time
 *
 * The new archive is another file until it is whole.  It begins with what is
 * kept of the one that it replaces: blocks of the old file where the file
 * system can share them, else a copy.  Then come new members, one after the
 * other; then the directory.
 *
 *	open  { begin, bytes, end | drop }...  commit  close
 *
 * The bytes of a stored member are written to the file itself, from
 * npyio_archive_writer_offset() on, in any order and by any thread; its CRC is
 * counted when it ends.  Those of a deflated one are put in order.  writer.h
 * does either, as npyio_writer_open_member().
 */
#ifndef NPYIO_ARCHIVE_WRITER_H
#define NPYIO_ARCHIVE_WRITER_H

#include "lib/base/status.h"

#include <stddef.h>

struct npyio_archive_writer; /* owns the file until it has appeared */

struct npyio_archive_writer_options {
	bool anew; /* nothing is kept of an archive that is there */
	const char *without; /* a name: nor is such a member; or NULL */
	bool no_clobber; /* an archive (anew), such a member is not replaced */
	bool sync; /* the archive and its name are to be on the disk */
	int level; /* 0: members are stored; 1 to 9: deflated */
	int threads; /* that deflate, and count */
};

/*
 * npyio_archive_writer_open() makes the archive that is to stand at 'path', and
 * puts into it what is kept.  'path' must outlive it.
 *
 * Returns TSL_OK; TSL_EBAD_ARCHIVE for a file that is no archive, or a broken
 * one; TSL_EIO, TSL_EMEMORY; all with the path as the error's subject, as of
 * the others.
 */
enum tsl_status TSL_MUST_USE npyio_archive_writer_open(
	struct npyio_archive_writer **archive_new, const char *path,
	const struct npyio_archive_writer_options *options,
	struct tsl_error *err);

/*
 * npyio_archive_writer_begin() begins the member 'name', to which ".npy" is
 * added if it does not end so.  It must be none of those that are there.
 *
 * Returns TSL_OK; TSL_EUSAGE for what is no name, see member_name.h; TSL_EIO,
 * TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE
npyio_archive_writer_begin(struct npyio_archive_writer *a, const char *name,
			   struct tsl_error *err);

/* npyio_archive_writer_path() is the archive's. */
const char *npyio_archive_writer_path(const struct npyio_archive_writer *a);

/*
 * npyio_archive_writer_fd() is the file, which stays the archive's; the member
 * that was begun is all that it has from npyio_archive_writer_offset() on.
 * npyio_archive_writer_is_deflated() says that its bytes are to be put, by
 * npyio_archive_writer_put(), in order.
 */
int npyio_archive_writer_fd(const struct npyio_archive_writer *a);
int64_t npyio_archive_writer_offset(const struct npyio_archive_writer *a);
bool npyio_archive_writer_is_deflated(const struct npyio_archive_writer *a);
enum tsl_status TSL_MUST_USE
npyio_archive_writer_put(struct npyio_archive_writer *a, const void *bytes,
			 size_t n, struct tsl_error *err);

/*
 * npyio_archive_writer_end() ends the member, whose bytes are all there;
 * npyio_archive_writer_drop() takes it back, as does an end that failed, and
 * another may be begun.
 */
enum tsl_status TSL_MUST_USE
npyio_archive_writer_end(struct npyio_archive_writer *a, struct tsl_error *err);
void npyio_archive_writer_drop(struct npyio_archive_writer *a);

/*
 * npyio_archive_writer_commit() writes the directory and makes the archive
 * appear.  An archive that was made, or changed, by somebody else meanwhile
 * stays: what was kept is not what it has now.
 *
 * npyio_archive_writer_close() drops the file unless it has appeared; NULL is
 * allowed.
 */
enum tsl_status TSL_MUST_USE npyio_archive_writer_commit(
	struct npyio_archive_writer *a, struct tsl_error *err);
void npyio_archive_writer_close(struct npyio_archive_writer *a);

#endif /* NPYIO_ARCHIVE_WRITER_H */
