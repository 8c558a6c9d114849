/*
 * parts_directory.c - a directory of ours beside an output, for the parts of it
 */
#define _GNU_SOURCE /* O_DIRECTORY, O_NOFOLLOW, SYS_renameat2, d_type */
#include "parts_directory.h"

#include "npyio/file/fd.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* linux/fs.h; not every C library has the call. */
#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE 1
#endif

/* It may go while it is being entered, as often as one is made. */
#define MAX_TRIES 100

/* A list that is made while names come may lack an older one. */
#define MAX_LISTS 5

/* Of a file on a server that somebody has open and nobody a name of. */
#define UNLINKED ".nfs"

/* Nobody else writes to it, whatever the umask: all in it is of one user. */
#define MODE 0755

static enum tsl_status
fail(const char *what, struct tsl_error *err)
{
	char text[80];

	snprintf(text, sizeof(text), "%s in its directory of parts", what);
	return npyio_fail_sys(err, text);
}

static enum tsl_status
refuse(const struct npyio_parts_directory *f, const char *why,
       struct tsl_error *err)
{
	return tsl_fail(err, TSL_EIO,
			"%.100s %s: it is left alone; give another -o, or move "
			"it away",
			f->name, why);
}

static bool
is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* ---- names --------------------------------------------------------------- */

enum kind {
	KIND_FOREIGN,
	KIND_NONE, /* the directory's own names, and such */
	KIND_PLAN,
	KIND_OFFER,
	KIND_DATA,
	KIND_BEGUN,
	KIND_MARK,
};

/* The number that a name begins with, as we write one; 0: with none. */
static int
number_in(const char *name, const char **rest)
{
	int n = 0;

	if (*name < '1' || *name > '9')
		return 0;
	for (; *name >= '0' && *name <= '9'; name++) {
		if (n > (INT_MAX - 9) / 10)
			return 0;
		n = n * 10 + (*name - '0');
	}
	*rest = name;
	return n;
}

static enum kind
kind_of(const char *name, int *number)
{
	const size_t offer = strlen(NPYIO_FOLDER_OFFER);
	const char *rest = name;

	*number = 0;
	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
	    strncmp(name, UNLINKED, strlen(UNLINKED)) == 0)
		return KIND_NONE;
	if (strcmp(name, NPYIO_FOLDER_PLAN) == 0)
		return KIND_PLAN;
	if (strcmp(name, NPYIO_FOLDER_DATA) == 0)
		return KIND_DATA;
	if (strncmp(name, NPYIO_FOLDER_OFFER, offer) == 0)
		return number_in(name + offer, &rest) > 0 && !*rest
			       ? KIND_OFFER
			       : KIND_FOREIGN;
	*number = number_in(name, &rest);
	if (*number > 0 && !*rest)
		return KIND_MARK;
	return *number > 0 && strcmp(rest, NPYIO_FOLDER_BEGUN) == 0
		       ? KIND_BEGUN
		       : KIND_FOREIGN;
}

/* ---- listing ------------------------------------------------------------- */

/* What is done with each name that is none of the directory's own. */
typedef enum tsl_status take_name(const struct npyio_parts_directory *f,
				  const struct dirent *e, void *context,
				  struct tsl_error *err);

