/*
 * reader.c - one array of an .npy file or stream
 */
#include "reader.h"

#include "file_header.h"
#include "idle_file.h"
#include "lib/base/minmax.h"
#include "npyio/file/fd.h"
#include "npyio/file/spool.h"
#include "reader_private.h"
#include "settled.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A stream's bytes are dropped in steps, as they arrive. */
#define STREAM_STEP (int64_t)(256 * 1024)

/* Less is there before a thread is. */
#define MIN_AHEAD ((int64_t)4 * 1024 * 1024)

static enum tsl_status
about(const struct npyio_reader *r, enum tsl_status status,
      struct tsl_error *err)
{
	if (status && err)
		err->subject = r->name;
	return status;
}

/* ---- opening ------------------------------------------------------------- */

/* Reads the header, and checks that a file holds what it promises. */
static enum tsl_status
read_array(struct npyio_reader *r, struct tsl_error *err)
{
	enum tsl_status status;

	if (!r->source.is_stream && !r->is_member) {
		status = npyio_settled_read(&r->source, &r->array, &r->descr,
					    &r->data_offset, r->behind, err);
	} else {
		status =
			npyio_file_header_read(&r->source, 0, &r->array,
					       &r->descr, &r->data_offset, err);
		if (!status && r->is_member)
			status = npyio_file_header_check(&r->source, &r->array,
							 r->data_offset,
							 r->behind, err);
	}
	r->nbytes = status ? 0 : tsl_array_nbytes(&r->array);
	return status;
}

/* Looks at what 'fd', which becomes the reader's, is, and at the header. */
static enum tsl_status
read_begin(struct npyio_reader *r, int fd, bool from_here,
	   struct tsl_error *err)
{
	enum tsl_status status =
		npyio_source_look(&r->source, fd, from_here, err);

	return status ? status : read_array(r, err);
}

static struct npyio_reader *
new_reader(const char *name)
{
	struct npyio_reader *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->name = name;
	r->source.fd = r->kept.spool = -1;
	return r;
}

static enum tsl_status
opened(struct npyio_reader *r, enum tsl_status status,
       struct npyio_reader **reader_new)
{
	if (status)
		npyio_reader_close(r);
	else
		*reader_new = r;
	return status;
}

static enum tsl_status
read_member(struct npyio_reader *r, const struct npyio_archive *a, int64_t i,
	    struct tsl_error *err)
{
	enum tsl_status status =
		npyio_archive_member(a, i, &r->member, &r->shared, err);

	r->is_member = true;
	r->behind = NPYIO_BEHIND_NOTHING;
	if (!status)
		status = npyio_source_open_member(&r->source, r->shared->fd,
						  &r->member, err);
	return status ? status : read_array(r, err);
}

/*
 * Looks for an archive where there is no file of that name, or none that is an
 * array: what is wrong with the name alone is in 'err'.
 */
static enum tsl_status
read_from_archive(struct npyio_reader *r, struct npyio_archive **archive,
		  enum tsl_status otherwise, struct tsl_error *err)
{
	struct tsl_error of_archive;
	const char *member;
	int64_t i = 0;
	bool found;
	enum tsl_status status = npyio_archive_reopen(archive, r->name, &member,
						      &found, &of_archive);

	if (!status && !found)
		return otherwise;
	if (!status && member)
		status = npyio_archive_find(*archive, member, &i, &of_archive);
	else if (!status)
		status = npyio_archive_only(*archive, &i, &of_archive);
	if (!status)
		status = read_member(r, *archive, i, &of_archive);
	if (status && err)
		*err = of_archive;
	return status;
}

/* Whether such a failure to open a file may mean that it is in an archive. */
static bool
is_no_file(int sys)
{
	return sys == ENOENT || sys == ENOTDIR || sys == ENAMETOOLONG;
}

static enum tsl_status
read_path(struct npyio_reader *r, struct npyio_archive **archive,
	  struct tsl_error *err)
{
	int fd = open(r->name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	int sys = errno;
	enum tsl_status status, otherwise;
	bool is_archive = false;

	if (fd >= 0) {
		status = otherwise = read_begin(r, fd, false, err);
		if (status == TSL_EBAD_MAGIC)
			status = npyio_archive_is(fd, &is_archive, err);
		if (status || !is_archive)
			return status ? status : otherwise;
		close(fd);
		r->source.fd = -1;
		return read_from_archive(r, archive, otherwise, err);
	}
	status = npyio_fail_sys(err, "cannot open");
	return strchr(r->name, ':') && is_no_file(sys)
		       ? read_from_archive(r, archive, status, err)
		       : status;
}

enum tsl_status
npyio_reader_open_as(struct npyio_reader **reader_new, const char *path,
		     const struct npyio_reader_options *as,
		     struct tsl_error *err)
{
	bool standard = strcmp(path, "-") == 0;
	struct npyio_reader *r = new_reader(standard ? "standard input" : path);
	struct npyio_archive *a = NULL;
	enum tsl_status status;

