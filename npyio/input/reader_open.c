/*
 * reader_open.c - one array of an .npy file or stream: how it is opened
 */
#include "growing_header.h"
#include "input_name.h"
#include "npyio/file/fd.h"
#include "npyio/file/spool.h"
#include "npyio/remote/url.h"
#include "reader.h"
#include "reader_private.h"

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
	} else if (!r->source.is_stream && !r->shared) {
		status = npyio_growing_header_read(&r->source, &r->array,
						   &r->descr, &r->data_offset,
						   r->behind, err);
	} else {
		status =
			npyio_file_header_read(&r->source, 0, &r->array,
					       &r->descr, &r->data_offset, err);
		if (!status && (r->is_member || !r->source.is_stream))
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
	r->source.fd = r->buffer.spool = -1;
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
		status = npyio_source_open_member(&r->source, r->shared,
						  &r->member, err);
	return status ? status : read_array(r, err);
}

/* Of FILE:NAME the archive is what stands before 'member'. */
static enum tsl_status
name_file(struct npyio_reader *r, const char *path, const char *member,
	  struct tsl_error *err)
{
	r->file = path;
	if (!member)
		return TSL_OK;
	r->file_new = strndup(path, (size_t)(member - 1 - path));
	r->file = r->file_new;
	return r->file ? TSL_OK : tsl_no_memory(err);
}

/*
 * Looks for an archive where there is no file of that name, or none that is an
 * array: what is wrong with the name alone is in 'err'.
 */
static enum tsl_status
read_from_archive(struct npyio_reader *r, const char *path,
		  struct npyio_archive **archive, enum tsl_status otherwise,
		  struct tsl_error *err)
{
	struct tsl_error of_archive;
	const char *member;
	int64_t i = 0;
	bool found;
	enum tsl_status status = npyio_archive_reopen(archive, path, &member,
						      &found, &of_archive);

	if (!status && !found)
		return otherwise;
	if (!status && member)
		status = npyio_archive_find(*archive, member, &i, &of_archive);
	else if (!status)
		status = npyio_archive_only(*archive, &i, &of_archive);
	if (!status && !npyio_url_is(path))
		status = name_file(r, path, member, &of_archive);
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

/* The file of that name, unless somebody has opened it already. */
static int
open_path(const char *path, int *opened)
{
	int fd = opened ? *opened : -1;

	if (fd < 0)
		return open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	*opened = -1;
	return fd;
}

static enum tsl_status
read_path(struct npyio_reader *r, const char *path,
	  const struct npyio_reader_options *as, struct tsl_error *err)
{
	int fd = open_path(path, as->fd);
	int sys = errno;
	enum tsl_status status, otherwise;
	const struct npyio_container *kind = NULL;

	r->file = path;
	if (fd >= 0) {
		status = otherwise = read_begin(r, fd, false, err);
		if (status == TSL_EBAD_MAGIC || status == TSL_EEMPTY_FILE)
			status = npyio_archive_is(fd, path, &kind, err);
		if (status || !kind)
			return status ? status : otherwise;
		close(fd);
		r->source.fd = -1;
		return read_from_archive(r, path, as->archive, otherwise, err);
	}
	status = npyio_fail_sys(err, "cannot open");
	return strchr(path, ':') && is_no_file(sys)
		       ? read_from_archive(r, path, as->archive, status, err)
		       : status;
}

/* The array that is behind a URL, or in an archive there. */
static enum tsl_status
read_url(struct npyio_reader *r, const char *url,
	 struct npyio_archive **archive, struct tsl_error *err)
{
	enum tsl_status status;
	const char *member;
	bool found;

