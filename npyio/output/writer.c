/*
 * writer.c - where the output goes: a file, standard output, a device, a spool
 */
#define _GNU_SOURCE /* F_GETPIPE_SZ */
#include "writer.h"

#include "archive_writer.h"
#include "member_name.h"
#include "npyio/file/critical_section.h"
#include "npyio/file/fd.h"
#include "npyio/file/spool.h"
#include "npyio/format/header.h"
#include "writer_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Asked for, for pipes. */
#define PIPE_NBYTES (1024 * 1024)

enum tsl_status
npyio_writer_fail(const struct npyio_writer *w, const char *what,
		  struct tsl_error *err)
{
	return tsl_about(npyio_fail_sys(err, what), w->path, err);
}

/* ---- kinds --------------------------------------------------------------- */

void
npyio_writer_critical_enter(const struct npyio_writer *w)
{
	if (w->kind->is_critical)
		npyio_critical_enter();
}

void
npyio_writer_critical_leave(const struct npyio_writer *w)
{
	int sys = errno;

	if (w->kind->is_critical)
		npyio_critical_leave();
	errno = sys;
}

static enum tsl_status
put_anywhere(struct npyio_writer *w, const void *bytes, size_t n,
	     int64_t offset, struct tsl_error *err)
{
	enum tsl_status status;

	npyio_writer_critical_enter(w);
	status = npyio_fd_pwrite(w->fd, bytes, n, w->base + offset, err);
	npyio_writer_critical_leave(w);
	return status;
}

static enum tsl_status
put_next(struct npyio_writer *w, const void *bytes, size_t n, int64_t offset,
	 struct tsl_error *err)
{
	(void)offset;
	return npyio_fd_write(w->fd, bytes, n, err);
}

static enum tsl_status
appear(struct npyio_writer *w, struct tsl_error *err)
{
	return npyio_atomic_file_appear(&w->atomic, !w->options.no_clobber,
					w->options.sync, err);
}

static enum tsl_status
close_in_order(struct npyio_writer *w, struct tsl_error *err)
{
	enum tsl_status status =
		w->options.sync ? npyio_fd_sync(w->fd, err) : TSL_OK;
	int fd = w->fd;

	if (status)
		return status;
	w->fd = -1;
	return close(fd) != 0 && errno != EINTR
		       ? npyio_fail_sys(err, "cannot write")
		       : TSL_OK;
}

static enum tsl_status
put_into_sink(struct npyio_writer *w, const void *bytes, size_t n,
	      int64_t offset, struct tsl_error *err)
{
	(void)offset;
	return w->put(w->sink, bytes, n, err);
}

static enum tsl_status
put_deflated(struct npyio_writer *w, const void *bytes, size_t n,
	     int64_t offset, struct tsl_error *err)
{
	(void)offset;
	return npyio_archive_writer_put(w->archive, bytes, n, err);
}

static enum tsl_status
end_member(struct npyio_writer *w, struct tsl_error *err)
{
	enum tsl_status status = npyio_archive_writer_end(w->archive, err);

	if (!status && w->file)
		status = npyio_archive_writer_commit(w->archive, err);
	if (!w->file)
		w->archive = NULL; /* there is nothing to drop */
	return status;
}

/* A file that appears whole or not at all. */
static const struct npyio_writer_kind atomic = { .is_positional = true,
						 .is_lent = true,
						 .put = put_anywhere,
						 .commit = appear };
/* Standard output, a pipe, a device. */
static const struct npyio_writer_kind in_order = { .put = put_next,
						   .commit = close_in_order };
/* A file without a name, which is never to appear. */
static const struct npyio_writer_kind spool = { .is_positional = true,
						.put = put_anywhere,
						.commit = close_in_order };
/* The end of a file that is there. */
static const struct npyio_writer_kind addition = { .is_positional = true,
						   .is_critical = true,
						   .put = put_anywhere,
						   .commit = close_in_order };
/* A function, which writes something else elsewhere. */
static const struct npyio_writer_kind sink = { .put = put_into_sink };
/* A member of an archive. */
static const struct npyio_writer_kind stored = { .is_positional = true,
						 .is_lent = true,
						 .put = put_anywhere,
						 .commit = end_member };
static const struct npyio_writer_kind deflated = { .is_lent = true,
						   .put = put_deflated,
						   .commit = end_member };

/* ---- opening ------------------------------------------------------------- */

static struct npyio_writer *
new_writer(const struct npyio_writer_kind *kind)
{
	struct npyio_writer *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->kind = kind;
	w->fd = w->atomic.fd = -1;
	w->atomic.at.dir = AT_FDCWD;
	return w;
}

