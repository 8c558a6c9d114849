/*
 * reader_open.c - one array of an .npy file or stream: how it is opened
 */
#include "input_name.h"
#include "npyio/file/fd.h"
#include "npyio/file/spool.h"
#include "reader.h"
#include "reader_private.h"
#include "settled.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads the header, and checks that a file holds what it promises. */
static enum tsl_status
read_array(struct npyio_reader *r, struct tsl_error *err)
{
	enum tsl_status status;

	if (r->is_member && r->member.is_bare) {
		r->array = r->member.array;
		r->data_offset = r->member.offset;
		status = TSL_OK;
	} else if (!r->source.is_stream && !r->is_member) {
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

	r->is_member = r->is_last = true;
	r->behind = NPYIO_BEHIND_NOTHING;
	if (!status)
		status = npyio_source_open_member(&r->source, r->shared->fd,
						  &r->member, err);
	return status ? status : read_array(r, err);
}

/* Of FILE:NAME the archive is what stands before 'member'. */
static enum tsl_status
name_file(struct npyio_reader *r, const char *member, struct tsl_error *err)
{
	r->file = r->name;
	if (!member)
		return TSL_OK;
	r->file_new = strndup(r->name, (size_t)(member - 1 - r->name));
	r->file = r->file_new;
	return r->file ? TSL_OK : tsl_fail(err, TSL_EMEMORY, "out of memory");
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
		status = name_file(r, member, &of_archive);
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
	const struct npyio_container *kind = NULL;

	r->file = r->name;
	if (fd >= 0) {
		status = otherwise = read_begin(r, fd, false, err);
		if (status == TSL_EBAD_MAGIC || status == TSL_EEMPTY_FILE)
			status = npyio_archive_is(fd, r->name, &kind, err);
		if (status || !kind)
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
	if (npyio_input_has_scheme(path))
		status = npyio_reader_read_raw(r, as ? as->room : 0, err);
	else
		status = standard ? read_begin(r, STDIN_FILENO, true, err)
				  : read_path(r, as ? as->archive : &a, err);
	npyio_archive_close(a);
	return opened(r, npyio_reader_about(r, status, err), reader_new);
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
	return opened(r, npyio_reader_about(r, read_member(r, a, i, err), err),
		      reader_new);
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
	return opened(r, npyio_reader_about(r, status, err), reader_new);
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

/* ---- what follows -------------------------------------------------------- */

/* As if the reader had been opened where the next array begins. */
static void
begin_again(struct npyio_reader *r)
{
	struct npyio_source source = r->source;
	int64_t end = r->data_offset + r->nbytes;

	npyio_reader_drop_field(r);
	free(r->descr);
	npyio_stream_buffer_drop(&r->kept);
	npyio_reader_close(r->ordered);
	if (!source.is_stream) {
		source.start += end;
		source.size -= end;
	}
	*r = (struct npyio_reader){ .name = r->name,
				    .source = source,
				    .file = r->file,
				    .behind = r->behind,
				    .kept.spool = -1 };
}

enum tsl_status
npyio_reader_next(struct npyio_reader *r, bool *more, struct tsl_error *err)
{
	enum tsl_status status = npyio_reader_finish(r, err);

	*more = false;
	if (status || r->is_last)
		return status;
	begin_again(r);
	status = read_array(r, err);
	if (status == TSL_EEMPTY_FILE)
		return TSL_OK;
	*more = !status;
	return npyio_reader_about(r, status, err);
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
	if (status || r->is_last)
		return status;
	next = new_reader(r->name);
	if (!next)
		return tsl_fail(err, TSL_EMEMORY, "out of memory");
	next->file = r->file;
	if (!status)
		status = npyio_reader_about(r, split_source(next, r, err), err);
	if (!status)
		status = npyio_reader_about(r, read_array(next, err), err);
	if (status)
		npyio_reader_close(next);
	else
		*reader_new = next;
	return status == TSL_EEMPTY_FILE ? TSL_OK : status;
}
