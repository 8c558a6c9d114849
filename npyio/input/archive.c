/*
 * archive.c - a file that holds arrays, of whatever kind, and where they lie
 */
#include "archive.h"

#include "archive_names.h"
#include "lib/base/minmax.h"
#include "npyio/file/fd.h"
#include "npyio/format/text.h"
#include "npyio/format/zip_archive.h"
#include "npyio/remote/remote.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Names of members are listed until they take so many bytes. */
#define MAX_LIST 120

struct npyio_archive {
	const struct npyio_container *kind;
	void *content; /* the kind's */
	struct npyio_shared_descriptor *file;
	struct npyio_bytes bytes; /* its */
	char *url; /* that it was opened by; or NULL */
	struct stat st;
	bool was_searched; /* once: it pays to have the names in order */
	struct npyio_names names;
};

/* ---- the file ------------------------------------------------------------ */

static enum tsl_status
read_at(const struct npyio_bytes *file, void *dst, size_t n, int64_t offset,
	struct tsl_error *err)
{
	const struct npyio_shared_descriptor *descriptor = file->context;
	enum tsl_status status = TSL_OK;
	size_t got = 0;

	if (descriptor->remote)
		status =
			npyio_remote_need(descriptor->remote, offset,
					  offset + (int64_t)n, file->size, err);
	if (!status)
		status = npyio_fd_pread(descriptor->fd, dst, n, offset, &got,
					err);
	if (!status && got < n)
		status = tsl_fail(err, TSL_EIO,
				  "the file became shorter while being read");
	return status;
}

enum tsl_status
npyio_archive_read_shared(struct npyio_archive **archive_new,
			  struct npyio_shared_descriptor *file,
			  const struct npyio_container *kind,
			  struct tsl_error *err)
{
	struct npyio_archive *a = calloc(1, sizeof(*a));
	enum tsl_status status;

	if (!a) {
		npyio_shared_descriptor_drop(file);
		return tsl_no_memory(err);
	}
	a->file = file;
	a->kind = kind;
	if (fstat(file->fd, &a->st) != 0) {
		status = npyio_fail_sys(err, "cannot read");
	} else {
		a->bytes = (struct npyio_bytes){ .read = read_at,
						 .context = a->file,
						 .size = a->st.st_size };
		status = kind->open(&a->content, &a->bytes, err);
	}
	if (status)
		npyio_archive_close(a);
	else
		*archive_new = a;
	return status;
}

enum tsl_status
npyio_archive_read(struct npyio_archive **archive_new, int fd,
		   const struct npyio_container *kind, struct tsl_error *err)
{
	struct npyio_shared_descriptor *file = npyio_shared_descriptor_new(fd);

	return file ? npyio_archive_read_shared(archive_new, file, kind, err)
		    : tsl_no_memory(err);
}

void
npyio_archive_close(struct npyio_archive *a)
{
	if (!a)
		return;
	if (a->content)
		a->kind->close(a->content);
	npyio_shared_descriptor_drop(a->file);
	npyio_names_free(&a->names);
	free(a->url);
	free(a);
}

char **
npyio_archive_url(struct npyio_archive *a)
{
	return &a->url;
}

bool
npyio_archive_is_file(const struct npyio_archive *a, const struct stat *st)
{
	return a->st.st_dev == st->st_dev && a->st.st_ino == st->st_ino &&
	       a->st.st_size == st->st_size &&
	       a->st.st_mtim.tv_sec == st->st_mtim.tv_sec &&
	       a->st.st_mtim.tv_nsec == st->st_mtim.tv_nsec;
}

/* ---- members ------------------------------------------------------------- */

int64_t
npyio_archive_count(const struct npyio_archive *a)
{
	return a->kind->count(a->content);
}

static const char *
whole_name(const struct npyio_archive *a, int64_t i, size_t *len)
{
	return a->kind->name_of(a->content, i, len);
}

const char *
npyio_archive_name(const struct npyio_archive *a, int64_t i, int *len)
{
	const char *suffix = a->kind->suffix ? a->kind->suffix : "";
	size_t all;
	const char *name = whole_name(a, i, &all);

	*len = (int)(npyio_ends_in(name, all, suffix) ? all - strlen(suffix)
						      : all);
	return name;
}

/* "a, b, c and 12 more" */
static void
list_members(const struct npyio_archive *a, char *text, size_t size)
{
	int64_t count = npyio_archive_count(a);
	size_t used = 0;
	int64_t i;

	text[0] = '\0';
	for (i = 0; i < count; i++) {
		int len;
		const char *name = npyio_archive_name(a, i, &len);

		if (used + (size_t)len + 2 > MAX_LIST)
			break;
		used += (size_t)snprintf(text + used, size - used, "%s%.*s",
					 i == 0 ? "" : ", ", len, name);
	}
	if (i < count)
		snprintf(text + used, size - used, "%s%lld%s",
			 i == 0 ? "" : " and ", (long long)(count - i),
			 i == 0 ? " with long names" : " more");
}