/* The N of /dev/fd/N and its like, or -1. */
static int
descriptor_of(const char *path)
{
	static const char *const prefixes[] = { "/dev/fd/", "/proc/self/fd/" };

	if (strcmp(path, "/dev/stdout") == 0)
		return STDOUT_FILENO;
	if (strcmp(path, "/dev/stderr") == 0)
		return STDERR_FILENO;
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		size_t n = strlen(prefixes[i]);
		char *end;
		long fd;

		if (strncmp(path, prefixes[i], n) != 0 || path[n] < '0' ||
		    path[n] > '9')
			continue;
		fd = strtol(path + n, &end, 10);
		if (*end == '\0' && fd < 1 << 20)
			return (int)fd;
	}
	return -1;
}

/*
 * A descriptor of our own for the same open file: its offset is shared, and
 * closing it tells of errors that the last write has not.
 */
static enum tsl_status
open_descriptor(struct npyio_writer *w, int fd, struct tsl_error *err)
{
	w->fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	return w->fd < 0 ? npyio_writer_fail(w, "cannot write", err) : TSL_OK;
}

/* A link stays, and what it leads to, if that is a regular file, is replaced.
 */
static enum tsl_status
open_file(struct npyio_writer *w, struct tsl_error *err)
{
	struct npyio_output_path *at = &w->atomic.at;
	enum tsl_status status = npyio_output_path_find(at, w->path, err);

	if (!status && at->exists && !S_ISREG(at->st.st_mode))
		return tsl_about(
			npyio_output_path_open_in_place(at, &w->fd, err),
			w->path, err);
	if (!status && at->exists && w->options.no_clobber) {
		errno = EEXIST;
		status = npyio_fail_sys(err, "not replaced");
	}
	if (!status)
		status = npyio_atomic_file_open(&w->atomic, err);
	w->kind = &atomic;
	w->fd = w->atomic.fd;
	return tsl_about(status, w->path, err);
}

/* From here on the archive is the writer's, if it has a path of its own. */
static enum tsl_status
begin_member(struct npyio_writer *w, const char *name, struct tsl_error *err)
{
	enum tsl_status status =
		npyio_archive_writer_begin(w->archive, name, err);

	w->kind = npyio_archive_writer_is_deflated(w->archive) ? &deflated
							       : &stored;
	w->fd = npyio_archive_writer_fd(w->archive);
	if (!status)
		w->start = w->base = npyio_archive_writer_offset(w->archive);
	return tsl_about(status, w->path, err);
}

static enum tsl_status
open_member(struct npyio_writer *w, const char *name, size_t file_len,
	    struct tsl_error *err)
{
	const struct npyio_archive_writer_options options = {
		.without = name,
		.no_clobber = w->options.no_clobber,
		.sync = w->options.sync,
		.level = w->options.level,
		.threads = w->options.threads,
	};
	enum tsl_status status = npyio_member_name_check(name, err);

	if (!status && !(w->file = strndup(w->path, file_len)))
		status = tsl_no_memory(err);
	if (!status)
		status = npyio_archive_writer_open(&w->archive, w->file,
						   &options, err);
	return status ? tsl_about(status, w->path, err)
		      : begin_member(w, name, err);
}

/* A file, or a member of one. */
static enum tsl_status
open_path(struct npyio_writer *w, struct tsl_error *err)
{
	size_t file_len;
	const char *name = npyio_member_name_of(w->path, &file_len);

	return name ? open_member(w, name, file_len, err) : open_file(w, err);
}

/* A larger pipe has both its ends wait less; not everybody may have one. */
static void
look_at_pipe(struct npyio_writer *w)
{
	struct stat st;

	w->is_pipe = !w->kind->is_positional && fstat(w->fd, &st) == 0 &&
		     S_ISFIFO(st.st_mode);
	if (w->is_pipe)
		(void)fcntl(w->fd, F_SETPIPE_SZ, PIPE_NBYTES);
}

enum tsl_status
npyio_writer_open(struct npyio_writer **writer_new, const char *path,
		  const struct npyio_writer_options *options,
		  struct tsl_error *err)
{
	struct npyio_writer *w = new_writer(&in_order);
	bool standard = !path || strcmp(path, "-") == 0;
	int fd = standard ? STDOUT_FILENO : descriptor_of(path);
	enum tsl_status status;

	*writer_new = NULL;
	if (!w)
		return tsl_no_memory(err);
	w->options = *options;
	w->path = standard ? "standard output" : path;
	status = fd >= 0 ? open_descriptor(w, fd, err) : open_path(w, err);
	if (status) {
		npyio_writer_abort(w);
		return status;
	}
	look_at_pipe(w);
	*writer_new = w;
	return TSL_OK;
}

enum tsl_status
npyio_writer_open_member(struct npyio_writer **writer_new,
			 struct npyio_archive_writer *archive, const char *name,
			 struct tsl_error *err)
{
	struct npyio_writer *w = new_writer(&stored);
	enum tsl_status status;

	*writer_new = NULL;
	if (!w)
		return tsl_no_memory(err);
	w->path = npyio_archive_writer_path(archive);
	w->archive = archive;
	status = begin_member(w, name, err);
	if (status)
		npyio_writer_abort(w);
	else
		*writer_new = w;
	return status;
}