	*reader_new = NULL;
	if (!r)
		return tsl_fail(err, TSL_EMEMORY, "out of memory");
	if (standard && as && as->text_behind)
		r->behind = NPYIO_BEHIND_ANY;
	status = standard ? read_begin(r, STDIN_FILENO, true, err)
			  : read_path(r, as ? as->archive : &a, err);
	npyio_archive_close(a);
	return opened(r, about(r, status, err), reader_new);
}

enum tsl_status
npyio_reader_open_member(struct npyio_reader **reader_new,
			 const struct npyio_archive *a, int64_t i,
			 const char *name, struct tsl_error *err)
{
	struct npyio_reader *r = new_reader(name);

	*reader_new = NULL;
	if (!r)
		return tsl_fail(err, TSL_EMEMORY, "out of memory");
	return opened(r, about(r, read_member(r, a, i, err), err), reader_new);
}

enum tsl_status
npyio_reader_open_spool(struct npyio_reader **reader_new, int fd,
			struct tsl_error *err)
{
	struct npyio_reader *r = new_reader(npyio_spool_directory());
	enum tsl_status status;

	*reader_new = NULL;
	if (!r)
		return tsl_fail(err, TSL_EMEMORY, "out of memory");
	fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	status = fd < 0 ? npyio_fail_sys(err, "cannot read")
			: read_begin(r, fd, false, err);
	return opened(r, about(r, status, err), reader_new);
}

/* A stream of which everything has been taken. */
enum tsl_status
npyio_reader_open_kept(struct npyio_reader **reader_new, const char *name,
		       const struct tsl_array *array,
		       struct npyio_stream_buffer *kept, struct tsl_error *err)
{
	struct npyio_reader *r = new_reader(name);

	*reader_new = r;
	if (!r) {
		npyio_stream_buffer_drop(kept);
		return tsl_fail(err, TSL_EMEMORY, "out of memory");
	}
	r->source.is_stream = true;
	r->array = *array;
	r->nbytes = r->taken = kept->nbytes;
	r->kept = *kept;
	npyio_stream_buffer_init(kept);
	return TSL_OK;
}

void
npyio_reader_close(struct npyio_reader *r)
{
	if (!r)
		return;
	npyio_reader_close(r->ordered);
	npyio_stream_buffer_drop(&r->kept);
	npyio_source_close(&r->source);
	if (r->shared)
		npyio_shared_descriptor_drop(r->shared);
	else if (r->source.fd > STDERR_FILENO)
		close(r->source.fd);
	free(r->ordered_descr);
	npyio_reader_drop_field(r);
	free(r->descr);
	free(r);
}

/* ---- what is known ------------------------------------------------------- */

const struct tsl_array *
npyio_reader_array(const struct npyio_reader *r)
{
	return &r->array;
}

const char *
npyio_reader_name(const struct npyio_reader *r)
{
	return r->name;
}

int64_t
npyio_reader_data_offset(const struct npyio_reader *r)
{
	return r->data_offset;
}

bool
npyio_reader_stat(const struct npyio_reader *r, struct stat *st)
{
	if (r->rest.is_on) {
		*st = r->rest.st;
		return true;
	}
	return fstat(r->source.fd, st) == 0;
}

bool
npyio_reader_is_stream(const struct npyio_reader *r)
{
	return r->source.is_stream;
}

bool
npyio_reader_is_member(const struct npyio_reader *r)
{
	return r->is_member;
}

const struct npyio_member *
npyio_reader_stored(const struct npyio_reader *r)
{
	return r->is_member && !r->source.is_stream ? &r->member : NULL;
}

/* ---- files that are not open all the time -------------------------------- */

void
npyio_reader_idle(struct npyio_reader *r)
{
	if (!r->source.is_stream && !r->is_member &&
	    r->source.fd > STDERR_FILENO)
		npyio_idle_file_begin(&r->rest, &r->source.fd,
				      r->data_offset + r->nbytes);
}

enum tsl_status
npyio_reader_hold(struct npyio_reader *r, struct tsl_error *err)
{
	return about(
		r, npyio_idle_file_hold(&r->rest, r->name, &r->source.fd, err),
		err);
}

void
npyio_reader_release(struct npyio_reader *r)
{
	npyio_idle_file_release(&r->rest, &r->source.fd);
}

/* ---- data ---------------------------------------------------------------- */

static enum tsl_status
became_shorter(struct tsl_error *err)
{
	return tsl_fail(err, TSL_EIO,
			"the file became shorter while being read");
}

bool
npyio_reader_run_ahead(struct npyio_reader *r)
{
	if (r->nbytes - r->taken >= MIN_AHEAD)
		npyio_source_run_ahead(&r->source);
	return r->source.ahead;
}

static enum tsl_status
take_data(void *stream, char *dst, int64_t n, struct tsl_error *err)
{
	struct npyio_reader *r = stream;
	size_t got;
	enum tsl_status status =
		npyio_source_get(&r->source, dst, (size_t)n, 0, &got, err);

	r->taken += (int64_t)got;
	if (!status && (int64_t)got < n)
		status = tsl_fail(
			err, TSL_ETRUNCATED_DATA,
			"the header promises %lld byte%s of data, but "
			"the input ends after %lld",
			(long long)r->nbytes, r->nbytes == 1 ? "" : "s",
			(long long)r->taken);
	return about(r, status, err);
}

enum tsl_status
npyio_reader_take(struct npyio_reader *r, char *dst, int64_t n,
		  struct tsl_error *err)
{
	return take_data(r, dst, n, err);
}

enum tsl_status
npyio_reader_keep(struct npyio_reader *r, int64_t nbytes, int64_t room,
		  struct tsl_error *err)
{
	enum tsl_status status;