	if (npyio_url_member(url))
		return read_from_archive(r, url, archive, TSL_OK, err);
	status = npyio_reader_open_remote(r, url, err);
	if (!status)
		status = read_array(r, err);
	if (status != TSL_EBAD_MAGIC ||
	    npyio_archive_open_url(archive, r->shared, url, &member, &found,
				   NULL) ||
	    !found)
		return status;
	npyio_shared_descriptor_drop(r->shared);
	r->shared = NULL;
	r->source = (struct npyio_source){ .fd = -1 };
	return read_from_archive(r, url, archive, status, err);
}

static enum tsl_status
read_named(struct npyio_reader *r, const char *path,
	   const struct npyio_reader_options *as, struct tsl_error *err)
{
	if (npyio_input_has_scheme(path))
		return npyio_reader_read_raw(r, path, as->room, err);
	if (npyio_url_is(path))
		return read_url(r, path, as->archive, err);
	if (strcmp(path, "-") == 0)
		return read_begin(r, STDIN_FILENO, true, err);
	return read_path(r, path, as, err);
}

enum tsl_status
npyio_reader_open_as(struct npyio_reader **reader_new, const char *path,
		     const struct npyio_reader_options *as,
		     struct tsl_error *err)
{
	bool standard = strcmp(path, "-") == 0;
	const char *name = as && as->name ? as->name
			   : standard     ? "standard input"
					  : npyio_input_shown(path);
	struct npyio_reader *r = name ? new_reader(name) : NULL;
	struct npyio_archive *a = NULL;
	struct npyio_reader_options options = { .archive = &a };
	enum tsl_status status;

	*reader_new = NULL;
	if (!r)
		return tsl_no_memory(err);
	if (as)
		options = *as;
	if (!options.archive)
		options.archive = &a;
	if (standard && options.text_behind)
		r->behind = NPYIO_BEHIND_ANY;
	status = tsl_about(read_named(r, path, &options, err), r->name, err);
	npyio_archive_close(a);
	return opened(r, status, reader_new);
}

enum tsl_status
npyio_reader_open_member(struct npyio_reader **reader_new,
			 const struct npyio_archive *a, int64_t i,
			 const char *name, struct tsl_error *err)
{
	struct npyio_reader *r = new_reader(name);

	*reader_new = NULL;
	if (!r)
		return tsl_no_memory(err);
	return opened(r, tsl_about(read_member(r, a, i, err), r->name, err),
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
		return tsl_no_memory(err);
	fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	status = fd < 0 ? npyio_fail_sys(err, "cannot read")
			: read_begin(r, fd, false, err);
	return opened(r, tsl_about(status, r->name, err), reader_new);
}

/* A stream of which everything has been taken. */
enum tsl_status
npyio_reader_open_buffer(struct npyio_reader **reader_new, const char *name,
			 const struct tsl_array *array,
			 struct npyio_stream_buffer *buffer,
			 struct tsl_error *err)
{
	struct npyio_reader *r = new_reader(name);

	*reader_new = r;
	if (!r) {
		npyio_stream_buffer_drop(buffer);
		return tsl_no_memory(err);
	}
	r->source.is_stream = true;
	r->array = *array;
	r->nbytes = r->taken = buffer->nbytes;
	r->buffer = *buffer;
	npyio_stream_buffer_init(buffer);
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
	free(r->ordered_descr);
	npyio_stream_buffer_drop(&r->buffer);
	npyio_reader_close(r->ordered);
	if (!source.is_stream) {
		source.start += end;
		source.size -= end;
	}
	*r = (struct npyio_reader){ .name = r->name,
				    .source = source,
				    .file = r->file,
				    .shared = r->shared,
				    .behind = r->behind,
				    .buffer.spool = -1 };
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
	return tsl_about(status, r->name, err);
}

/* What follows the array of 'r', in a reader of its own. */
static enum tsl_status
split_source(struct npyio_reader *next, struct npyio_reader *r,
	     struct tsl_error *err)
{
	int64_t end = r->data_offset + r->nbytes;

	next->source = r->source;
	if (r->shared)
		next->shared = npyio_shared_descriptor_hold(r->shared);
	if (r->source.is_stream) {
		if (r->source.fd > STDERR_FILENO)
			r->source.fd = -1;
		return TSL_OK;
	}
	next->source.start += end;
	next->source.size -= end;
	if (r->source.fd > STDERR_FILENO && !r->shared)
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
		return tsl_no_memory(err);
	next->file = r->file;
	if (!status)
		status = tsl_about(split_source(next, r, err), r->name, err);
	if (!status)
		status = tsl_about(read_array(next, err), r->name, err);
	if (status)
		npyio_reader_close(next);
	else
		*reader_new = next;
	return status == TSL_EEMPTY_FILE ? TSL_OK : status;
}