enum tsl_status
npyio_writer_open_spool(struct npyio_writer **writer_new, struct tsl_error *err)
{
	struct npyio_writer *w = new_writer(&spool);
	enum tsl_status status;

	*writer_new = NULL;
	if (!w)
		return tsl_no_memory(err);
	w->path = npyio_spool_directory();
	status = npyio_spool_open(&w->fd, err);
	if (status)
		npyio_writer_abort(w);
	else
		*writer_new = w;
	return status;
}

enum tsl_status
npyio_writer_open_at(struct npyio_writer **writer_new, const char *path, int fd,
		     int64_t base, struct tsl_error *err)
{
	struct npyio_writer *w = new_writer(&addition);
	enum tsl_status status;

	*writer_new = NULL;
	if (!w)
		return tsl_no_memory(err);
	w->path = path;
	w->base = base;
	status = open_descriptor(w, fd, err);
	if (status)
		npyio_writer_abort(w);
	else
		*writer_new = w;
	return status;
}

enum tsl_status
npyio_writer_open_sink(struct npyio_writer **writer_new,
		       const struct npyio_writer *to, npyio_sink *put,
		       void *context, struct tsl_error *err)
{
	struct npyio_writer *w = *writer_new = new_writer(&sink);

	if (!w)
		return tsl_no_memory(err);
	w->path = to ? to->path : "memory";
	w->put = put;
	w->sink = context;
	return TSL_OK;
}

int
npyio_writer_descriptor(const struct npyio_writer *w)
{
	return w->fd;
}

bool
npyio_writer_is_positional(const struct npyio_writer *w)
{
	return w->kind->is_positional;
}

int64_t
npyio_writer_base(const struct npyio_writer *w)
{
	return w->base;
}

bool
npyio_writer_is_atomic(const struct npyio_writer *w)
{
	return w->kind == &atomic || w->kind == &stored;
}

int64_t
npyio_writer_best_size(const struct npyio_writer *w)
{
	/* What is more than a pipe holds only keeps its reader waiting. */
	return w->is_pipe ? PIPE_NBYTES / 4 : INT64_MAX;
}

bool
npyio_writer_stat(const struct npyio_writer *w, struct stat *st)
{
	return fstat(w->fd, st) == 0;
}

void
npyio_writer_in_place_file(const struct npyio_writer *w, int64_t offset,
			   struct npyio_in_place_file *target)
{
	*target = (struct npyio_in_place_file){ .name = w->path,
						.fd = w->fd,
						.offset = w->base + offset };
}

enum tsl_status
npyio_writer_next(struct npyio_writer *w, struct tsl_error *err)
{
	struct stat st;

	if (!npyio_writer_is_positional(w))
		return TSL_OK;
	if (fstat(w->fd, &st) != 0)
		return npyio_writer_fail(w, "cannot write", err);
	w->base = st.st_size;
	return TSL_OK;
}

void
npyio_writer_rewind(struct npyio_writer *w)
{
	w->base = w->start;
}

bool
npyio_writer_is_pipe(const struct npyio_writer *w)
{
	return w->is_pipe;
}

int64_t
npyio_writer_capacity(const struct npyio_writer *w)
{
	int n = fcntl(w->fd, F_GETPIPE_SZ);

	/* It is not known: as large as can be. */
	return n > 0 ? n : INT64_MAX;
}

enum tsl_status
npyio_writer_put(struct npyio_writer *w, const void *bytes, size_t n,
		 int64_t offset, struct tsl_error *err)
{
	return tsl_about(w->kind->put(w, bytes, n, offset, err), w->path, err);
}

enum tsl_status
npyio_writer_put_header(struct npyio_writer *w, const struct tsl_array *array,
			struct tsl_error *err)
{
	struct npyio_text header = { 0 };
	enum tsl_status status = npyio_header_format(&header, array, err);

	if (!status)
		status = npyio_writer_put(w, header.s, header.len, 0, err);
	npyio_text_free(&header);
	return status;
}

enum tsl_status
npyio_writer_commit(struct npyio_writer *w, struct tsl_error *err)
{
	enum tsl_status status =
		tsl_about(w->kind->commit(w, err), w->path, err);

	npyio_writer_abort(w);
	return status;
}

void
npyio_writer_abort(struct npyio_writer *w)
{
	if (!w)
		return;
	if (w->fd >= 0 && !w->kind->is_lent)
		close(w->fd);
	if (w->archive && w->file)
		npyio_archive_writer_close(w->archive);
	else if (w->archive)
		npyio_archive_writer_drop(w->archive);
	free(w->file);
	npyio_atomic_file_close(&w->atomic);
	free(w);
}

enum tsl_status
npyio_writer_end(struct npyio_writer *w, enum tsl_status status,
		 struct tsl_error *err)
{
	if (!status)
		return npyio_writer_commit(w, err);
	npyio_writer_abort(w);
	return status;
}
