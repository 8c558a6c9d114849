/*
 * archive_path.c - the archive that a path leads to
 */
#include "archive.h"
#include "npyio/file/fd.h"
#include "npyio/remote/url.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* So much of a file tells its kind. */
#define FIRST 8

enum tsl_status
npyio_archive_is(int fd, const char *path, const struct npyio_container **kind,
		 struct tsl_error *err)
{
	unsigned char first[FIRST];
	struct stat st;
	enum tsl_status status;
	size_t got;

	*kind = NULL;
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		return TSL_OK;
	status = npyio_fd_pread(fd, first, sizeof(first), 0, &got, err);
	if (!status)
		*kind = npyio_container_of(path, first, got);
	return status;
}

/* What a path leads to. */
struct lead {
	char *file; /* a path */
	const char *member; /* or NULL */
	bool is_file; /* there is one that is a regular file */
	struct stat st; /* of it */
	int fd; /* of the archive; < 0: it is none */
	const struct npyio_container *kind; /* of it */
};

/*
 * Opens 'file' if it is an archive, unless it is what 'known' is.  It is looked
 * at first: to open a FIFO would wait for who writes to it.
 */
static enum tsl_status
open_if_archive(struct lead *l, const struct npyio_archive *known, bool *found,
		struct tsl_error *err)
{
	enum tsl_status status;

	*found = false;
	if (stat(l->file, &l->st) != 0 || !S_ISREG(l->st.st_mode))
		return TSL_OK;
	l->is_file = true;
	*found = known && npyio_archive_is_file(known, &l->st);
	if (*found)
		return TSL_OK;
	l->fd = open(l->file, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (l->fd < 0)
		return npyio_fail_sys(err, "cannot open");
	status = npyio_archive_is(l->fd, l->file, &l->kind, err);
	*found = l->kind;
	if (*found)
		return TSL_OK;
	close(l->fd);
	l->fd = -1;
	return status;
}

static bool
is_there(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

/*
 * What there is as a file is that file; else it is the archive whose name
 * stands before a colon, the longest such name first.
 */
static enum tsl_status
follow(struct lead *l, const char *path, const struct npyio_archive *known,
       bool *found, struct tsl_error *err)
{
	bool there = is_there(path);
	enum tsl_status status = TSL_OK;
	char *colon;

	*l = (struct lead){ .file = strdup(path), .fd = -1 };
	*found = false;
	if (!l->file)
		return tsl_no_memory(err);
	if (there)
		return open_if_archive(l, known, found, err);
	while (!*found && !status && (colon = strrchr(l->file, ':'))) {
		*colon = '\0';
		l->member = path + (colon - l->file) + 1;
		status = open_if_archive(l, known, found, err);
	}
	if (!status && !*found && l->is_file)
		return tsl_fail(err, TSL_EBAD_ARCHIVE,
				"no such file, and the one before the colon is "
				"no zip archive");
	return status;
}

enum tsl_status
npyio_archive_reopen(struct npyio_archive **archive, const char *path,
		     const char **member, bool *found, struct tsl_error *err)
{
	enum tsl_status status;
	struct lead l;

	if (npyio_url_is(path))
		return npyio_archive_open_url(archive, NULL, path, member,
					      found, err);
	status = follow(&l, path, *archive, found, err);
	*member = l.member;
	if (*found && l.fd >= 0) {
		npyio_archive_close(*archive);
		*archive = NULL;
		status = npyio_archive_read(archive, l.fd, l.kind, err);
	}
	free(l.file);
	return status;
}

enum tsl_status
npyio_archive_open(struct npyio_archive **archive_new, const char *path,
		   const char **member, struct tsl_error *err)
{
	bool found;

	*archive_new = NULL;
	return npyio_archive_reopen(archive_new, path, member, &found, err);
}

const struct npyio_container *
npyio_archive_leads_in(const char *path, size_t *file_len)
{
	struct lead l;
	bool found;

	if (!strchr(path, ':') || is_there(path))
		return NULL;
	(void)!follow(&l, path, NULL, &found, NULL);
	if (found)
		*file_len = strlen(l.file);
	free(l.file);
	if (l.fd >= 0)
		close(l.fd);
	return found ? l.kind : NULL;
}
