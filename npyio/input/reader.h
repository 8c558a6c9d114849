/*
 * reader.h - one array of an .npy file or stream
 *
 * Opening reads the header and nothing else.  Of a stream exactly one array's
 * bytes are taken, never one more; a regular file is read by position.
 *
 * Offsets and sizes are in BYTES from the first byte of the array's data.
 */
#ifndef NPYIO_READER_H
#define NPYIO_READER_H

#include "archive.h"
#include "lib/base/array.h"
#include "stream_buffer.h"

#include <sys/stat.h>

struct npyio_reader; /* owns a descriptor, a mapping, the dtype's descr */

/* How one is opened, alone or after others. */
struct npyio_reader_options {
	bool text_behind; /* of standard input: what follows is no array */
	/* Of many members of one archive the directory is read once: this is
	 * NULL, or what a path led to before.  To be closed in the end. */
	struct npyio_archive **archive;
	int *fd; /* NULL, or the path, opened: the reader's, and then < 0 */
	int64_t room; /* for a stream that only its end tells the size of */
	const char *name; /* for messages, which outlives the reader; or NULL */
};

/*
 * npyio_reader_open_as() opens 'path', "-" for standard input, which is read
 * from where it stands.  'path', which must outlive the reader, may also lead
 * to a member (archive.h), be a URL (reader_remote.h), or begin with raw:
 * (raw.h); 'as' may be NULL.
 *
 * A file must hold all the data its header promises, and behind them nothing,
 * or another array.  A member is one.
 *
 * Returns TSL_OK; a status of the header (see header.h); TSL_ETRUNCATED_DATA,
 * TSL_ETRAILING_DATA; TSL_ENPZ_MEMBER, TSL_EBAD_ARCHIVE; what
 * npyio_raw_parse() and npyio_raw_fit() do; TSL_EIO, TSL_EMEMORY; all with the
 * subject set.
 */
enum tsl_status TSL_MUST_USE npyio_reader_open_as(
	struct npyio_reader **reader_new, const char *path,
	const struct npyio_reader_options *as, struct tsl_error *err);

static inline enum tsl_status TSL_MUST_USE
npyio_reader_open(struct npyio_reader **reader_new, const char *path,
		  struct tsl_error *err)
{
	return npyio_reader_open_as(reader_new, path, NULL, err);
}

void npyio_reader_close(struct npyio_reader *r); /* NULL is allowed */

/*
 * npyio_reader_open_member() opens member i of an archive, which need not
 * outlive the reader; 'name', for messages, must.
 */
enum tsl_status TSL_MUST_USE npyio_reader_open_member(
	struct npyio_reader **reader_new, const struct npyio_archive *a,
	int64_t i, const char *name, struct tsl_error *err);

/*
 * npyio_reader_is_member() says that an archive's member is read, of which
 * npyio_reader_stored() is NULL unless it lies in the file as it is; and
 * npyio_reader_is_in_place() that the data may be written where they lie.
 */
bool npyio_reader_is_member(const struct npyio_reader *r);
bool npyio_reader_is_in_place(const struct npyio_reader *r);
const struct npyio_member *npyio_reader_stored(const struct npyio_reader *r);
const struct tsl_array *npyio_reader_array(const struct npyio_reader *r);
const char *npyio_reader_name(const struct npyio_reader *r);
/* The file that the name led to, or NULL. */
const char *npyio_reader_file_name(const struct npyio_reader *r);
int64_t npyio_reader_data_offset(const struct npyio_reader *r);
bool npyio_reader_stat(const struct npyio_reader *r, struct stat *st);
bool npyio_reader_is_stream(const struct npyio_reader *r);

/*
 * npyio_reader_read_ahead() says that all of it will be taken, and another
 * thread may make what there is to be made of it.  Returns whether one does.
 */
bool npyio_reader_read_ahead(struct npyio_reader *r);

/* npyio_reader_take() takes the next n bytes of a stream's data. */
enum tsl_status TSL_MUST_USE npyio_reader_take(struct npyio_reader *r,
					       char *dst, int64_t n,
					       struct tsl_error *err);

