/*
 * archive.c - a zip archive, as .npz files are, and where its members lie
 */
#include "archive.h"

#include "archive_names.h"
#include "lib/base/minmax.h"
#include "npyio/file/fd.h"
#include "npyio/format/zip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A directory of some 200000 members; with what is noted of them, 32 MiB. */
#define MAX_DIRECTORY ((int64_t)16 * 1024 * 1024)

/* Names of members are listed until they take so many bytes. */
#define MAX_LIST 120

#define SUFFIX ".npy"

/* What an entry takes of the file, or more. */
struct span {
	int64_t offset, end;
};

struct npyio_archive {
	struct npyio_shared_descriptor *file;
	struct stat st;
	int64_t size;
	int64_t directory; /* where it begins, and so all entries end */
	size_t comment_len;
	unsigned char *bytes; /* of the directory */
	size_t nbytes;
	int64_t nspans;
	struct span *spans; /* of all entries, in the file's order */
	int64_t count;
	size_t *places; /* of the members, in bytes */
	bool was_searched; /* once: it pays to have the names in order */
	struct npyio_names names;
};

/* ---- reading ------------------------------------------------------------- */

/* Reads all n bytes at 'offset'. */
static enum tsl_status
read_at(const struct npyio_archive *a, void *dst, size_t n, int64_t offset,
	struct tsl_error *err)
{
	size_t got;
	enum tsl_status status =
		npyio_fd_pread(a->file->fd, dst, n, offset, &got, err);

	if (!status && got < n)
		status = tsl_fail(err, TSL_EIO,
				  "the file became shorter while being read");
	return status;
}

/* As read_at(), to memory that the caller frees, on failure too. */
static enum tsl_status
read_new(const struct npyio_archive *a, unsigned char **bytes_new, size_t n,
	 int64_t offset, struct tsl_error *err)
{
	*bytes_new = malloc(n ? n : 1);
	if (!*bytes_new)
		return tsl_fail(err, TSL_EMEMORY,
				"out of memory for the archive's directory");
	return read_at(a, *bytes_new, n, offset, err);
}

static enum tsl_status
read_end(const struct npyio_archive *a, struct npyio_zip_end *end,
	 struct tsl_error *err)
{
	size_t len = (size_t)tsl_min(a->size, NPYIO_ZIP_TAIL);
	unsigned char *tail;
	enum tsl_status status =
		read_new(a, &tail, len, a->size - (int64_t)len, err);

	if (!status)
		status = npyio_zip_end_parse(end, tail, len, a->size, err);
	free(tail);
	return status;
}

/* ---- the directory ------------------------------------------------------- */

static int
compare_spans(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	return (x->offset > y->offset) - (x->offset < y->offset);
}

/*
 * What stands in two entries at once unpacks to far more than there is, and
 * no program that makes archives does that.
 */
static enum tsl_status
check_spans(struct npyio_archive *a, struct tsl_error *err)
{
	qsort(a->spans, (size_t)a->nspans, sizeof(*a->spans), compare_spans);
	for (int64_t i = 0; i < a->nspans; i++) {
		int64_t next = i + 1 < a->nspans ? a->spans[i + 1].offset
						 : a->directory;

		if (a->spans[i].end > next)
			return tsl_fail(err, TSL_EBAD_ARCHIVE,
					"a broken zip archive: its members "
					"overlap, or go beyond its end");
	}
	return TSL_OK;
}

static bool
is_folder(const struct npyio_zip_entry *e)
{
	return e->name_len > 0 && e->name[e->name_len - 1] == '/';
}

static enum tsl_status
parse_entries(struct npyio_archive *a, int64_t count, struct tsl_error *err)
{
	struct npyio_zip_entry e;
	size_t pos = 0;

	for (int64_t i = 0; i < count; i++) {
		size_t place = pos;
		enum tsl_status status = npyio_zip_entry_parse(
			&e, a->bytes, a->nbytes, &pos, err);

		if (status)
			return status;
		a->spans[a->nspans++] =
			(struct span){ e.offset, npyio_zip_least_end(&e) };
		if (!is_folder(&e))
			a->places[a->count++] = place;
	}
	if (pos != a->nbytes)
		return tsl_fail(err, TSL_EBAD_ARCHIVE,
				"a broken zip archive: its directory has more "
				"entries than it says");
	return check_spans(a, err);
}

static enum tsl_status
read_directory(struct npyio_archive *a, const struct npyio_zip_end *end,
	       struct tsl_error *err)
{
	size_t count = (size_t)tsl_max(end->count, 1);
	enum tsl_status status;