	if (!r->source.is_stream || r->kept.nbytes >= nbytes)
		return TSL_OK;
	status = npyio_keep(&r->kept, nbytes, room, take_data, r, err);
	return err && err->subject ? status : about(r, status, err);
}

bool
npyio_reader_is_kept(const struct npyio_reader *r)
{
	return r->kept.nbytes > 0;
}

const char *
npyio_reader_memory(const struct npyio_reader *r)
{
	return r->kept.memory;
}

bool
npyio_reader_is_spooled(const struct npyio_reader *r)
{
	return r->kept.spool >= 0;
}

enum tsl_status
npyio_reader_replace(struct npyio_reader *r, const struct tsl_array *as,
		     char *memory, struct npyio_reader *by,
		     struct tsl_error *err)
{
	char *descr = strdup(as->dtype.descr);

	if (!descr) {
		free(memory);
		npyio_reader_close(by);
		return tsl_fail(err, TSL_EMEMORY, "out of memory");
	}
	free(r->kept.memory);
	r->kept.memory = memory;
	npyio_reader_close(r->ordered);
	r->ordered = by;
	r->array = *as;
	/* The job may still look at the one that it had. */
	free(r->ordered_descr);
	r->array.dtype.descr = r->ordered_descr = descr;
	return TSL_OK;
}

bool
npyio_reader_file(const struct npyio_reader *r, int *fd, int64_t *offset)
{
	if (r->kept.memory)
		return false;
	if (r->ordered)
		return npyio_reader_file(r->ordered, fd, offset);
	*fd = r->kept.spool >= 0 ? r->kept.spool : r->source.fd;
	*offset = r->kept.spool >= 0 ? r->kept.offset
				     : r->source.start + r->data_offset;
	return true;
}

enum tsl_status
npyio_reader_read(const struct npyio_reader *r, int64_t lo, int64_t n,
		  char *dst, struct tsl_error *err)
{
	enum tsl_status status;
	int64_t offset;
	size_t got;
	int fd;

	if (n == 0)
		return TSL_OK;
	if (!npyio_reader_file(r, &fd, &offset)) {
		memcpy(dst, r->kept.memory + lo, (size_t)n);
		return TSL_OK;
	}
	status = npyio_fd_pread(fd, dst, (size_t)n, offset + lo, &got, err);
	if (!status && (int64_t)got < n)
		status = became_shorter(err);
	return about(r, status, err);
}

static enum tsl_status
drain(struct npyio_reader *r, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;
	int64_t left = r->nbytes - r->taken;
	int64_t size = tsl_min(left, STREAM_STEP);
	char *buf;

	if (left == 0)
		return TSL_OK;
	buf = malloc((size_t)size);
	if (!buf)
		return about(r, tsl_fail(err, TSL_EMEMORY, "out of memory"),
			     err);
	for (; left > 0 && !status; left -= size)
		status = take_data(r, buf, tsl_min(left, size), err);
	free(buf);
	return status;
}

/*
 * A mapping of a file that was cut short within its last page reads as zeros
 * there, and says nothing.
 */
enum tsl_status
npyio_reader_check(struct npyio_reader *r, bool rest, struct tsl_error *err)
{
	struct stat st;

	if (r->rest.is_on)
		return about(r, npyio_idle_file_check(&r->rest, r->name, err),
			     err);
	if (r->source.inflate && rest)
		return drain(r, err);
	if (r->source.is_stream ||
	    (fstat(r->source.fd, &st) == 0 &&
	     st.st_size - r->source.start >= r->data_offset + r->nbytes))
		return TSL_OK;
	return about(r, became_shorter(err), err);
}

enum tsl_status
npyio_reader_finish(struct npyio_reader *r, struct tsl_error *err)
{
	int64_t end;

	if (r->is_member)
		return TSL_OK;
	if (r->source.is_stream)
		return drain(r, err);
	end = r->source.start + r->data_offset + r->nbytes;
	/* Once: what follows may by now be another reader's. */
	if (r->finished)
		return TSL_OK;
	r->finished = true;
	if (r->source.fd == STDIN_FILENO &&
	    lseek(r->source.fd, end, SEEK_SET) < 0)
		return about(r, npyio_fail_sys(err, "cannot seek"), err);
	return TSL_OK;
}

/* As if the reader had been opened where the next array begins. */
static void
begin_again(struct npyio_reader *r)
{
	struct npyio_source source = r->source;
	int64_t end = r->data_offset + r->nbytes;

	npyio_reader_drop_field(r);
	free(r->descr);
	free(r->ordered_descr);
	npyio_stream_buffer_drop(&r->kept);
	npyio_reader_close(r->ordered);
	if (!source.is_stream) {
		source.start += end;
		source.size -= end;
	}
	*r = (struct npyio_reader){ .name = r->name,
				    .source = source,
				    .behind = r->behind,
				    .is_member = r->is_member,
				    .member = r->member,
				    .shared = r->shared,
				    .kept.spool = -1 };
}

enum tsl_status
npyio_reader_next(struct npyio_reader *r, bool *more, struct tsl_error *err)
{
	enum tsl_status status = npyio_reader_finish(r, err);

	*more = false;
	if (status)
		return status;
	begin_again(r);
	status = read_array(r, err);
	if (status == TSL_EEMPTY_FILE)
		return TSL_OK;
	*more = !status;
	return about(r, status, err);
}

/* What follows the array of 'r', in a reader of its own. */
static enum tsl_status
split_source(struct npyio_reader *next, struct npyio_reader *r,
	     struct tsl_error *err)
{
	int64_t end = r->data_offset + r->nbytes;

	next->source = r->source;
	if (r->source.is_stream) {
		if (r->source.fd > STDERR_FILENO)
			r->source.fd = -1;
		return TSL_OK;
	}
	next->source.start += end;
	next->source.size -= end;
	if (r->source.fd > STDERR_FILENO)
		next->source.fd = fcntl(r->source.fd, F_DUPFD_CLOEXEC, 3);
	return next->source.fd < 0 ? npyio_fail_sys(err, "cannot read")
				   : TSL_OK;
}

enum tsl_status
npyio_reader_open_next(struct npyio_reader **reader_new, struct npyio_reader *r,
		       struct tsl_error *err)
{
	struct npyio_reader *next;
	enum tsl_status status = npyio_reader_finish(r, err);

	*reader_new = NULL;
	if (status || r->is_member)
		return status;
	next = new_reader(r->name);
	if (!next)
		return tsl_fail(err, TSL_EMEMORY, "out of memory");
	if (!status)
		status = about(r, split_source(next, r, err), err);
	if (!status)
		status = about(r, read_array(next, err), err);
	if (status)
		npyio_reader_close(next);
	else
		*reader_new = next;
	return status == TSL_EEMPTY_FILE ? TSL_OK : status;
}