/*
 * npyio_reader_buffer() takes the first 'nbytes' of a stream's data and keeps
 * them where they can be read by position: in memory, if there is 'room' for
 * them, or else in a file without a name; see spool.h.  A regular file can be
 * read by position as it is.
 */
enum tsl_status TSL_MUST_USE npyio_reader_buffer(struct npyio_reader *r,
						 int64_t nbytes, int64_t room,
						 struct tsl_error *err);
bool npyio_reader_is_buffered(const struct npyio_reader *r);
bool npyio_reader_is_spooled(const struct npyio_reader *r);

/*
 * npyio_reader_file() stores the file that the data are in, and the offset in
 * it of the first.  Returns false if they are kept in memory, where
 * npyio_reader_memory() has them.
 */
bool npyio_reader_file(const struct npyio_reader *r, int *fd, int64_t *offset);
const char *npyio_reader_memory(const struct npyio_reader *r);

/*
 * npyio_reader_read() copies data bytes [lo, lo + n) to 'dst'.  May be called
 * from several threads.  The header's bytes end at 0.
 *
 * Returns TSL_OK; TSL_EIO, also where the file has become shorter.
 */
enum tsl_status TSL_MUST_USE npyio_reader_read(const struct npyio_reader *r,
					       int64_t lo, int64_t n, char *dst,
					       struct tsl_error *err);

/*
 * npyio_reader_open_spool() opens what a writer of that kind has written to
 * 'fd', which stays the writer's.
 */
enum tsl_status TSL_MUST_USE npyio_reader_open_spool(
	struct npyio_reader **reader_new, int fd, struct tsl_error *err);

/*
 * npyio_reader_open_buffer() opens an array that was made as it went, under a
 * name for messages.  'buffer', which has all its bytes, becomes the reader's.
 * Returns TSL_OK; TSL_EMEMORY, and 'buffer' has been dropped.
 */
enum tsl_status TSL_MUST_USE npyio_reader_open_buffer(
	struct npyio_reader **reader_new, const char *name,
	const struct tsl_array *array, struct npyio_stream_buffer *buffer,
	struct tsl_error *err);

/*
 * npyio_reader_next() finishes with this array, and reads the header of the
 * one that follows.  '*more' is false, and the reader only to be closed, where
 * the input ends.  Returns what npyio_reader_open() does.
 */
enum tsl_status TSL_MUST_USE npyio_reader_next(struct npyio_reader *r,
					       bool *more,
					       struct tsl_error *err);

/*
 * npyio_reader_open_next() does so with a new reader; the array of 'r' stays
 * what it was, but of a stream only as far as it was kept.  NULL where the
 * input ends.
 */
enum tsl_status TSL_MUST_USE
npyio_reader_open_next(struct npyio_reader **reader_new, struct npyio_reader *r,
		       struct tsl_error *err);

/*
 * npyio_reader_idle() closes the file until it is held; what is no file of its
 * own stays open, but takes no memory to inflate it.  What is done with data is
 * to be done between npyio_reader_hold() and npyio_reader_release(), which may
 * be called by several threads, and for any reader.
 *
 * Returns TSL_OK; TSL_EIO, also where the file has changed.
 */
void npyio_reader_idle(struct npyio_reader *r);
enum tsl_status TSL_MUST_USE npyio_reader_hold(struct npyio_reader *r,
					       struct tsl_error *err);
void npyio_reader_release(struct npyio_reader *r);

/*
 * npyio_reader_check() finds out whether a regular file is still as long as it
 * was, and, with 'tail', whether what is left of a member that is a stream is
 * as it should be.  Returns TSL_OK; TSL_EBAD_ARCHIVE; TSL_EIO, TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE npyio_reader_check(struct npyio_reader *r,
						bool tail,
						struct tsl_error *err);

/*
 * npyio_reader_finish() takes the rest of the array from standard input or
 * another stream: what follows it is what is read next.  Behind a member comes
 * nothing.
 */
enum tsl_status TSL_MUST_USE npyio_reader_finish(struct npyio_reader *r,
						 struct tsl_error *err);

#endif /* NPYIO_READER_H */
