/*
 * writer.c - where the output goes: a file, standard output, a device, a spool
 */
#define _GNU_SOURCE /* fallocate, splice */
#include "writer.h"

#include "atomic_file.h"
#include "npyio/file/fd.h"
#include "npyio/file/gate.h"
#include "npyio/file/kernel_copy.h"
#include "npyio/file/spool.h"
#include "npyio/input/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Less is written as fast without having been reserved. */
#define MIN_RESERVED (256 * 1024)

/* Asked for, for pipes. */
#define PIPE_NBYTES (1024 * 1024)

/* What differs between one kind of output and another. */
struct kind {
	bool is_positional; /* writes may come in any order */
	bool is_gated; /* a handler undoes them: they are made inside the gate
			*/
	enum tsl_status (*put)(struct npyio_writer *w, const void *bytes,
			       size_t n, int64_t offset, struct tsl_error *err);
	enum tsl_status (*commit)(struct npyio_writer *w,
				  struct tsl_error *err);
};

struct npyio_writer {
	struct npyio_writer_options options;
	const char *path; /* as the user gave it */
	const struct kind *kind;
	int fd; /* our own, or that of the file that is to appear */
	struct npyio_atomic_file whole; /* of that kind */
	npyio_sink *put; /* of a sink */
	void *sink;
	bool is_pipe;
	int64_t base; /* in the file, of the array that is being written */
	struct npyio_kernel_copy direct;
};

static enum tsl_status
about(const struct npyio_writer *w, enum tsl_status status,
      struct tsl_error *err)
{
	if (status && err)
		err->subject = w->path;
	return status;
}

static enum tsl_status
fail(const struct npyio_writer *w, const char *what, struct tsl_error *err)
{
	return about(w, npyio_fail_sys(err, what), err);
}

/* ---- kinds --------------------------------------------------------------- */

static void
enter(const struct npyio_writer *w)
{
	if (w->kind->is_gated)
		npyio_gate_enter();
}

static void
leave(const struct npyio_writer *w)
{
	int sys = errno;

	if (w->kind->is_gated)
		npyio_gate_leave();
	errno = sys;
}

