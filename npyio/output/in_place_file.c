/*
 * in_place_file.c - a file in which single places are written, and nothing else
 */
#include "in_place_file.h"

#include "npyio/file/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* Of so many places all over it hardly a page is left out. */
#define PAGE 4096
#define PLACES_PER_PAGE 4

static enum tsl_status
fail(const struct npyio_in_place_file *c, const char *what,
     struct tsl_error *err)
{
	npyio_fail_sys(err, what);
	if (err)
		err->subject = c->name;
	return TSL_EIO;
}

/* The name may have become another file's since it was read. */
static enum tsl_status
check_same(const struct npyio_in_place_file *c, const struct npyio_reader *in,
	   struct tsl_error *err)
{
	struct stat file, read;

	if (fstat(c->fd, &file) != 0)
		return fail(c, "cannot write", err);
	if (S_ISREG(file.st_mode) && npyio_reader_stat(in, &read) &&
	    file.st_dev == read.st_dev && file.st_ino == read.st_ino)
		return TSL_OK;
	tsl_fail(err, TSL_EIO,
		 S_ISREG(file.st_mode)
			 ? "the file was replaced meanwhile"
			 : "only a regular file can be written in place");
	if (err)
		err->subject = c->name;
	return TSL_EIO;
}

enum tsl_status
npyio_in_place_file_open(struct npyio_in_place_file *c, const char *path,
			 const struct npyio_reader *in, atomic_bool *touched,
			 struct tsl_error *err)
{
	enum tsl_status status;
	int fd;

	*c = (struct npyio_in_place_file){ .name = path,
					   .fd = -1,
					   .touched = touched };
	if (!npyio_reader_is_in_place(in) ||
	    !npyio_reader_file(in, &fd, &c->offset)) {
		tsl_fail(err, TSL_EIO,
			 npyio_reader_is_member(in)
				 ? "a member of an archive cannot be written "
				   "in place: take it out first, with tslice "
				   "and -o"
				 : "only a regular file can be written in "
				   "place");
		if (err)
			err->subject = path;
		return TSL_EIO;
	}
	c->fd = open(npyio_reader_file_name(in), O_RDWR | O_CLOEXEC | O_NOCTTY);
	if (c->fd < 0)
		return fail(c, "cannot open for writing", err);
	status = check_same(c, in, err);
	if (status)
		close(c->fd);
	return status;
}

enum tsl_status
npyio_in_place_file_close(struct npyio_in_place_file *c, bool sync,
			  struct tsl_error *err)
{
	/* What went through a mapping is synced with the rest of the file. */
	bool synced = !sync || fsync(c->fd) == 0 || errno == EINVAL;
	int sys = errno;

	if (close(c->fd) != 0 && errno != EINTR && synced)
		return fail(c, "cannot write", err);
	errno = sys;
	return synced ? TSL_OK : fail(c, "cannot sync", err);
}

bool
npyio_in_place_file_is_ours(const struct npyio_in_place_file *c, int64_t lo,
			    int64_t hi)
{
	int64_t at, end;

	return !c->share || npyio_share_next(c->share, c->offset + lo,
					     c->offset + hi, &at, &end);
}

void
npyio_in_place_writer_init(struct npyio_in_place_writer *b,
			   const struct npyio_in_place_file *canvas)
{
	b->canvas = canvas;
	npyio_window_init_writes(&b->window, canvas->name);
}

void
npyio_in_place_writer_close(struct npyio_in_place_writer *b)
{
	npyio_window_close(&b->window);
}

static void
touch(const struct npyio_in_place_file *c)
{
	if (c->touched)
		atomic_store(c->touched, true);
}

static enum tsl_status
put(const struct npyio_in_place_file *c, const char *bytes, int64_t n,
    int64_t at, struct tsl_error *err)
{
	enum tsl_status status;

	touch(c);
	status = npyio_fd_pwrite(c->fd, bytes, (size_t)n, at, err);
	if (status && err)
		err->subject = c->name;
	return status;
}

enum tsl_status
npyio_in_place_writer_put(const struct npyio_in_place_writer *b,
			  const char *bytes, int64_t n, int64_t offset,
			  struct tsl_error *err)
{
	const struct npyio_in_place_file *c = b->canvas;
	int64_t at = c->offset + offset;
	int64_t lo, hi = at;
	enum tsl_status status = TSL_OK;

	if (!c->share)
		return put(c, bytes, n, at, err);
	while (!status && npyio_share_next(c->share, hi, at + n, &lo, &hi))
		status = put(c, bytes + (lo - at), hi - lo, lo, err);
	return status;
}

static bool
may_write_all(const struct npyio_in_place_file *c, int64_t lo, int64_t hi)
{
	int64_t ours_lo, ours_hi;

	lo += c->offset;
	hi += c->offset;
	return !c->share ||
	       (npyio_share_next(c->share, lo, hi, &ours_lo, &ours_hi) &&
		ours_lo == lo && ours_hi == hi);
}

char *
npyio_in_place_writer_look(struct npyio_in_place_writer *b, int64_t lo,
			   int64_t hi, int64_t n)
{
	const struct npyio_in_place_file *c = b->canvas;
	char *bytes;

	if (!may_write_all(c, lo, hi))
		return NULL;
	bytes = npyio_window_look(&b->window, c->fd, c->offset + lo,
				  c->offset + hi);
	if (!bytes)
		return NULL;
	touch(c);
	if (n / PLACES_PER_PAGE >= (hi - lo) / PAGE)
		npyio_window_expect(&b->window, c->offset + lo, c->offset + hi);
	return bytes;
}
