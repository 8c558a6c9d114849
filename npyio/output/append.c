/*
 * append.c - an array file that grows at its end
 */
#define _DEFAULT_SOURCE /* flock */
#include "append.h"

#include "lib/base/overflow.h"
#include "npyio/file/cleanup.h"
#include "npyio/file/fd.h"
#include "npyio/format/header.h"
#include "npyio/input/file_header.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* ---- opening ------------------------------------------------------------- */

/* Opening a pipe might wait for somebody. */
static enum tsl_status
check_regular(const char *path, struct tsl_error *err)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return npyio_fail_sys(err, "cannot open");
	if (S_ISREG(st.st_mode))
		return TSL_OK;
	return tsl_fail(err, TSL_EIO,
			"only a regular file can be added to in place");
}

/*
 * Whoever had the lock may have put another file in the place of this one:
 * what was added to the old one would be lost.
 */
static bool
is_still_there(const struct npyio_append *x)
{
	struct stat named, opened;

	return stat(x->path, &named) == 0 && fstat(x->fd, &opened) == 0 &&
	       named.st_dev == opened.st_dev && named.st_ino == opened.st_ino;
}

static enum tsl_status
open_locked(struct npyio_append *x, struct tsl_error *err)
{
	enum tsl_status status;

	do {
		if (x->fd >= 0)
			close(x->fd);
		x->fd = -1;
		status = check_regular(x->path, err);
		if (status)
			return status;
		x->fd = open(x->path, O_RDWR | O_CLOEXEC | O_NOCTTY);
		if (x->fd < 0)
			return npyio_fail_sys(err, "cannot open for writing");
		while (flock(x->fd, LOCK_EX) != 0)
			if (errno != EINTR)
				return npyio_fail_sys(err, "cannot lock");
	} while (!is_still_there(x));
	return TSL_OK;
}

static enum tsl_status
read_header(struct npyio_append *x, struct tsl_error *err)
{
	struct npyio_source source;
	enum tsl_status status = npyio_source_look(&source, x->fd, false, err);

	if (status)
		return status;
	status = npyio_file_header_read(&source, 0, &x->array, &x->descr,
					&x->data_offset, err);
	if (status)
		return status;
	x->end = x->data_offset + tsl_array_nbytes(&x->array);
	status = npyio_file_header_check(&source, &x->array, x->data_offset,
					 false, err);
	/* What is no other array is left of one that was interrupted. */
	x->has_rest = status == TSL_ETRAILING_DATA;
	if (x->has_rest)
		return TSL_OK;
	if (status || source.size == x->end)
		return status;
	return tsl_fail(err, TSL_ETRAILING_DATA,
			"another array follows the first: to that nothing can "
			"be added");
}

static enum tsl_status
keep_header(struct npyio_append *x, struct tsl_error *err)
{
	size_t len = (size_t)x->data_offset, got;
	enum tsl_status status;

	x->header = malloc(len);
	if (!x->header)
		return tsl_no_memory(err);
	status = npyio_fd_pread(x->fd, x->header, len, 0, &got, err);
	return status || got == len
		       ? status
		       : tsl_fail(err, TSL_EIO,
				  "the file became shorter while being read");
}

enum tsl_status
npyio_append_open(struct npyio_append *x, const char *path,
		  struct tsl_error *err)
{
	enum tsl_status status;

	*x = (struct npyio_append){ .path = path, .fd = -1 };
	status = open_locked(x, err);
	if (!status)
		status = read_header(x, err);
	if (!status)
		status = keep_header(x, err);
	x->order = x->array.fortran_order && x->array.ndim > 1 ? TSL_ORDER_F
							       : TSL_ORDER_C;
	return tsl_about_new(status, x->path, err);
}

void
npyio_append_new(struct npyio_append *x, struct npyio_writer *out,
		 enum tsl_order order, bool headless)
{
	*x = (struct npyio_append){
		.fd = -1, .out = out, .order = order, .headless = headless
	};
}

/* ---- adding -------------------------------------------------------------- */

static enum tsl_status
cut_off(const struct npyio_append *x, struct tsl_error *err)
{
	while (ftruncate(x->fd, x->end) != 0)
		if (errno != EINTR)
			return npyio_fail_sys(err, "cannot write");
	return TSL_OK;
}

enum tsl_status
npyio_append_cut(struct npyio_append *x, bool sync, struct tsl_error *err)
{
	enum tsl_status status = x->has_rest ? cut_off(x, err) : TSL_OK;

	if (!status && sync)
		status = npyio_fd_sync(x->fd, err);
	return tsl_about_new(status, x->path, err);
}

static enum tsl_status
put_new_header(const struct npyio_append *x, struct tsl_error *err)
{
	return x->headless ? TSL_OK
			   : npyio_writer_put_header(x->out, &x->array, err);
}

static enum tsl_status
begin_new(struct npyio_append *x, struct tsl_error *err)
{
	enum tsl_status status = put_new_header(x, err);

	x->writer = x->out;
	return status ? status : npyio_writer_next(x->writer, err);
}

