/*
 * writer.h - an output that appears whole or not at all
 *
 * A file is written beside its target, under a name of its own, and renamed
 * over it when all is there; until then the old file is untouched.  A pipe,
 * a device or standard output is written in place, in order.
 */
#ifndef NPYIO_WRITER_H
#define NPYIO_WRITER_H

#include "in_place_file.h"
#include "lib/base/status.h"

#include <stddef.h>
#include <sys/stat.h>

struct npyio_writer; /* owns a descriptor, and the file until it is renamed */

struct npyio_writer_options {
	bool no_clobber; /* refuse to replace an existing file */
	bool sync; /* fsync the file and its directory at the end */
	int level; /* of a member of an archive: 0, or 1 to 9, deflated */
	int threads; /* that deflate, and count its CRC */
};

/*
 * npyio_writer_open() opens 'path', "-" or NULL for standard output, or what
 * is to be a member of an archive, see member_name.h.  'path' must outlive the
 * writer.  An existing file that may not be written, a directory and a symbolic
 * link to nothing are refused.
 *
 * Returns TSL_OK; TSL_EIO, TSL_EMEMORY, what npyio_archive_writer_open() does,
 * with 'path' as the error's subject.
 */
enum tsl_status TSL_MUST_USE npyio_writer_open(
	struct npyio_writer **writer_new, const char *path,
	const struct npyio_writer_options *options, struct tsl_error *err);

/*
 * npyio_writer_open_member() begins a member of 'archive', which outlives the
 * writer: its commit ends the member, its abort drops it.  One at a time; the
 * archive's commit comes after them.
 */
struct npyio_archive_writer;
enum tsl_status TSL_MUST_USE npyio_writer_open_member(
	struct npyio_writer **writer_new, struct npyio_archive_writer *archive,
	const char *name, struct tsl_error *err);

/*
 * npyio_writer_open_spool() opens a file without a name; see spool.h.  It is
 * gone when the writer is closed, with npyio_writer_abort(), and
 * npyio_writer_descriptor() no longer used.
 */
enum tsl_status TSL_MUST_USE npyio_writer_open_spool(
	struct npyio_writer **writer_new, struct tsl_error *err);

/*
 * npyio_writer_open_at() is for a regular file that is open: what is written
 * goes to it, positional, from byte 'base' on.  'path' is its name.
 */
enum tsl_status TSL_MUST_USE
npyio_writer_open_at(struct npyio_writer **writer_new, const char *path, int fd,
		     int64_t base, struct tsl_error *err);
int npyio_writer_descriptor(const struct npyio_writer *w);

/*
 * npyio_writer_open_sink() opens a writer that hands all bytes, in order, to
 * 'put', which makes of them what goes to 'to', if not NULL.  It is closed with
 * npyio_writer_abort().
 */
typedef enum tsl_status npyio_sink(void *context, const char *bytes, size_t n,
				   struct tsl_error *err);
enum tsl_status TSL_MUST_USE npyio_writer_open_sink(
	struct npyio_writer **writer_new, const struct npyio_writer *to,
	npyio_sink *put, void *context, struct tsl_error *err);

/*
 * npyio_writer_is_positional() says whether writes may come in any order and
 * from several threads at once; npyio_writer_base() where offset 0 of such a
 * writer is in its file.
 */
bool npyio_writer_is_positional(const struct npyio_writer *w);
int64_t npyio_writer_base(const struct npyio_writer *w);

/*
 * npyio_writer_is_atomic() says whether all that is written comes to nothing
 * unless the writer is committed.
 */
bool npyio_writer_is_atomic(const struct npyio_writer *w);

/*
 * npyio_writer_best_size() is how many bytes at most are best put at once, and
 * npyio_writer_stat() fstat() of what is written to.
 */
int64_t npyio_writer_best_size(const struct npyio_writer *w);
bool npyio_writer_stat(const struct npyio_writer *w, struct stat *st);

/*
 * npyio_writer_reserve() asks for 'nbytes' of disk, for what is to be written
 * from 'offset' on, before the first write of it: it is faster, and a full disk
 * shows at once.  npyio_writer_reserve_range() does so for what one of several
 * writes, where a file that grows meanwhile may have bytes already.  Nothing
 * happens where the system has no such thing.  Return TSL_OK; TSL_EIO.
 */