static enum tsl_status
no_member(const struct npyio_archive *a, const char *what, const char *has,
	  struct tsl_error *err)
{
	char list[MAX_LIST + 40];

	if (npyio_archive_count(a) == 0)
		return tsl_fail(err, TSL_ENPZ_MEMBER,
				"an archive that has no members");
	list_members(a, list, sizeof(list));
	return tsl_fail(err, TSL_ENPZ_MEMBER, "%s; %s: %s", what, has, list);
}

/* Without memory for it each is looked at, again and again. */
static void
sort_names(struct npyio_archive *a)
{
	int64_t n = npyio_archive_count(a);
	struct npyio_name *name = malloc((size_t)tsl_max(n, 1) * sizeof(*name));

	for (int64_t i = 0; name && i < n; i++) {
		name[i].s = whole_name(a, i, &name[i].len);
		name[i].member = i;
	}
	if (name)
		npyio_names_sort(&a->names, name, n);
}

/* How many members have that name; '*first' is the first of them. */
static int64_t
count_named(const struct npyio_archive *a, const char *name, size_t len,
	    int64_t *first)
{
	int64_t found = 0;

	if (a->names.name)
		return npyio_names_count(&a->names, name, len, first);
	for (int64_t k = npyio_archive_count(a) - 1; k >= 0; k--) {
		size_t n;
		const char *s = whole_name(a, k, &n);

		if (n != len || memcmp(s, name, len) != 0)
			continue;
		found++;
		*first = k;
	}
	return found;
}

/* NumPy takes the last, others the first: nobody knows what is meant. */
static enum tsl_status
fail_ambiguous(int64_t found, struct tsl_error *err)
{
	return tsl_fail(err, TSL_EBAD_ARCHIVE,
			"the archive has %lld members of that name",
			(long long)found);
}

enum tsl_status
npyio_archive_find(struct npyio_archive *a, const char *name, int64_t *i,
		   struct tsl_error *err)
{
	const char *suffix = a->kind->suffix ? a->kind->suffix : "";
	size_t len = strlen(name), more = strlen(suffix);
	char *full = malloc(len + more + 1);
	int64_t found;

	if (!full)
		return tsl_no_memory(err);
	memcpy(full, name, len);
	memcpy(full + len, suffix, more + 1);
	if (a->was_searched && !a->names.name)
		sort_names(a);
	a->was_searched = true;
	found = count_named(a, full, len, i);
	if (found == 0 && more > 0)
		found = count_named(a, full, len + more, i);
	free(full);
	if (found == 0)
		return no_member(a, "no member of that name", "the archive has",
				 err);
	return found > 1 ? fail_ambiguous(found, err) : TSL_OK;
}

enum tsl_status
npyio_archive_check_name(struct npyio_archive *a, int64_t i, bool *is_first,
			 struct tsl_error *err)
{
	int64_t first = i, found;
	const char *name;
	size_t len;

	if (!a->names.name)
		sort_names(a);
	name = whole_name(a, i, &len);
	found = count_named(a, name, len, &first);
	*is_first = first == i;
	return found > 1 ? fail_ambiguous(found, err) : TSL_OK;
}

enum tsl_status
npyio_archive_only(const struct npyio_archive *a, int64_t *i,
		   struct tsl_error *err)
{
	*i = 0;
	if (npyio_archive_count(a) == 1)
		return TSL_OK;
	return no_member(a, "an archive of several members",
			 "name one as FILE:NAME", err);
}

enum tsl_status
npyio_archive_member(const struct npyio_archive *a, int64_t i,
		     struct npyio_member *m,
		     struct npyio_shared_descriptor **file_new,
		     struct tsl_error *err)
{
	enum tsl_status status =
		a->kind->locate(a->content, i, &a->bytes, m, err);

	if (!status)
		*file_new = npyio_shared_descriptor_hold(a->file);
	return status;
}

/* ---- copying ------------------------------------------------------------- */

void
npyio_archive_records(const struct npyio_archive *a,
		      struct npyio_archive_records *r)
{
	r->fd = a->file->fd;
	r->size = a->bytes.size;
	npyio_zip_archive_records(a->content, &r->zip);
}

enum tsl_status
npyio_archive_extent(const struct npyio_archive *a,
		     const struct npyio_zip_entry *e, int64_t *end,
		     struct tsl_error *err)
{
	return npyio_zip_archive_extent(a->content, &a->bytes, e, end, err);
}