	if (end->nbytes > MAX_DIRECTORY)
		return tsl_fail(err, TSL_EBAD_ARCHIVE,
				"the archive's directory is larger than 16 "
				"MiB");
	a->directory = end->offset;
	a->comment_len = end->comment_len;
	a->nbytes = (size_t)end->nbytes;
	status = read_new(a, &a->bytes, a->nbytes, end->offset, err);
	if (status)
		return status;
	a->spans = malloc(count * sizeof(*a->spans));
	a->places = malloc(count * sizeof(*a->places));
	if (!a->spans || !a->places)
		return tsl_fail(err, TSL_EMEMORY,
				"out of memory for the archive's directory");
	return parse_entries(a, end->count, err);
}

enum tsl_status
npyio_archive_read(struct npyio_archive **archive_new, int fd,
		   struct tsl_error *err)
{
	struct npyio_archive *a = calloc(1, sizeof(*a));
	struct npyio_zip_end end;
	enum tsl_status status;

	if (!a)
		close(fd);
	else
		a->file = npyio_shared_descriptor_new(fd);
	if (!a || !a->file) {
		free(a);
		return tsl_fail(err, TSL_EMEMORY, "out of memory");
	}
	if (fstat(fd, &a->st) != 0) {
		status = npyio_fail_sys(err, "cannot read");
	} else {
		a->size = a->st.st_size;
		status = read_end(a, &end, err);
	}
	if (!status)
		status = read_directory(a, &end, err);
	if (status)
		npyio_archive_close(a);
	else
		*archive_new = a;
	return status;
}

