/*
 * growing_header.c - the header of a file that somebody may be adding to
 */
#define _DEFAULT_SOURCE /* flock */
#include "growing_header.h"

#include "file_header.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whoever is added to that often, so fast, is not being added to. */
#define MAX_LOOKS 1000

struct header {
	struct tsl_array *array;
	char **descr;
	int64_t *data_offset;
	enum npyio_behind behind;
};

enum holder { NOBODY, US, ANOTHER };

/* ---- the lock ------------------------------------------------------------ */

/*
 * A lock is the open file's, and what we were given may be somebody's who has
 * one: to ask for another would change that.
 */
static int
open_own(int fd)
{
	char name[32];

	if (fd > STDERR_FILENO)
		return fd;
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	return open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
}

/* Nobody adds to the file as long as we have it; others may have it too. */
static enum holder
lock(int fd)
{
	int failed;

	if (fd < 0)
		return NOBODY;
	do
		failed = flock(fd, LOCK_SH | LOCK_NB);
	while (failed && errno == EINTR);
	return !failed ? US : errno == EWOULDBLOCK ? ANOTHER : NOBODY;
}

static void
unlock(const struct npyio_source *s, int fd, enum holder holder)
{
	if (holder == US)
		(void)flock(fd, LOCK_UN);
	if (fd >= 0 && fd != s->fd)
		close(fd);
}

/* ---- looking ------------------------------------------------------------- */

static int64_t
end_of(const struct header *h)
{
	return *h->data_offset + tsl_array_nbytes(h->array);
}

static enum tsl_status
read_header(const struct npyio_source *s, const struct header *h,
	    struct tsl_error *err)
{
	free(*h->descr);
	*h->descr = NULL;
	return npyio_file_header_read(s, 0, h->array, h->descr, h->data_offset,
				      err);
}

/*
 * The header first, and then what there is: no more than what is there before
 * it speaks of it.
 */
static enum tsl_status
look_again(struct npyio_source *s, const struct header *h,
	   struct tsl_error *err)
{
	enum tsl_status status = read_header(s, h, err);
	struct stat st;

	if (!status && fstat(s->fd, &st) == 0)
		s->size = st.st_size - s->start;
	return status ? status
		      : npyio_file_header_check(s, h->array, *h->data_offset,
						h->behind, err);
}

/* What a file may look like while somebody adds to it, or just has. */
static bool
may_settle(enum tsl_status status)
{
	return status == TSL_ETRAILING_DATA || status == TSL_ETRUNCATED_DATA ||
	       status == TSL_EBAD_HEADER || status == TSL_EBAD_SHAPE;
}

static enum tsl_status
fail_cut_short(int64_t nbytes, struct tsl_error *err)
{
	return tsl_fail(err, TSL_ETRAILING_DATA,
			"%lld byte%s the array, as an append that was cut "
			"short leaves them; 'tcat --append FILE' cuts them off",
			(long long)nbytes,
			nbytes == 1 ? " follows" : "s follow");
}

/*
 * Where the array ends that something follows; of other headers it is not known
 * whether that can be counted.
 */
static int64_t
end_before(const struct header *h, enum tsl_status status)
{
	return status == TSL_ETRAILING_DATA ? end_of(h) : -1;
}

/*
 * Looks once more, with the lock if it can be had.  '*settled': the result is
 * what the file is.
 */
static enum tsl_status
settle(struct npyio_source *s, const struct header *h, int64_t end,
       bool *settled, struct tsl_error *err)
{
	int fd = open_own(s->fd);
	enum holder holder = lock(fd);
	enum tsl_status status = look_again(s, h, err);

	unlock(s, fd, holder);
	*settled = holder != ANOTHER;
	if (status != TSL_ETRAILING_DATA)
		return status;
	if (*settled)
		return fail_cut_short(s->size - end_of(h), err);
	/* The header is from when the lock was another's, or before. */
	*settled = end_of(h) == end;
	if (*settled)
		s->size = end;
	return *settled ? TSL_OK : status;
}

enum tsl_status
npyio_growing_header_read(struct npyio_source *s, struct tsl_array *array,
			  char **descr, int64_t *data_offset,
			  enum npyio_behind behind, struct tsl_error *err)
{
	const struct header h = { array, descr, data_offset, behind };
	enum tsl_status status = read_header(s, &h, err);
	bool settled = s->start > 0;

	if (!status)
		status = npyio_file_header_check(s, array, *data_offset, behind,
						 err);
	for (int i = 0; i < MAX_LOOKS && !settled && may_settle(status); i++)
		status = settle(s, &h, end_before(&h, status), &settled, err);
	return status;
}
