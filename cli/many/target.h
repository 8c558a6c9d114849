/*
 * target.h - the directory, or the archive, that many results go to
 */
#ifndef CLI_TARGET_H
#define CLI_TARGET_H

#include "npyio/format/text.h"
#include "npyio/output/archive_writer.h"
#include "npyio/output/small_file.h"
#include "npyio/output/writer.h"

#include <stdatomic.h>

struct target {
	const char *path;
	int dir; /* it; -1: not open */
	struct npyio_archive_writer *archive; /* in place of it; or NULL */
	atomic_bool has_members;
	bool sync;
	struct npyio_small_files files;
	atomic_int synced; /* results that were by themselves */
	atomic_bool to_sync; /* there are others */
};

/* Where a worker was last. */
struct target_place {
	int dir; /* a directory below it; -1: none */
	struct npyio_text name; /* its name */
	struct npyio_text path; /* of a result */
};

/*
 * target_open() opens the directory, before anything else, and before there are
 * threads; target_close() is due in any case, and before, unless there was a
 * failure, target_sync(), after which all results are on the disk.
 *
 * Return TSL_OK; TSL_EIO.
 */
enum tsl_status TSL_MUST_USE target_open(struct target *t, const char *path,
					 bool sync, struct tsl_error *err);
enum tsl_status TSL_MUST_USE target_sync(struct target *t,
					 struct tsl_error *err);
void target_close(struct target *t);

void target_place_init(struct target_place *p);
void target_place_free(struct target_place *p);

/*
 * target_is_archive() says whether 'path' is to be an archive.
 *
 * target_open_archive() makes it, and target_begin_member() begins a member,
 * one at a time; of those that are committed target_commit() makes the archive
 * appear, if there are any.  Return what npyio_archive_writer_open() does.
 */
bool target_is_archive(const char *path);
enum tsl_status TSL_MUST_USE
target_open_archive(struct target *t, const char *path,
		    const struct npyio_archive_writer_options *options,
		    struct tsl_error *err);
enum tsl_status TSL_MUST_USE
target_begin_member(struct target *t, struct npyio_writer **writer_new,
		    const char *name, struct tsl_error *err);
enum tsl_status TSL_MUST_USE target_commit(struct target *t,
					   struct tsl_error *err);

/*
 * target_make() makes a result of n bytes, 'name' below the directory, and
 * what directories it needs.  Where that cannot be done with few calls nothing
 * is done, and the result is to be written to target_path(), the same by its
 * path; for which target_enter() makes the directories.
 *
 * target_has() says that there is something of that name.
 */
enum npyio_small_file target_make(struct target *t, struct target_place *p,
				  const char *name, const char *bytes, size_t n,
				  struct tsl_error *err);
enum tsl_status TSL_MUST_USE target_enter(const struct target *t,
					  struct target_place *p,
					  const char *name,
					  struct tsl_error *err);
enum tsl_status TSL_MUST_USE target_path(const struct target *t,
					 struct target_place *p,
					 const char *name, const char **path,
					 struct tsl_error *err);
bool target_has(const struct target *t, const char *name);

/*
 * target_link() says whether there is a link at target_path(), and stores the
 * key of what it leads to: of a name below the directory, or a path.
 */
bool target_link(const struct target *t, const char *path, uint64_t *key);

#endif /* CLI_TARGET_H */
