/*
 * target.c - the directory that many results go to
 */
#define _GNU_SOURCE /* O_PATH, syncfs */
#include "target.h"

#include "name_set.h"
#include "npyio/file/fd.h"
#include "npyio/format/container.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * So many results are flushed one by one.  To flush the whole file system
 * waits for what others have written there too, which is soon less.
 */
#define MAX_SYNCED 32

enum tsl_status
target_open(struct target *t, const char *path, bool sync,
	    struct tsl_error *err)
{
	*t = (struct target){ .path = path, .sync = sync };
	t->files.by_number = -1;
	/* To be searched and written to is enough: it need not be readable. */
	t->dir = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (t->dir < 0)
		return tsl_about(npyio_fail_sys(err, "cannot open"), t->path,
				 err);
	npyio_small_files_begin(&t->files, t->dir);
	return TSL_OK;
}

bool
target_is_archive(const char *path)
{
	struct stat st;

	return npyio_container_by_name(path, strlen(path)) ==
		       &npyio_zip_container &&
	       !(stat(path, &st) == 0 && S_ISDIR(st.st_mode));
}

enum tsl_status
target_open_archive(struct target *t, const char *path,
		    const struct npyio_archive_writer_options *options,
		    struct tsl_error *err)
{
	*t = (struct target){ .path = path, .dir = -1 };
	t->files.by_number = -1;
	return npyio_archive_writer_open(&t->archive, path, options, err);
}

enum tsl_status
target_begin_member(struct target *t, struct npyio_writer **writer_new,
		    const char *name, struct tsl_error *err)
{
	enum tsl_status status =
		npyio_writer_open_member(writer_new, t->archive, name, err);

	if (!status)
		atomic_store(&t->has_members, true);
	return status;
}

/* An archive without members is no more than a loss of the one before. */
enum tsl_status
target_commit(struct target *t, struct tsl_error *err)
{
	return t->archive && atomic_load(&t->has_members)
		       ? npyio_archive_writer_commit(t->archive, err)
		       : TSL_OK;
}

/* One flush for all that were not flushed by themselves. */
enum tsl_status
target_sync(struct target *t, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;
	int fd;

	if (!atomic_load(&t->to_sync))
		return TSL_OK;
	fd = openat(t->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || syncfs(fd) != 0)
		status = tsl_about(npyio_fail_sys(err, "cannot sync"), t->path,
				   err);
	if (fd >= 0)
		close(fd);
	return status;
}

void
target_close(struct target *t)
{
	npyio_archive_writer_close(t->archive);
	t->archive = NULL;
	npyio_small_files_end(&t->files);
	if (t->dir >= 0)
		close(t->dir);
	t->dir = -1;
}

void
target_place_init(struct target_place *p)
{
	*p = (struct target_place){ .dir = -1 };
}

void
target_place_free(struct target_place *p)
{
	if (p->dir >= 0)
		close(p->dir);
	npyio_text_free(&p->name);
	npyio_text_free(&p->path);
	target_place_init(p);
}

/* Makes each directory on the way, unless it is there. */
static enum tsl_status
make_directories(const struct target *t, char *name, struct tsl_error *err)
{
	for (char *slash = strchr(name, '/');; slash = strchr(slash + 1, '/')) {
		int failed;

		if (slash)
			*slash = '\0';
		failed = mkdirat(t->dir, name, 0777) != 0 && errno != EEXIST;
		if (slash)
			*slash = '/';
		if (failed)
			return npyio_fail_sys(err, "cannot make a directory");
		if (!slash)
			return TSL_OK;
	}
}

static enum tsl_status
enter(const struct target *t, struct target_place *p, size_t len,
      const char *name, struct tsl_error *err)
{
	enum tsl_status status;

	if (p->dir >= 0)
		close(p->dir);
	p->dir = -1;
	npyio_text_cut(&p->name, 0);
	npyio_text_add(&p->name, name, len);
	if (!npyio_text_ok(&p->name))
		return tsl_no_memory(err);
	status = make_directories(t, p->name.s, err);
	if (status)
		return status;
	p->dir = openat(t->dir, p->name.s, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return p->dir < 0 ? npyio_fail_sys(err, "cannot open its directory")
			  : TSL_OK;
}

enum tsl_status
target_enter(const struct target *t, struct target_place *p, const char *name,
	     struct tsl_error *err)
{
	const char *slash = strrchr(name, '/');
	size_t len = slash ? (size_t)(slash - name) : 0;

	/* The one that the last result went to is open. */
	if (!slash || (p->dir >= 0 && p->name.len == len &&
		       memcmp(p->name.s, name, len) == 0))
		return TSL_OK;
	return enter(t, p, len, name, err);
}

enum tsl_status
target_path(const struct target *t, struct target_place *p, const char *name,
	    const char **path, struct tsl_error *err)
{
	size_t len = strlen(t->path);

	npyio_text_cut(&p->path, 0);
	npyio_text_puts(&p->path, t->path);
	if (len == 0 || t->path[len - 1] != '/')
		npyio_text_puts(&p->path, "/");
	npyio_text_puts(&p->path, name);
	*path = p->path.s;
	return npyio_text_ok(&p->path) ? TSL_OK : tsl_no_memory(err);
}

/* A few are flushed by themselves, and of more all at the end. */
static bool
sync_now(struct target *t)
{
	if (!t->sync)
		return false;
	if (atomic_load(&t->synced) < MAX_SYNCED &&
	    atomic_fetch_add(&t->synced, 1) < MAX_SYNCED)
		return true;
	atomic_store(&t->to_sync, true);
	return false;
}

enum npyio_small_file
target_make(struct target *t, struct target_place *p, const char *name,
	    const char *bytes, size_t n, struct tsl_error *err)
{
	const char *slash = strrchr(name, '/');

	if (target_enter(t, p, name, err))
		return NPYIO_SMALL_FILE_FAILED;
	return npyio_small_file_make(&t->files, slash ? p->dir : t->dir,
				     slash ? slash + 1 : name, bytes, n,
				     sync_now(t), err);
}

bool
target_has(const struct target *t, const char *name)
{
	struct stat st;

	return fstatat(t->dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

bool
target_link(const struct target *t, const char *path, uint64_t *key)
{
	struct stat st;
	char *dir, *name;
	size_t len;

	if (lstat(path, &st) != 0 || !S_ISLNK(st.st_mode))
		return false;
	dir = realpath(t->path, NULL);
	name = realpath(path, NULL);
	len = dir ? strlen(dir) : 0;
	if (name && len > 1 && strncmp(name, dir, len) == 0 && name[len] == '/')
		*key = name_set_key(name + len + 1, strlen(name + len + 1));
	else if (name)
		*key = name_set_key(name, strlen(name));
	free(dir);
	free(name);
	return name != NULL;
}