/* From the begin: which names there are may have been asked before. */
static DIR *
open_list(const struct npyio_parts_directory *f)
{
	int fd = openat(f->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	int sys = errno;

	if (!d && fd >= 0)
		close(fd);
	errno = sys;
	return d;
}

static enum tsl_status
for_each(const struct npyio_parts_directory *f, take_name *take, void *context,
	 struct tsl_error *err)
{
	DIR *d = open_list(f);
	enum tsl_status status = TSL_OK;
	const struct dirent *e;

	if (!d)
		return npyio_fail_sys(err, "cannot list its directory of "
					   "parts");
	do {
		errno = 0;
		e = readdir(d);
		if (e)
			status = take(f, e, context, err);
		else if (errno != 0)
			status = npyio_fail_sys(
				err, "cannot list its directory of parts");
	} while (e && !status);
	closedir(d);
	return status;
}

/* ---- what is ours -------------------------------------------------------- */

static bool
is_ours(const struct stat *st)
{
	return S_ISREG(st->st_mode) && st->st_uid == geteuid();
}

static enum tsl_status
refuse_name(const struct npyio_parts_directory *f, const char *name,
	    struct tsl_error *err)
{
	char why[200];

	snprintf(why, sizeof(why), "holds '%.100s', which is no file of ours",
		 name);
	return refuse(f, why, err);
}

static enum tsl_status
check_opened(const struct npyio_parts_directory *f, const char *name, int fd,
	     struct tsl_error *err)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return fail("cannot look at a file", err);
	return is_ours(&st) ? TSL_OK : refuse_name(f, name, err);
}

/* Whoever it is of may be about to write it. */
static enum tsl_status
check_offer(const struct npyio_parts_directory *f, const char *name,
	    struct tsl_error *err)
{
	char begin[sizeof(NPYIO_FOLDER_MAGIC)];
	enum tsl_status status;
	size_t got = 0;
	int fd = openat(f->fd, name,
			O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return errno == ENOENT ? TSL_OK
				       : fail("cannot read a file", err);
	status = check_opened(f, name, fd, err);
	if (!status)
		status = npyio_fd_read(fd, begin, sizeof(begin) - 1, &got, err);
	close(fd);
	if (status || strncmp(begin, NPYIO_FOLDER_MAGIC, got) == 0)
		return status;
	return refuse_name(f, name, err);
}

/* What is not there any more is nobody's. */
static enum tsl_status
look_closely(const struct npyio_parts_directory *f, const char *name,
	     enum kind kind, struct tsl_error *err)
{
	struct stat st;

