/*
 * archive_writer.c - an archive that appears whole or not at all
 */
#include "archive_writer.h"

#include "archive_lock.h"
#include "atomic_file.h"
#include "deflate.h"
#include "kept_members.h"
#include "member_name.h"
#include "npyio/file/crc_pieces.h"
#include "npyio/file/fd.h"
#include "npyio/format/zip_write.h"
#include "npyio/input/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct npyio_archive_writer {
	struct npyio_archive_writer_options options;
	const char *path;
	struct npyio_atomic_file file;
	struct npyio_archive *old; /* what is replaced, and kept of; or NULL */
	struct npyio_entries entries;
	char *comment; /* of the archive */
	size_t comment_len;
	int64_t end; /* of the members that are whole */
	char *name; /* of the one that was begun; NULL: none was */
	struct npyio_zip_entry member;
	struct npyio_deflate *deflate; /* if it is deflated */
};

static enum tsl_status
no_memory(struct tsl_error *err)
{
	return tsl_fail(err, TSL_EMEMORY, "out of memory for an archive");
}

static enum tsl_status
not_replaced(struct tsl_error *err)
{
	errno = EEXIST;
	return npyio_fail_sys(err, "not replaced");
}

/* ---- what is kept -------------------------------------------------------- */

/* Nothing waits for a FIFO's other end: it was looked at. */
static enum tsl_status
open_old(struct npyio_archive_writer *a, struct tsl_error *err)
{
	const struct npyio_output_path *at = &a->file.at;
	enum tsl_status status;
	const struct npyio_container *kind;
	int fd = openat(at->dir, at->name,
			O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd < 0)
		return npyio_fail_sys(err, "cannot open");
	status = npyio_archive_is(fd, at->name, &kind, err);
	if (!status && kind != &npyio_zip_container)
		status = tsl_fail(err, TSL_EBAD_ARCHIVE,
				  "it is no zip archive, and stays what it is");
	if (!status)
		return npyio_archive_read(&a->old, fd, kind, err);
	close(fd);
	return status;
}

static enum tsl_status
keep_comment(struct npyio_archive_writer *a, struct tsl_error *err)
{
	struct npyio_archive_records r;
	enum tsl_status status;
	size_t got;

	npyio_archive_records(a->old, &r);
	a->comment = malloc(r.zip.comment_len + 1);
	if (!a->comment)
		return no_memory(err);
	a->comment_len = r.zip.comment_len;
	status = npyio_fd_pread(r.fd, a->comment, r.zip.comment_len,
				r.size - (int64_t)r.zip.comment_len, &got, err);
	if (!status && got < r.zip.comment_len)
		status = tsl_fail(err, TSL_EIO,
				  "the file became shorter while being read");
	return status;
}

static enum tsl_status
keep_members(struct npyio_archive_writer *a, struct tsl_error *err)
{
	char *without = NULL;
	struct npyio_kept_members kept;
	enum tsl_status status;

	if (a->options.without) {
		without = npyio_member_name_new(a->options.without);
		if (!without)
			return no_memory(err);
	}
	status = npyio_kept_members_find(&kept, a->old, without, err);
	if (!status && kept.ngone > 0 && a->options.no_clobber)
		status = not_replaced(err);
	if (!status)
		status = npyio_kept_members_copy(&kept, a->file.fd, &a->end,
						 err);
	if (!status)
		status = npyio_kept_members_entries(&kept, &a->entries, err);
	npyio_kept_members_free(&kept);
	free(without);
	return status;
}

/* ---- opening ------------------------------------------------------------- */

static enum tsl_status
open_file(struct npyio_archive_writer *a, struct tsl_error *err)
{
	const struct npyio_output_path *at = &a->file.at;
	enum tsl_status status =
		npyio_output_path_find(&a->file.at, a->path, err);
	bool keeps = !status && at->exists && !a->options.anew;

	if (!status && at->exists && !S_ISREG(at->st.st_mode))
		status = tsl_fail(err, TSL_EBAD_ARCHIVE,
				  "an archive is a regular file");
	if (!status && at->exists && a->options.anew && a->options.no_clobber)
		status = not_replaced(err);
	if (!status && keeps)
		status = open_old(a, err);
	if (!status)
		status = npyio_atomic_file_open(&a->file, err);
	if (!status && keeps)
		status = keep_comment(a, err);
	if (!status && keeps)
		status = keep_members(a, err);
	return status;
}

