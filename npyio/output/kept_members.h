/*
 * kept_members.h - an archive's members, copied to another as they stand there
 *
 * Their bytes, with all that lies between them, stay the same, and move up only
 * by what is left out in front of them.
 */
#ifndef NPYIO_KEPT_MEMBERS_H
#define NPYIO_KEPT_MEMBERS_H

#include "npyio/format/zip.h"
#include "npyio/input/archive.h"

/* The entries of a directory that is being made. */
struct npyio_entries {
	unsigned char *bytes; /* owned */
	size_t len, room;
	int64_t count;
};

/*
 * npyio_entries_add() adds one at the end.  Returns TSL_OK; TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE npyio_entries_add(struct npyio_entries *d,
					       const struct npyio_zip_entry *e,
					       struct tsl_error *err);
void npyio_entries_free(struct npyio_entries *d);

/* What of an archive is left out: [lo, hi) of its file. */
struct npyio_gone {
	int64_t lo, hi;
};

struct npyio_kept_members {
	struct npyio_archive_records from;
	const char *without; /* a name; or NULL */
	int64_t ngone;
	struct npyio_gone *gone; /* in the file's order; owned */
};

/*
 * npyio_kept_members_find() finds out what is kept of an archive, which must
 * outlive it, if members of the name 'without' are not.  Each one's own header
 * is looked at.  To be freed on failure too.
 *
 * npyio_kept_members_copy() copies that to the file 'to', from its first byte
 * on, and stores where it ends; npyio_kept_members_entries() adds their
 * entries.
 *
 * Return TSL_OK; TSL_EBAD_ARCHIVE; TSL_EIO, TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE npyio_kept_members_find(
	struct npyio_kept_members *k, const struct npyio_archive *from,
	const char *without, struct tsl_error *err);
enum tsl_status TSL_MUST_USE
npyio_kept_members_copy(const struct npyio_kept_members *k, int to,
			int64_t *end, struct tsl_error *err);
enum tsl_status TSL_MUST_USE
npyio_kept_members_entries(const struct npyio_kept_members *k,
			   struct npyio_entries *d, struct tsl_error *err);
void npyio_kept_members_free(struct npyio_kept_members *k);

#endif /* NPYIO_KEPT_MEMBERS_H */