	if (fstatat(f->fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return errno == ENOENT ? TSL_OK
				       : fail("cannot look at a file", err);
	if (!is_ours(&st) ||
	    ((kind == KIND_MARK || kind == KIND_BEGUN) && st.st_size > 0))
		return refuse_name(f, name, err);
	return kind == KIND_OFFER ? check_offer(f, name, err) : TSL_OK;
}

struct look {
	struct npyio_marks *marks;
	bool closely;
	bool has_plan, has_data;
};

static enum tsl_status
look_at(const struct npyio_parts_directory *f, const struct dirent *e,
	void *context, struct tsl_error *err)
{
	struct look *l = context;
	int number;
	enum kind kind = kind_of(e->d_name, &number);

	if (kind == KIND_NONE)
		return TSL_OK;
	if (kind == KIND_FOREIGN ||
	    (e->d_type != DT_REG && e->d_type != DT_UNKNOWN))
		return refuse_name(f, e->d_name, err);
	l->has_plan |= kind == KIND_PLAN;
	l->has_data |= kind == KIND_DATA;
	if (l->marks && kind == KIND_MARK) {
		l->marks->n += number <= l->marks->count;
		l->marks->made |= number == l->marks->number;
	}
	return l->closely || e->d_type == DT_UNKNOWN
		       ? look_closely(f, e->d_name, kind, err)
		       : TSL_OK;
}

enum tsl_status
npyio_parts_directory_list(const struct npyio_parts_directory *f,
			   struct npyio_marks *marks, bool closely,
			   struct tsl_error *err)
{
	for (int i = 0; i < MAX_LISTS; i++) {
		struct look l = { .marks = marks, .closely = closely };
		enum tsl_status status;

		if (marks) {
			marks->made = false;
			marks->n = 0;
		}
		status = for_each(f, look_at, &l, err);
		/* Data are made after the plan. */
		if (status || l.has_plan || !l.has_data)
			return status;
	}
	return refuse(f, "holds '" NPYIO_FOLDER_DATA "' without a plan", err);
}

/* ---- the directory ------------------------------------------------------- */

/* Of the user's own group are those whom the umask lets write. */
static bool
others_may_write(const struct stat *st)
{
	mode_t mask;

	if (!(st->st_mode & (S_IWGRP | S_IWOTH)))
		return false;
	mask = umask(077);
	umask(mask);
	return (st->st_mode & S_IWOTH) || (mask & S_IWGRP) ||
	       st->st_gid != getegid();
}

static enum tsl_status
check_directory(const struct npyio_parts_directory *f, struct tsl_error *err)
{
	struct stat st;

	if (fstat(f->fd, &st) != 0)
		return npyio_fail_sys(err, "cannot look at its directory of "
					   "parts");
	if (st.st_uid != geteuid())
		return refuse(f, "is somebody else's", err);
	if (others_may_write(&st))
		return refuse(f, "may be written to by others", err);
	return TSL_OK;
}

static enum tsl_status
enter_directory(struct npyio_parts_directory *f, struct tsl_error *err)
{
	f->fd = openat(f->at, f->name,
		       O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (f->fd >= 0)
		return check_directory(f, err);
	if (errno == ELOOP || errno == ENOTDIR)
		return refuse(f, "is no directory", err);
	return npyio_fail_sys(err, "cannot open its directory of parts");
}

enum tsl_status
npyio_parts_directory_open(struct npyio_parts_directory *f,
			   struct tsl_error *err)
{
	struct tsl_error own;
	enum tsl_status status = TSL_EIO;

	f->fd = -1;
	for (int i = 0; i < MAX_TRIES && status; i++) {
		bool made = mkdirat(f->at, f->name, MODE) == 0;

		if (!made && errno != EEXIST)
			return npyio_fail_sys(err, "cannot make its directory "
						   "of parts");
		status = enter_directory(f, &own);
		if (status && made)
			unlinkat(f->at, f->name, AT_REMOVEDIR);
		/* Somebody has just been done with it. */
		if (status && own.sys != ENOENT)
			break;
	}
	if (status && err)
		*err = own;
	return status;
}

void
npyio_parts_directory_close(struct npyio_parts_directory *f)
{
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
}

/* Whether the name in directory 'at' is what 'fd' is open on. */
static enum tsl_status
has_name(int at, const char *name, int fd, bool *has, struct tsl_error *err)
{
	struct stat here, there;

	*has = false;
	if (fstat(fd, &here) != 0)
		return fail("cannot look at a file", err);
	if (fstatat(at, name, &there, AT_SYMLINK_NOFOLLOW) == 0)
		*has = is_same(&here, &there);
	else if (errno != ENOENT)
		return fail("cannot look at a file", err);
	return TSL_OK;
}

enum tsl_status
npyio_parts_directory_is_here(const struct npyio_parts_directory *f,
			      bool *is_here, struct tsl_error *err)
{
	return has_name(f->at, f->name, f->fd, is_here, err);
}

enum tsl_status
npyio_parts_directory_has(const struct npyio_parts_directory *f,
			  const char *name, int fd, bool *has,
			  struct tsl_error *err)
{
	return has_name(f->fd, name, fd, has, err);
}

/* ---- files --------------------------------------------------------------- */

/* A pipe would be waited for. */
#define OPEN_FLAGS (O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)

enum tsl_status
npyio_parts_directory_enter(const struct npyio_parts_directory *f,
			    const char *name, int *fd, struct tsl_error *err)
{
	enum tsl_status status;

	*fd = openat(f->fd, name, OPEN_FLAGS);
	if (*fd < 0 && errno == ELOOP)
		return refuse_name(f, name, err);
	if (*fd < 0)
		return fail("cannot open a file", err);
	status = check_opened(f, name, *fd, err);
	if (!status)
		return TSL_OK;
	close(*fd);
	*fd = -1;
	return status;
}

enum tsl_status
npyio_parts_directory_make(const struct npyio_parts_directory *f,
			   const char *name, mode_t mode, int *fd,
			   struct tsl_error *err)
{
	*fd = openat(f->fd, name, OPEN_FLAGS | O_CREAT | O_EXCL, mode);
	return *fd < 0 ? fail("cannot make a file", err) : TSL_OK;
}

/* ---- removing ------------------------------------------------------------ */

static enum tsl_status
remove_name(const struct npyio_parts_directory *f, const char *name,
	    struct tsl_error *err)
{
	return unlinkat(f->fd, name, 0) == 0 || errno == ENOENT
		       ? TSL_OK
		       : fail("cannot remove a file", err);
}

static enum tsl_status
remove_mark(const struct npyio_parts_directory *f, const struct dirent *e,
	    void *context, struct tsl_error *err)
{
	struct stat st;
	int number;

	(void)context;
	if (kind_of(e->d_name, &number) != KIND_MARK)
		return TSL_OK;
	/* Somebody has made new ones, of which it may be. */
	if (fstatat(f->fd, NPYIO_FOLDER_DATA, &st, AT_SYMLINK_NOFOLLOW) == 0)
		return TSL_OK;
	return remove_name(f, e->d_name, err);
}

static enum tsl_status
remove_ours(const struct npyio_parts_directory *f, const struct dirent *e,
	    void *context, struct tsl_error *err)
{
	int number;
	enum kind kind = kind_of(e->d_name, &number);

	(void)context;
	return kind == KIND_NONE || kind == KIND_FOREIGN ||
			       (e->d_type != DT_REG && e->d_type != DT_UNKNOWN)
		       ? TSL_OK
		       : remove_name(f, e->d_name, err);
}

enum tsl_status
npyio_parts_directory_clear(const struct npyio_parts_directory *f,
			    struct tsl_error *err)
{
	return for_each(f, remove_mark, NULL, err);
}

/* Not every file system can rename so. */
static bool
rename_new(int at, const char *from, const char *to)
{
	if (syscall(SYS_renameat2, at, from, at, to, RENAME_NOREPLACE) == 0)
		return true;
	return (errno == EINVAL || errno == ENOSYS) &&
	       faccessat(at, to, F_OK, AT_SYMLINK_NOFOLLOW) != 0 &&
	       renameat(at, from, at, to) == 0;
}

/* Under another name nobody comes in who begins anew. */
static bool
move_away(struct npyio_parts_directory *f)
{
	char name[64];

	for (int n = 0; n < MAX_TRIES; n++) {
		snprintf(name, sizeof(name), ".tslice.%ld.%d.parts",
			 (long)getpid(), n);
		if (rename_new(f->at, f->name, name)) {
			snprintf(f->name, sizeof(f->name), "%s", name);
			return true;
		}
		if (errno != EEXIST && errno != ENOTEMPTY)
			break;
	}
	return false;
}

static enum tsl_status
remove_all(const struct npyio_parts_directory *f, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;

	/* Who made a part at the same time may set its mark once more. */
	for (int i = 0; i < MAX_TRIES && !status; i++) {
		status = for_each(f, remove_ours, NULL, err);
		if (status)
			break;
		if (unlinkat(f->at, f->name, AT_REMOVEDIR) == 0 ||
		    errno == ENOENT)
			return TSL_OK;
		if (errno != ENOTEMPTY && errno != EEXIST)
			break;
	}
	return status ? status : fail("cannot remove what is left", err);
}

enum tsl_status
npyio_parts_directory_remove(struct npyio_parts_directory *f,
			     struct tsl_error *err)
{
	char name[NPYIO_ATOMIC_FILE_NAME];
	enum tsl_status status;
	bool is_here;

	status = npyio_parts_directory_is_here(f, &is_here, err);
	if (status || !is_here)
		return status;
	memcpy(name, f->name, sizeof(name));
	if (!move_away(f))
		return errno == ENOENT ? TSL_OK
				       : npyio_fail_sys(err, "is written, but "
							     "its directory of "
							     "parts stays");
	status = remove_all(f, err);
	/* Whatever is left in it is found where it was put. */
	if (status && rename_new(f->at, f->name, name))
		memcpy(f->name, name, sizeof(name));
	return status;
}