static enum tsl_status
begin(struct npyio_append *x, struct tsl_error *err)
{
	enum tsl_status status =
		npyio_writer_open_at(&x->writer, x->path, x->fd, x->end, err);

	if (status)
		return status;
	npyio_cleanup_begin();
	npyio_cleanup_arm_cut(x->fd, x->end);
	npyio_cleanup_end();
	return tsl_about_new(cut_off(x, err), x->path, err);
}

static int
outermost(const struct npyio_append *x)
{
	return x->order == TSL_ORDER_F ? x->array.ndim - 1 : 0;
}

/* '*new' is the header of the array as it is by now; the caller frees it. */
static enum tsl_status
make_header(const struct npyio_append *x, char **new, struct tsl_error *err)
{
	size_t len = (size_t)x->data_offset;
	int axis = outermost(x);
	enum tsl_status status;

	*new = malloc(len);
	if (!*new)
		return tsl_no_memory(err);
	memcpy(*new, x->header, len);
	status = npyio_header_put_dim(*new, len, axis, x->array.dim[axis], err);
	if (status != TSL_EBAD_HEADER)
		return status;
	return tsl_fail(err, status,
			"its header has no room to grow; write it anew, once: "
			"'tcat %sFILE -o FILE'",
			axis > 0 ? "--order F " : "");
}

static enum tsl_status
check_room(const struct npyio_append *x, struct tsl_error *err)
{
	char *header = NULL;
	enum tsl_status status = make_header(x, &header, err);

	free(header);
	return tsl_about_new(status, x->path, err);
}

static enum tsl_status
lengthen(struct npyio_append *x, const struct tsl_array *more,
	 struct tsl_error *err)
{
	int64_t *dim = x->array.dim + outermost(x);

	if (!x->writer && !x->path)
		x->array = *more;
	else if (!tsl_add(*dim, more->dim[outermost(x)], dim))
		return tsl_fail(err, TSL_ETOO_LARGE,
				"the result would be larger than 2^63-1 bytes");
	x->array.fortran_order =
		x->order == TSL_ORDER_F && !tsl_array_is_1d(&x->array);
	return tsl_array_check(&x->array, err);
}

enum tsl_status
npyio_append_add(struct npyio_append *x, const struct tsl_array *more,
		 struct tsl_error *err)
{
	enum tsl_status status = lengthen(x, more, err);

	if (!status && x->path)
		status = check_room(x, err);
	if (status || x->writer)
		return status;
	return x->path ? begin(x, err) : begin_new(x, err);
}

static enum tsl_status
sync_data(const struct npyio_append *x, bool sync, struct tsl_error *err)
{
	return sync && fdatasync(x->fd) != 0
		       ? npyio_fail_sys(err, "cannot sync")
		       : TSL_OK;
}

/* Writes the bytes of the header that are new, and from then on it is. */
static enum tsl_status
change_header(struct npyio_append *x, const char *header, struct tsl_error *err)
{
	size_t lo = 0, hi = (size_t)x->data_offset;
	enum tsl_status status = TSL_OK;

	while (lo < hi && header[lo] == x->header[lo])
		lo++;
	while (hi > lo && header[hi - 1] == x->header[hi - 1])
		hi--;
	/* From the first byte on nobody may cut off what it speaks of. */
	npyio_cleanup_begin();
	if (hi > lo)
		status = npyio_fd_pwrite(x->fd, header + lo, hi - lo,
					 (int64_t)lo, err);
	if (!status)
		npyio_cleanup_disarm_cut();
	npyio_cleanup_end();
	return status;
}

static enum tsl_status
commit(struct npyio_append *x, const char *header, bool sync,
       struct tsl_error *err)
{
	struct npyio_writer *writer = x->writer;
	enum tsl_status status = sync_data(x, sync, err);

	/* What was written may only now turn out not to be. */
	x->writer = NULL;
	if (status)
		npyio_writer_abort(writer);
	else
		status = npyio_writer_commit(writer, err);
	if (!status)
		status = change_header(x, header, err);
	if (status)
		return status;
	return sync_data(x, sync, err);
}

enum tsl_status
npyio_append_commit(struct npyio_append *x, bool sync, struct tsl_error *err)
{
	char *header = NULL;
	enum tsl_status status;

	if (!x->path) {
		npyio_writer_rewind(x->out);
		return put_new_header(x, err);
	}
	status = make_header(x, &header, err);
	if (!status)
		status = commit(x, header, sync, err);
	free(header);
	return tsl_about_new(status, x->path, err);
}

/* ---- closing ------------------------------------------------------------- */

void
npyio_append_close(struct npyio_append *x)
{
	if (x->writer != x->out)
		npyio_writer_abort(x->writer);
	npyio_cleanup_begin();
	npyio_cleanup_cut();
	npyio_cleanup_end();
	if (x->fd >= 0)
		close(x->fd);
	free(x->header);
	free(x->descr);
	*x = (struct npyio_append){ .fd = -1 };
}