void
npyio_archive_close(struct npyio_archive *a)
{
	if (!a)
		return;
	npyio_shared_descriptor_drop(a->file);
	free(a->bytes);
	free(a->spans);
	free(a->places);
	npyio_names_free(&a->names);
	free(a);
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

/* It was parsed before. */
static void
entry_at(const struct npyio_archive *a, int64_t i, struct npyio_zip_entry *e)
{
	size_t pos = a->places[i];

	(void)!npyio_zip_entry_parse(e, a->bytes, a->nbytes, &pos, NULL);
}

int64_t
npyio_archive_count(const struct npyio_archive *a)
{
	return a->count;
}

static bool
has_suffix(const struct npyio_zip_entry *e)
{
	size_t n = strlen(SUFFIX);

	return e->name_len >= n &&
	       memcmp(e->name + e->name_len - n, SUFFIX, n) == 0;
}

const char *
npyio_archive_name(const struct npyio_archive *a, int64_t i, int *len)
{
	struct npyio_zip_entry e;

	entry_at(a, i, &e);
	*len = (int)(e.name_len - (has_suffix(&e) ? strlen(SUFFIX) : 0));
	return e.name;
}

/* "a, b, c and 12 more" */
static void
list_members(const struct npyio_archive *a, char *text, size_t size)
{
	size_t used = 0;
	int64_t i;

	text[0] = '\0';
	for (i = 0; i < a->count; i++) {
		int len;
		const char *name = npyio_archive_name(a, i, &len);

		if (used + (size_t)len + 2 > MAX_LIST)
			break;
		used += (size_t)snprintf(text + used, size - used, "%s%.*s",
					 i == 0 ? "" : ", ", len, name);
	}
	if (i < a->count)
		snprintf(text + used, size - used, "%s%lld%s",
			 i == 0 ? "" : " and ", (long long)(a->count - i),
			 i == 0 ? " with long names" : " more");
}

static enum tsl_status
no_member(const struct npyio_archive *a, const char *what, const char *has,
	  struct tsl_error *err)
{
	char list[MAX_LIST + 40];

	if (a->count == 0)
		return tsl_fail(err, TSL_ENPZ_MEMBER,
				"an archive that has no members");
	list_members(a, list, sizeof(list));
	return tsl_fail(err, TSL_ENPZ_MEMBER, "%s; %s: %s", what, has, list);
}

/* Without memory for it each is looked at, again and again. */
static void
sort_names(struct npyio_archive *a)
{
	size_t n = (size_t)tsl_max(a->count, 1);
	struct npyio_name *name = malloc(n * sizeof(*name));

	for (int64_t i = 0; name && i < a->count; i++) {
		struct npyio_zip_entry e;

		entry_at(a, i, &e);
		name[i] = (struct npyio_name){ e.name, e.name_len, i };
	}
	if (name)
		npyio_names_sort(&a->names, name, a->count);
}

/* How many members have that name; '*first' is the first of them. */
static int64_t
count_named(const struct npyio_archive *a, const char *name, size_t len,
	    int64_t *first)
{
	int64_t found = 0;

	if (a->names.name)
		return npyio_names_count(&a->names, name, len, first);
	for (int64_t k = a->count - 1; k >= 0; k--) {
		struct npyio_zip_entry e;

		entry_at(a, k, &e);
		if (e.name_len != len || memcmp(e.name, name, len) != 0)
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
	size_t len = strlen(name);
	char *full = malloc(len + sizeof(SUFFIX));
	int64_t found;

	if (!full)
		return tsl_fail(err, TSL_EMEMORY, "out of memory");
	memcpy(full, name, len);
	memcpy(full + len, SUFFIX, sizeof(SUFFIX));
	if (a->was_searched && !a->names.name)
		sort_names(a);
	a->was_searched = true;
	found = count_named(a, full, len, i);
	if (found == 0)
		found = count_named(a, full, len + strlen(SUFFIX), i);
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
	struct npyio_zip_entry e;
	int64_t first = i, found;

	if (!a->names.name)
		sort_names(a);
	entry_at(a, i, &e);
	found = count_named(a, e.name, e.name_len, &first);
	*is_first = first == i;
	return found > 1 ? fail_ambiguous(found, err) : TSL_OK;
}

enum tsl_status
npyio_archive_only(const struct npyio_archive *a, int64_t *i,
		   struct tsl_error *err)
{
	*i = 0;
	if (a->count == 1)
		return TSL_OK;
	return no_member(a, "an archive of several members",
			 "name one as FILE:NAME", err);
}

/* Where the next entry begins, or the directory. */
static int64_t
end_of(const struct npyio_archive *a, int64_t offset)
{
	int64_t lo = 0, hi = a->nspans;

	while (lo < hi) {
		int64_t middle = lo + (hi - lo) / 2;

		if (a->spans[middle].offset <= offset)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo < a->nspans ? a->spans[lo].offset : a->directory;
}

/* Reads the entry's own header; stores how long it is. */
static enum tsl_status
check_header(const struct npyio_archive *a, const struct npyio_zip_entry *e,
	     int64_t *nbytes, struct tsl_error *err)
{
	unsigned char header[NPYIO_ZIP_LOCAL];
	unsigned char *rest;
	enum tsl_status status =
		read_at(a, header, sizeof(header), e->offset, err);
	size_t len;

	if (status)
		return status;
	len = npyio_zip_local_rest(header);
	*nbytes = NPYIO_ZIP_LOCAL + (int64_t)len;
	if (e->offset + *nbytes > a->directory)
		return tsl_fail(err, TSL_EBAD_ARCHIVE,
				"a broken zip archive: the member's own header "
				"is not where it should be");
	status = read_new(a, &rest, len, e->offset + NPYIO_ZIP_LOCAL, err);
	if (!status)
		status = npyio_zip_local_check(e, header, rest, err);
	free(rest);
	return status;
}

enum tsl_status
npyio_archive_member(const struct npyio_archive *a, int64_t i,
		     struct npyio_member *m,
		     struct npyio_shared_descriptor **file_new,
		     struct tsl_error *err)
{
	struct npyio_zip_entry e;
	enum tsl_status status;
	int64_t header;

	entry_at(a, i, &e);
	status = npyio_zip_entry_check(&e, err);
	if (!status)
		status = check_header(a, &e, &header, err);
	if (status)
		return status;
	*m = (struct npyio_member){
		.offset = e.offset + header,
		.packed = e.packed,
		.size = e.size,
		.crc = e.crc,
		.deflated = e.method == NPYIO_ZIP_DEFLATED,
	};
	if (m->offset + m->packed > end_of(a, e.offset))
		return tsl_fail(err, TSL_EBAD_ARCHIVE,
				"a broken zip archive: its members overlap");
	*file_new = npyio_shared_descriptor_hold(a->file);
	return TSL_OK;
}

/* ---- copying ------------------------------------------------------------- */

void
npyio_archive_records(const struct npyio_archive *a,
		      struct npyio_archive_records *r)
{
	*r = (struct npyio_archive_records){
		.fd = a->file->fd,
		.entries = a->bytes,
		.nbytes = a->nbytes,
		.directory = a->directory,
		.size = a->size,
		.comment_len = a->comment_len,
	};
}

enum tsl_status
npyio_archive_extent(const struct npyio_archive *a,
		     const struct npyio_zip_entry *e, int64_t *end,
		     struct tsl_error *err)
{
	int64_t header;

	*end = end_of(a, e->offset);
	return check_header(a, e, &header, err);
}