enum tsl_status
npyio_archive_writer_open(struct npyio_archive_writer **archive_new,
			  const char *path,
			  const struct npyio_archive_writer_options *options,
			  struct tsl_error *err)
{
	struct npyio_archive_writer *a = calloc(1, sizeof(*a));
	enum tsl_status status;

	*archive_new = NULL;
	if (!a)
		return no_memory(err);
	a->options = *options;
	a->path = path;
	a->file.fd = -1;
	a->file.at.dir = AT_FDCWD;
	status = npyio_crc_open("an archive", err);
	if (!status)
		status = open_file(a, err);
	if (!status) {
		*archive_new = a;
		return TSL_OK;
	}
	status = tsl_about(status, a->path, err);
	npyio_archive_writer_close(a);
	return status;
}

/* ---- a member ------------------------------------------------------------ */

enum tsl_status
npyio_archive_writer_begin(struct npyio_archive_writer *a, const char *name,
			   struct tsl_error *err)
{
	enum tsl_status status = npyio_member_name_check(name, err);

	if (status)
		return tsl_about(status, a->path, err);
	a->name = npyio_member_name_new(name);
	if (!a->name)
		return tsl_about(no_memory(err), a->path, err);
	npyio_zip_entry_init(&a->member, a->name, strlen(a->name),
			     a->options.level ? NPYIO_ZIP_DEFLATED
					      : NPYIO_ZIP_STORED);
	a->member.offset = a->end;
	if (a->options.level)
		status = npyio_deflate_open(
			&a->deflate, a->file.fd, npyio_archive_writer_offset(a),
			a->options.level, a->options.threads, err);
	if (status)
		npyio_archive_writer_drop(a);
	return tsl_about(status, a->path, err);
}

const char *
npyio_archive_writer_path(const struct npyio_archive_writer *a)
{
	return a->path;
}

int
npyio_archive_writer_fd(const struct npyio_archive_writer *a)
{
	return a->file.fd;
}

int64_t
npyio_archive_writer_offset(const struct npyio_archive_writer *a)
{
	return a->end + (int64_t)npyio_zip_local_nbytes(&a->member);
}

bool
npyio_archive_writer_is_deflated(const struct npyio_archive_writer *a)
{
	return a->options.level > 0;
}

enum tsl_status
npyio_archive_writer_put(struct npyio_archive_writer *a, const void *bytes,
			 size_t n, struct tsl_error *err)
{
	return tsl_about(npyio_deflate_put(a->deflate, bytes, n, err), a->path,
			 err);
}

/*
 * What was written by any thread, in any order and some of it twice, mapped or
 * shared, is read back: a tenth more of work than to count it alone.
 */
static enum tsl_status
measure_stored(struct npyio_archive_writer *a, struct tsl_error *err)
{
	struct npyio_zip_entry *e = &a->member;
	int64_t data = npyio_archive_writer_offset(a);
	struct stat st;

	if (fstat(a->file.fd, &st) != 0)
		return npyio_fail_sys(err, "cannot write");
	e->size = e->packed = st.st_size > data ? st.st_size - data : 0;
	return npyio_crc_file(&e->crc, a->file.fd, data, data + e->size,
			      a->options.threads, err);
}

static enum tsl_status
measure_deflated(struct npyio_archive_writer *a, struct tsl_error *err)
{
	struct npyio_zip_entry *e = &a->member;
	struct npyio_deflated done;
	enum tsl_status status = npyio_deflate_end(a->deflate, &done, err);

	e->size = done.size;
	e->packed = done.packed;
	e->crc = done.crc;
	return status;
}