enum tsl_status TSL_MUST_USE npyio_writer_reserve(struct npyio_writer *w,
						  int64_t offset,
						  int64_t nbytes,
						  struct tsl_error *err);
enum tsl_status TSL_MUST_USE npyio_writer_reserve_range(struct npyio_writer *w,
							int64_t offset,
							int64_t nbytes,
							struct tsl_error *err);

/*
 * npyio_writer_leave_hole() has bytes [offset, offset + nbytes) of a positional
 * writer, where nothing was written yet and from which on nothing was, be
 * zeros that take no disk.  Returns TSL_OK; TSL_EIO.
 */
enum tsl_status TSL_MUST_USE npyio_writer_leave_hole(struct npyio_writer *w,
						     int64_t offset,
						     int64_t nbytes,
						     struct tsl_error *err);

/*
 * npyio_writer_reflink() is for n bytes at 'offset' that stand at 'lo' of the
 * file 'fd': where the file system can do that they get the same blocks, and
 * nothing is copied.  Returns for how many bytes that was done, and how many
 * come before them; the others, or if none could be shared, all, are to be put.
 * npyio_writer_block() is what is shared; 0 where nothing can be, as far as is
 * known, which is what npyio_writer_may_reflink() says.
 * npyio_writer_copy() has the kernel copy them, if that is faster than
 * 'threads' of ours, which may all call it, and returns how many it did.
 */
bool npyio_writer_may_reflink(const struct npyio_writer *w);
int64_t npyio_writer_block(const struct npyio_writer *w);
int64_t npyio_writer_reflink(struct npyio_writer *w, int fd, int64_t lo,
			     int64_t n, int64_t offset, int64_t *before);
int64_t npyio_writer_copy(struct npyio_writer *w, int fd, int64_t lo, int64_t n,
			  int64_t offset, int threads);

/*
 * npyio_writer_in_place_file() is the array being written, whose data begin
 * 'offset' bytes behind its header's first, as a target, to go over what was
 * written. The writer is positional, and the file stays its own.
 */
void npyio_writer_in_place_file(const struct npyio_writer *w, int64_t offset,
				struct npyio_in_place_file *target);

/*
 * npyio_writer_next() makes what follows another array, behind what has been
 * written: offsets count from there.  npyio_writer_rewind() goes back to the
 * first array of a positional one.
 */
enum tsl_status TSL_MUST_USE npyio_writer_next(struct npyio_writer *w,
					       struct tsl_error *err);
void npyio_writer_rewind(struct npyio_writer *w);

/*
 * npyio_writer_is_pipe() says whether npyio_writer_splice() may be tried: it
 * hands n bytes of the file 'fd' at 'offset' to a pipe without copying them,
 * and returns how many it could.  Which of both was at fault, if any, the next
 * read or write tells.  npyio_writer_capacity() is how many bytes the pipe
 * holds at most.
 */
bool npyio_writer_is_pipe(const struct npyio_writer *w);
int64_t npyio_writer_capacity(const struct npyio_writer *w);
int64_t npyio_writer_splice(struct npyio_writer *w, int fd, int64_t offset,
			    int64_t n);

/*
 * npyio_writer_put() writes n bytes at 'offset'; where the writer is not
 * positional that must be where the last write ended.
 * npyio_writer_put_header() writes the header of 'array' at offset 0.
 */
enum tsl_status TSL_MUST_USE npyio_writer_put(struct npyio_writer *w,
					      const void *bytes, size_t n,
					      int64_t offset,
					      struct tsl_error *err);
enum tsl_status TSL_MUST_USE
npyio_writer_put_header(struct npyio_writer *w, const struct tsl_array *array,
			struct tsl_error *err);

/*
 * npyio_writer_commit() makes the output appear and closes the writer.  On
 * failure nothing has appeared and the writer is closed all the same; but for
 * the sync of the directory, which can only come after the rename.
 */
enum tsl_status TSL_MUST_USE npyio_writer_commit(struct npyio_writer *w,
						 struct tsl_error *err);

/*
 * npyio_writer_abort() leaves everything as it was; NULL is allowed.
 * npyio_writer_end() does that if 'status' is a failure, and else commits.
 */
void npyio_writer_abort(struct npyio_writer *w);
enum tsl_status TSL_MUST_USE npyio_writer_end(struct npyio_writer *w,
					      enum tsl_status status,
					      struct tsl_error *err);

#endif /* NPYIO_WRITER_H */
