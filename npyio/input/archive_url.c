/*
 * archive_url.c - the archive that a URL leads to
 */
#include "archive.h"
#include "npyio/file/fd.h"
#include "npyio/remote/remote.h"
#include "npyio/remote/url.h"

#include <stdlib.h>
#include <string.h>

/* So much of a file tells its kind. */
#define FIRST 8

/* What kind it is; then all of it has come that only comes in order. */
static enum tsl_status
look(const struct npyio_shared_descriptor *file, const char *path,
     const struct npyio_container **kind, struct tsl_error *err)
{
	unsigned char first[FIRST];
	enum tsl_status status;
	size_t got;

	*kind = NULL;
	status = npyio_remote_need(file->remote, 0, FIRST, INT64_MAX, err);
	if (!status)
		status = npyio_fd_pread(file->fd, first, FIRST, 0, &got, err);
	if (!status)
		*kind = npyio_container_of(path, first, got);
	if (!*kind)
		return status;
	return npyio_remote_size(file->remote) < 0
		       ? npyio_remote_all(file->remote, err)
		       : TSL_OK;
}

static enum tsl_status
open_file(struct npyio_shared_descriptor **file_new, const char *url,
	  size_t len, struct tsl_error *err)
{
	struct npyio_remote *remote;
	enum tsl_status status = npyio_remote_open(&remote, url, len, err);

	if (status)
		return status;
	*file_new = npyio_shared_descriptor_of(remote);
	return *file_new ? TSL_OK : tsl_no_memory(err);
}

static bool
is_known(struct npyio_archive *a, const char *url, size_t len)
{
	const char *known = a ? *npyio_archive_url(a) : NULL;

	return known && strlen(known) == len && memcmp(known, url, len) == 0;
}

/* What there is of a URL of 'len' bytes before a query; NULL: no memory. */
static char *
new_path(const char *url, size_t len)
{
	const char *host;
	size_t n = npyio_url_place(url, &host);

	n += (size_t)(host - url);
	return strndup(url, n < len ? n : len);
}

enum tsl_status
npyio_archive_open_url(struct npyio_archive **archive,
		       struct npyio_shared_descriptor *file, const char *url,
		       const char **member, bool *found, struct tsl_error *err)
{
	const char *name = npyio_url_member(url);
	size_t len = name ? (size_t)(name - url) - 1 : strlen(url);
	const struct npyio_container *kind = NULL;
	enum tsl_status status = TSL_OK;
	char *path;

	*member = name;
	*found = is_known(*archive, url, len);
	if (*found)
		return TSL_OK;
	if (file)
		file = npyio_shared_descriptor_hold(file);
	else
		status = open_file(&file, url, len, err);
	if (status)
		return status;
	path = new_path(url, len);
	status = path ? look(file, path, &kind, err) : tsl_no_memory(err);
	free(path);
	*found = kind != NULL;
	if (status || !kind) {
		npyio_shared_descriptor_drop(file);
		return status || !name
			       ? status
			       : tsl_fail(err, TSL_EBAD_ARCHIVE,
					  "what stands before the colon is no "
					  "archive of arrays");
	}
	npyio_archive_close(*archive);
	*archive = NULL;
	status = npyio_archive_read_shared(archive, file, kind, err);
	if (!status)
		*npyio_archive_url(*archive) = strndup(url, len);
	return status;
}
