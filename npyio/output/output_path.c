/*
 * output_path.c - what a name of an output stands for
 */
#define _GNU_SOURCE /* O_PATH */
#include "output_path.h"

#include "npyio/file/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* As many as the kernel follows. */
#define MAX_LINKS 40

static enum tsl_status
fail(int sys, struct tsl_error *err)
{
	errno = sys;
	return npyio_fail_sys(err, "cannot write");
}

/* Goes on to the directory of 'path', which stands in the one we are in. */
static enum tsl_status
enter(struct npyio_output_path *t, const char *path, const char *slash,
      struct tsl_error *err)
{
	/* The slash that is the root directory's whole name stays. */
	char *name = strndup(path, slash == path ? 1 : (size_t)(slash - path));
	int dir;

	if (!name)
		return tsl_no_memory(err);
	/* To be searched is enough: it need not be readable. */
	dir = openat(t->dir, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
	free(name);
	if (dir < 0)
		return fail(errno, err);
	if (t->dir != AT_FDCWD)
		close(t->dir);
	t->dir = dir;
	return TSL_OK;
}

/* The same, and takes the name in it. */
static enum tsl_status
step(struct npyio_output_path *t, const char *path, struct tsl_error *err)
{
	const char *slash = strrchr(path, '/');
	enum tsl_status status = TSL_OK;

	if (*path == '\0')
		return fail(ENOENT, err);
	if (slash && slash[1] == '\0')
		return fail(EISDIR, err);
	if (slash)
		status = enter(t, path, slash, err);
	if (status)
		return status;
	free(t->name);
	t->name = strdup(slash ? slash + 1 : path);
	return t->name ? TSL_OK : tsl_no_memory(err);
}

static bool
is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* One link further, until there is none: t->st is what was found there. */
static enum tsl_status
resolve(struct npyio_output_path *t, struct tsl_error *err)
{
	char text[PATH_MAX];
	enum tsl_status status = TSL_OK;

	for (int n = 0; S_ISLNK(t->st.st_mode) && !status; n++) {
		ssize_t len = readlinkat(t->dir, t->name, text, sizeof(text));

		if (n == MAX_LINKS)
			return fail(ELOOP, err);
		if (len < 0)
			return fail(errno, err);
		if ((size_t)len == sizeof(text))
			return fail(ENAMETOOLONG, err);
		text[len] = '\0';
		status = step(t, text, err);
		if (!status &&
		    fstatat(t->dir, t->name, &t->st, AT_SYMLINK_NOFOLLOW) != 0)
			status = fail(errno, err);
	}
	return status;
}

/*
 * The kernel is asked first where the link leads: it knows of links that are
 * none by name (/proc), and of those that must not be followed (in /tmp).
 * What is then found by the text of the links has to be the same file.
 */
static enum tsl_status
follow(struct npyio_output_path *t, struct tsl_error *err)
{
	struct stat st;
	enum tsl_status status;

	if (fstatat(t->dir, t->name, &st, 0) != 0)
		return fail(errno, err);
	if (!S_ISREG(st.st_mode)) {
		t->st = st;
		return TSL_OK;
	}
	status = resolve(t, err);
	if (!status && !is_same(&st, &t->st))
		status = fail(ESTALE, err);
	return status;
}

enum tsl_status
npyio_output_path_find(struct npyio_output_path *t, const char *path,
		       struct tsl_error *err)
{
	enum tsl_status status;

	*t = (struct npyio_output_path){ .dir = AT_FDCWD };
	status = step(t, path, err);
	if (status)
		return status;
	t->exists = fstatat(t->dir, t->name, &t->st, AT_SYMLINK_NOFOLLOW) == 0;
	if (!t->exists)
		return errno == ENOENT ? TSL_OK : fail(errno, err);
	if (S_ISLNK(t->st.st_mode))
		status = follow(t, err);
	if (!status && S_ISDIR(t->st.st_mode))
		status = fail(EISDIR, err);
	return status;
}

void
npyio_output_path_close(struct npyio_output_path *t)
{
	if (t->dir != AT_FDCWD)
		close(t->dir);
	free(t->name);
	*t = (struct npyio_output_path){ .dir = AT_FDCWD };
}

enum tsl_status
npyio_output_path_open_in_place(const struct npyio_output_path *t, int *fd,
				struct tsl_error *err)
{
	struct stat st;

	*fd = openat(t->dir, t->name, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	if (*fd < 0)
		return npyio_fail_sys(err, "cannot open for writing");
	if (fstat(*fd, &st) == 0 && is_same(&st, &t->st))
		return TSL_OK;
	/* By now the name may be that of a file to be kept. */
	close(*fd);
	*fd = -1;
	return fail(ESTALE, err);
}
