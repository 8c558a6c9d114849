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
	return tsl_about(npyio_fail_sys(err, what), c->name, err);
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
	return tsl_about(TSL_EIO, c->name, err);
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
		return tsl_about(TSL_EIO, path, err);
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

void
npyio_in_place_writer_init(struct npyio_in_place_writer *b,
			   const struct npyio_in_place_file *target)
{
	b->target = target;
	npyio_window_init_writes(&b->window, target->name);
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

enum tsl_status
npyio_in_place_writer_put(const struct npyio_in_place_writer *b,
			  const char *bytes, int64_t n, int64_t offset,
			  struct tsl_error *err)
{
	const struct npyio_in_place_file *c = b->target;
	enum tsl_status status;

	touch(c);
	status = npyio_fd_pwrite(c->fd, bytes, (size_t)n, c->offset + offset,
				 err);
	return tsl_about(status, c->name, err);
}

char *
npyio_in_place_writer_look(struct npyio_in_place_writer *b, int64_t lo,
			   int64_t hi, int64_t n)
{
	const struct npyio_in_place_file *c = b->target;
	char *bytes;

	bytes = npyio_window_look(&b->window, c->fd, c->offset + lo,
				  c->offset + hi);
	if (!bytes)
		return NULL;
	touch(c);
	if (n / PLACES_PER_PAGE >= (hi - lo) / PAGE)
		npyio_window_expect(&b->window, c->offset + lo, c->offset + hi);
	return bytes;
}