static enum tsl_status
put_anywhere(struct npyio_writer *w, const void *bytes, size_t n,
	     int64_t offset, struct tsl_error *err)
{
	enum tsl_status status;

	enter(w);
	status = npyio_fd_pwrite(w->fd, bytes, n, w->base + offset, err);
	leave(w);
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
	return npyio_atomic_file_appear(&w->whole, !w->options.no_clobber,
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

/* A file that appears whole or not at all. */
static const struct kind whole = { true, false, put_anywhere, appear };
/* Standard output, a pipe, a device. */
static const struct kind in_order = { false, false, put_next, close_in_order };
/* A file without a name, which is never to appear. */
static const struct kind spool = { true, false, put_anywhere, close_in_order };
/* The end of a file that is there. */
static const struct kind addition = { true, true, put_anywhere,
				      close_in_order };
/* A function, which writes something else elsewhere. */
static const struct kind sink = { false, false, put_into_sink, NULL };

/* ---- opening ------------------------------------------------------------- */

static struct npyio_writer *
new_writer(const struct kind *kind)
{
	struct npyio_writer *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->kind = kind;
	w->fd = w->whole.fd = -1;
	w->whole.at.dir = AT_FDCWD;
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
	return w->fd < 0 ? fail(w, "cannot write", err) : TSL_OK;
}

/* A link stays, and what it leads to, if that is a regular file, is replaced.
 */
static enum tsl_status
open_file(struct npyio_writer *w, struct tsl_error *err)
{
	struct npyio_output_path *at = &w->whole.at;
	enum tsl_status status;

	/* Who writes FILE:NAME does not want a file of that name beside it. */
	if (npyio_archive_leads_in(w->path)) {
		tsl_fail(err, TSL_EIO,
			 "nothing can be written into an archive; name a file, "
			 "and make the archive anew with numpy.savez");
		return about(w, TSL_EIO, err);
	}
	status = npyio_output_path_find(at, w->path, err);
	if (!status && at->exists && !S_ISREG(at->st.st_mode))
		return about(w,
			     npyio_output_path_open_in_place(at, &w->fd, err),
			     err);
	if (!status && at->exists && w->options.no_clobber) {
		errno = EEXIST;
		status = npyio_fail_sys(err, "not replaced");
	}
	if (!status)
		status = npyio_atomic_file_open(&w->whole, err);
	w->kind = &whole;
	w->fd = w->whole.fd;
	return about(w, status, err);
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
		return tsl_fail(err, TSL_EMEMORY, "out of memory");
	w->options = *options;
	w->path = standard ? "standard output" : path;
	status = fd >= 0 ? open_descriptor(w, fd, err) : open_file(w, err);
	if (status) {
		npyio_writer_abort(w);
		return status;
	}
	look_at_pipe(w);
	*writer_new = w;
	return TSL_OK;
}

enum tsl_status
npyio_writer_open_spool(struct npyio_writer **writer_new, struct tsl_error *err)
{
	struct npyio_writer *w = new_writer(&spool);
	enum tsl_status status;

	*writer_new = NULL;
	if (!w)
		return tsl_fail(err, TSL_EMEMORY, "out of memory");
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
		return tsl_fail(err, TSL_EMEMORY, "out of memory");
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
		return tsl_fail(err, TSL_EMEMORY, "out of memory");
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

/* Returns whether so much is reserved; if not, errno says why. */
static bool
reserve(const struct npyio_writer *w, int64_t offset, int64_t nbytes)
{
	bool done;

	enter(w);
	/*
	 * fallocate(2) itself: posix_fallocate() would write zeros where the
	 * file system cannot reserve.
	 */
	done = fallocate(w->fd, 0, w->base + offset, nbytes) == 0;
	leave(w);
	return done;
}

/*
 * What there cannot be is not even begun: until it fails fallocate(2) takes all
 * there is, from everybody.  Where it is not supported less may do, as when
 * the file system compresses.
 */
static bool
is_too_large(const struct npyio_writer *w, int64_t nbytes)
{
	struct statvfs st;

	return fstatvfs(w->fd, &st) == 0 && st.f_frsize > 0 &&
	       (uint64_t)nbytes / st.f_frsize > st.f_bavail && reserve(w, 0, 1);
}

enum tsl_status
npyio_writer_reserve(struct npyio_writer *w, int64_t offset, int64_t nbytes,
		     struct tsl_error *err)
{
	if (!npyio_writer_is_positional(w) || nbytes < MIN_RESERVED)
		return TSL_OK;
	if (is_too_large(w, nbytes)) {
		errno = ENOSPC;
		return fail(w, "cannot write", err);
	}
	return npyio_writer_reserve_range(w, offset, nbytes, err);
}

enum tsl_status
npyio_writer_reserve_range(struct npyio_writer *w, int64_t offset,
			   int64_t nbytes, struct tsl_error *err)
{
	while (!reserve(w, offset, nbytes)) {
		if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG ||
		    errno == EIO)
			return fail(w, "cannot write", err);
		if (errno != EINTR)
			break;
	}
	return TSL_OK;
}

bool
npyio_writer_may_reflink(const struct npyio_writer *w)
{
	return npyio_writer_is_positional(w) &&
	       !atomic_load(&w->direct.cannot_reflink);
}

int64_t
npyio_writer_block(const struct npyio_writer *w)
{
	return npyio_writer_may_reflink(w) ? npyio_kernel_copy_block(w->fd) : 0;
}

int64_t
npyio_writer_reflink(struct npyio_writer *w, int fd, int64_t lo, int64_t n,
		     int64_t offset, int64_t *before)
{
	int64_t shared;

	if (!npyio_writer_is_positional(w))
		return 0;
	enter(w);
	shared = npyio_kernel_copy_reflink(&w->direct, fd, lo, w->fd,
					   w->base + offset, n, before);
	leave(w);
	return shared;
}

int64_t
npyio_writer_copy(struct npyio_writer *w, int fd, int64_t lo, int64_t n,
		  int64_t offset, int threads)
{
	int64_t copied;

	if (!npyio_writer_is_positional(w) ||
	    !npyio_kernel_copy_pays(w->fd, threads))
		return 0;
	enter(w);
	copied = npyio_kernel_copy_range(&w->direct, fd, lo, w->fd,
					 w->base + offset, n);
	leave(w);
	return copied;
}

void
npyio_writer_in_place_file(const struct npyio_writer *w, int64_t offset,
			   struct npyio_in_place_file *canvas)
{
	*canvas = (struct npyio_in_place_file){ .name = w->path,
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
		return fail(w, "cannot write", err);
	w->base = st.st_size;
	return TSL_OK;
}

void
npyio_writer_rewind(struct npyio_writer *w)
{
	w->base = 0;
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

int64_t
npyio_writer_splice(struct npyio_writer *w, int fd, int64_t offset, int64_t n)
{
	int64_t done = 0;

	while (done < n) {
		off_t at = offset + done;
		ssize_t r = splice(fd, &at, w->fd, NULL, (size_t)(n - done),
				   SPLICE_F_MOVE);

		if (r > 0)
			done += r;
		else if (r == 0 || !npyio_fd_again(w->fd, POLLOUT))
			break;
	}
	return done;
}

enum tsl_status
npyio_writer_put(struct npyio_writer *w, const void *bytes, size_t n,
		 int64_t offset, struct tsl_error *err)
{
	return about(w, w->kind->put(w, bytes, n, offset, err), err);
}

enum tsl_status
npyio_writer_commit(struct npyio_writer *w, struct tsl_error *err)
{
	enum tsl_status status = about(w, w->kind->commit(w, err), err);

	npyio_writer_abort(w);
	return status;
}

void
npyio_writer_abort(struct npyio_writer *w)
{
	if (!w)
		return;
	if (w->fd >= 0 && w->kind != &whole)
		close(w->fd);
	npyio_atomic_file_close(&w->whole);
	free(w);
}
