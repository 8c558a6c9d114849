/*
 * zip_archive.c - the container that .npz files are: a zip archive
 */
#include "zip_archive.h"
#include "container.h"
#include "lib/base/minmax.h"
#include "lib/base/search.h"

#include <stdlib.h>

/* A directory of some 200000 members; with what is noted of them, 32 MiB. */
#define MAX_DIRECTORY ((int64_t)16 * 1024 * 1024)

/* What an entry takes of the file, or more. */
struct span {
	int64_t offset, end;
};

struct archive {
	int64_t directory; /* where it begins, and so all entries end */
	unsigned char *bytes; /* of the directory */
	size_t nbytes;
	size_t comment_len;
	int64_t nspans;
	struct span *spans; /* of all entries, in the file's order */
	int64_t count;
	size_t *places; /* of the members, in bytes */
};

/* ---- reading ------------------------------------------------------------- */

/* Reads into memory that the caller frees, on failure too. */
static enum tsl_status
read_new(const struct npyio_bytes *file, unsigned char **bytes_new, size_t n,
	 int64_t offset, struct tsl_error *err)
{
	*bytes_new = malloc(n ? n : 1);
	if (!*bytes_new)
		return tsl_fail(err, TSL_EMEMORY,
				"out of memory for the archive's directory");
	return file->read(file, *bytes_new, n, offset, err);
}

static enum tsl_status
read_end(const struct npyio_bytes *file, struct npyio_zip_end *end,
	 struct tsl_error *err)
{
	size_t len = (size_t)tsl_min(file->size, NPYIO_ZIP_TAIL);
	unsigned char *tail;
	enum tsl_status status =
		read_new(file, &tail, len, file->size - (int64_t)len, err);

	if (!status)
		status = npyio_zip_end_parse(end, tail, len, file->size, err);
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
check_spans(struct archive *a, struct tsl_error *err)
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
parse_entries(struct archive *a, int64_t count, struct tsl_error *err)
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
read_directory(struct archive *a, const struct npyio_bytes *file,
	       const struct npyio_zip_end *end, struct tsl_error *err)
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
	status = read_new(file, &a->bytes, a->nbytes, end->offset, err);
	if (status)
		return status;
	a->spans = malloc(count * sizeof(*a->spans));
	a->places = malloc(count * sizeof(*a->places));
	if (!a->spans || !a->places)
		return tsl_fail(err, TSL_EMEMORY,
				"out of memory for the archive's directory");
	return parse_entries(a, end->count, err);
}

static void
close_archive(void *content)
{
	struct archive *a = content;

	free(a->bytes);
	free(a->spans);
	free(a->places);
	free(a);
}

static enum tsl_status
open_archive(void **content_new, const struct npyio_bytes *file,
	     struct tsl_error *err)
{
	struct archive *a = calloc(1, sizeof(*a));
	struct npyio_zip_end end;
	enum tsl_status status;

	if (!a)
		return tsl_no_memory(err);
	status = read_end(file, &end, err);
	if (!status)
		status = read_directory(a, file, &end, err);
	if (status)
		close_archive(a);
	else
		*content_new = a;
	return status;
}

/* ---- members ------------------------------------------------------------- */

/* It was parsed before. */
static void
entry_at(const struct archive *a, int64_t i, struct npyio_zip_entry *e)
{
	size_t pos = a->places[i];

	(void)!npyio_zip_entry_parse(e, a->bytes, a->nbytes, &pos, NULL);
}

static int64_t
count_members(const void *content)
{
	const struct archive *a = content;

	return a->count;
}

static const char *
name_of(const void *content, int64_t i, size_t *len)
{
	struct npyio_zip_entry e;

	entry_at(content, i, &e);
	*len = e.name_len;
	return e.name;
}

/* Where the next entry begins, or the directory. */
static int64_t
end_of(const struct archive *a, int64_t offset)
{
	int64_t i = tsl_count_below(&a->spans->offset, sizeof(*a->spans),
				    a->nspans, offset + 1);

	return i < a->nspans ? a->spans[i].offset : a->directory;
}

/* Reads the entry's own header; stores how long it is. */
static enum tsl_status
check_header(const struct archive *a, const struct npyio_bytes *file,
	     const struct npyio_zip_entry *e, int64_t *nbytes,
	     struct tsl_error *err)
{
	unsigned char header[NPYIO_ZIP_LOCAL];
	unsigned char *rest;
	enum tsl_status status =
		file->read(file, header, sizeof(header), e->offset, err);
	size_t len;

	if (status)
		return status;
	len = npyio_zip_local_rest(header);
	*nbytes = NPYIO_ZIP_LOCAL + (int64_t)len;
	if (e->offset + *nbytes > a->directory)
		return tsl_fail(err, TSL_EBAD_ARCHIVE,
				"a broken zip archive: the member's own header "
				"is not where it should be");
	status = read_new(file, &rest, len, e->offset + NPYIO_ZIP_LOCAL, err);
	if (!status)
		status = npyio_zip_local_check(e, header, rest, err);
	free(rest);
	return status;
}

static enum tsl_status
locate(const void *content, int64_t i, const struct npyio_bytes *file,
       struct npyio_member *m, struct tsl_error *err)
{
	const struct archive *a = content;
	struct npyio_zip_entry e;
	enum tsl_status status;
	int64_t header;

	entry_at(a, i, &e);
	status = npyio_zip_entry_check(&e, err);
	if (!status)
		status = check_header(a, file, &e, &header, err);
	if (status)
		return status;
	*m = (struct npyio_member){
		.offset = e.offset + header,
		.packed = e.packed,
		.size = e.size,
		.deflated = e.method == NPYIO_ZIP_DEFLATED,
		.has_crc = true,
		.crc = e.crc,
	};
	if (m->offset + m->packed > end_of(a, e.offset))
		return tsl_fail(err, TSL_EBAD_ARCHIVE,
				"a broken zip archive: its members overlap");
	return TSL_OK;
}

static bool
is_archive(const char *path, const unsigned char *first, size_t n)
{
	(void)path;
	return npyio_zip_is(first, n);
}

const struct npyio_container npyio_zip_container = {
	.name = "zip archive",
	.file_suffix = ".npz",
	.suffix = ".npy",
	.is = is_archive,
	.open = open_archive,
	.close = close_archive,
	.count = count_members,
	.name_of = name_of,
	.locate = locate,
};

/* ---- copying ------------------------------------------------------------- */

void
npyio_zip_archive_records(const void *content, struct npyio_zip_records *r)
{
	const struct archive *a = content;

	*r = (struct npyio_zip_records){ .entries = a->bytes,
					 .nbytes = a->nbytes,
					 .directory = a->directory,
					 .comment_len = a->comment_len };
}

enum tsl_status
npyio_zip_archive_extent(const void *content, const struct npyio_bytes *file,
			 const struct npyio_zip_entry *e, int64_t *end,
			 struct tsl_error *err)
{
	const struct archive *a = content;
	int64_t header;

	*end = end_of(a, e->offset);
	return check_header(a, file, e, &header, err);
}