static enum tsl_status
put_header(struct npyio_archive_writer *a, struct tsl_error *err)
{
	size_t n = npyio_zip_local_nbytes(&a->member);
	unsigned char *header = malloc(n);
	enum tsl_status status;

	if (!header)
		return no_memory(err);
	npyio_zip_local_format(header, &a->member);
	status = npyio_fd_pwrite(a->file.fd, header, n, a->end, err);
	free(header);
	return status;
}

enum tsl_status
npyio_archive_writer_end(struct npyio_archive_writer *a, struct tsl_error *err)
{
	enum tsl_status status =
		a->deflate ? measure_deflated(a, err) : measure_stored(a, err);

	if (!status)
		status = put_header(a, err);
	if (!status)
		status = npyio_entries_add(&a->entries, &a->member, err);
	if (!status)
		a->end = npyio_archive_writer_offset(a) + a->member.packed;
	npyio_archive_writer_drop(a);
	return tsl_about(status, a->path, err);
}

/* Of one that has been ended nothing is cut off. */
void
npyio_archive_writer_drop(struct npyio_archive_writer *a)
{
	npyio_deflate_close(a->deflate);
	a->deflate = NULL;
	free(a->name);
	a->name = NULL;
	/* If that fails so does what comes next, or it is written over. */
	(void)!ftruncate(a->file.fd, a->end);
}

/* ---- the end ------------------------------------------------------------- */

static enum tsl_status
put_directory(struct npyio_archive_writer *a, struct tsl_error *err)
{
	const struct npyio_zip_end end = { .count = a->entries.count,
					   .offset = a->end,
					   .nbytes = (int64_t)a->entries.len,
					   .comment_len = a->comment_len };
	unsigned char records[NPYIO_ZIP_END_MOST];
	size_t n = npyio_zip_end_format(records, &end);
	int64_t at = end.offset + end.nbytes;
	enum tsl_status status = npyio_fd_pwrite(a->file.fd, a->entries.bytes,
						 a->entries.len, a->end, err);

	if (!status)
		status = npyio_fd_pwrite(a->file.fd, records, n, at, err);
	if (!status)
		status = npyio_fd_pwrite(a->file.fd, a->comment, a->comment_len,
					 at + (int64_t)n, err);
	if (!status &&
	    ftruncate(a->file.fd, at + (int64_t)n + (int64_t)a->comment_len))
		status = npyio_fail_sys(err, "cannot write");
	return status;
}

/* What somebody else has put into it meanwhile would be lost. */
static enum tsl_status
check_unchanged(const struct npyio_archive_writer *a, struct tsl_error *err)
{
	const struct npyio_output_path *at = &a->file.at;
	struct stat st;

	if (!a->old ||
	    (fstatat(at->dir, at->name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	     npyio_archive_is_file(a->old, &st)))
		return TSL_OK;
	return tsl_fail(err, TSL_EIO,
			"the archive was changed by somebody else meanwhile, "
			"and stays as it is now");
}

enum tsl_status
npyio_archive_writer_commit(struct npyio_archive_writer *a,
			    struct tsl_error *err)
{
	bool clobber = a->old || (a->options.anew && !a->options.no_clobber);
	enum tsl_status status = put_directory(a, err);
	int lock = -1;

	/* Others need not wait for the disk. */
	if (!status && a->old && a->options.sync)
		status = npyio_fd_sync(a->file.fd, err);
	/* Between the check and the new name another one could take its own. */
	if (!status && a->old)
		status = npyio_archive_lock(a->old, &a->file.at, &lock, err);
	if (!status)
		status = check_unchanged(a, err);
	if (!status)
		status = npyio_atomic_file_appear(&a->file, clobber,
						  a->options.sync, err);
	if (lock >= 0)
		close(lock);
	return tsl_about(status, a->path, err);
}

void
npyio_archive_writer_close(struct npyio_archive_writer *a)
{
	if (!a)
		return;
	npyio_deflate_close(a->deflate);
	npyio_atomic_file_close(&a->file);
	npyio_archive_close(a->old);
	npyio_entries_free(&a->entries);
	free(a->comment);
	free(a->name);
	free(a);
}
