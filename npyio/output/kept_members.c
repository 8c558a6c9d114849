/*
 * kept_members.c - an archive's members, copied to another as they stand there
 */
#define _GNU_SOURCE /* SEEK_DATA, SEEK_HOLE */
#include "kept_members.h"

#include "lib/base/minmax.h"
#include "npyio/file/fd.h"
#include "npyio/file/kernel_copy.h"
#include "npyio/format/zip_write.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Copied at once. */
#define STEP ((int64_t)1024 * 1024)

static enum tsl_status
no_memory(struct tsl_error *err)
{
	return tsl_fail(err, TSL_EMEMORY,
			"out of memory for the archive's directory");
}

/* ---- entries ------------------------------------------------------------- */

/* Room for n bytes at the end, or NULL. */
static unsigned char *
make_room(struct npyio_entries *d, size_t n)
{
	if (d->room - d->len < n) {
		size_t room = (d->len + n) * 2;
		unsigned char *bytes = realloc(d->bytes, room);

		if (!bytes)
			return NULL;
		d->bytes = bytes;
		d->room = room;
	}
	return d->bytes + d->len;
}

enum tsl_status
npyio_entries_add(struct npyio_entries *d, const struct npyio_zip_entry *e,
		  struct tsl_error *err)
{
	unsigned char *at = make_room(d, NPYIO_ZIP_ENTRY_MOST + e->name_len);

	if (!at)
		return no_memory(err);
	d->len += npyio_zip_entry_format(at, e);
	d->count++;
	return TSL_OK;
}

void
npyio_entries_free(struct npyio_entries *d)
{
	free(d->bytes);
	*d = (struct npyio_entries){ .count = 0 };
}

/* ---- what is left out ---------------------------------------------------- */

static bool
is_gone(const struct npyio_kept_members *k, const struct npyio_zip_entry *e)
{
	return k->without && strlen(k->without) == e->name_len &&
	       memcmp(k->without, e->name, e->name_len) == 0;
}

static int
compare_gone(const void *a, const void *b)
{
	const struct npyio_gone *x = a, *y = b;

	return (x->lo > y->lo) - (x->lo < y->lo);
}

static enum tsl_status
omit(struct npyio_kept_members *k, int64_t lo, int64_t hi,
     struct tsl_error *err)
{
	struct npyio_gone *gone =
		realloc(k->gone, (size_t)(k->ngone + 1) * sizeof(*gone));

	if (!gone)
		return no_memory(err);
	gone[k->ngone++] = (struct npyio_gone){ lo, hi };
	k->gone = gone;
	return TSL_OK;
}

enum tsl_status
npyio_kept_members_find(struct npyio_kept_members *k,
			const struct npyio_archive *from, const char *without,
			struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;
	size_t pos = 0;

	*k = (struct npyio_kept_members){ .without = without };
	npyio_archive_records(from, &k->from);
	while (pos < k->from.zip.nbytes && !status) {
		struct npyio_zip_entry e;
		int64_t end;

		status = npyio_zip_entry_parse(&e, k->from.zip.entries,
					       k->from.zip.nbytes, &pos, err);
		if (!status)
			status = npyio_archive_extent(from, &e, &end, err);
		if (!status && is_gone(k, &e))
			status = omit(k, e.offset, end, err);
	}
	if (k->ngone > 0)
		qsort(k->gone, (size_t)k->ngone, sizeof(*k->gone),
		      compare_gone);
	return status;
}

void
npyio_kept_members_free(struct npyio_kept_members *k)
{
	free(k->gone);
	k->gone = NULL;
}

enum tsl_status
npyio_kept_members_entries(const struct npyio_kept_members *k,
			   struct npyio_entries *d, struct tsl_error *err)
{
	size_t pos = 0;

	while (pos < k->from.zip.nbytes) {
		size_t first = pos;
		struct npyio_zip_entry e;
		enum tsl_status status = npyio_zip_entry_parse(
			&e, k->from.zip.entries, k->from.zip.nbytes, &pos, err);
		unsigned char *at = make_room(d, pos - first);
		int64_t moved = 0;

		if (status || !at)
			return status ? status : no_memory(err);
		if (is_gone(k, &e))
			continue;
		for (int64_t i = 0; i < k->ngone && k->gone[i].lo < e.offset;
		     i++)
			moved += k->gone[i].hi - k->gone[i].lo;
		memcpy(at, k->from.zip.entries + first, pos - first);
		if (moved > 0)
			npyio_zip_entry_move(at, e.offset - moved);
		d->len += pos - first;
		d->count++;
	}
	return TSL_OK;
}

/* ---- copying ------------------------------------------------------------- */

struct copy {
	int from, to;
	int64_t shift; /* what is copied stands so much before */
	struct npyio_kernel_copy direct;
	char *buffer;
};

static enum tsl_status
copy_step(const struct copy *c, int64_t lo, int64_t n, struct tsl_error *err)
{
	size_t got;
	enum tsl_status status =
		npyio_fd_pread(c->from, c->buffer, (size_t)n, lo, &got, err);

	if (!status && (int64_t)got < n)
		return tsl_fail(err, TSL_EIO,
				"the file became shorter while being read");
	return status ? status
		      : npyio_fd_pwrite(c->to, c->buffer, (size_t)n,
					lo - c->shift, err);
}

/* What could not be shared; without the holes, where they are known. */
static enum tsl_status
copy_bytes(struct copy *c, int64_t lo, int64_t hi, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;

	while (lo < hi && !status) {
		int64_t data = lseek(c->from, lo, SEEK_DATA);
		int64_t hole, n;

		if (data < 0 && errno == ENXIO)
			break;
		if (data >= hi)
			break;
		lo = tsl_max(lo, data);
		hole = lseek(c->from, lo, SEEK_HOLE);
		hole = hole <= lo ? hi : tsl_min(hole, hi);
		n = npyio_kernel_copy_range(&c->direct, c->from, lo, c->to,
					    lo - c->shift, hole - lo);
		for (lo += n; lo < hole && !status; lo += n) {
			n = tsl_min(STEP, hole - lo);
			status = copy_step(c, lo, n, err);
		}
	}
	return status;
}

static enum tsl_status
copy_range(struct copy *c, int64_t lo, int64_t hi, struct tsl_error *err)
{
	int64_t before = 0;
	int64_t shared =
		npyio_kernel_copy_reflink(&c->direct, c->from, lo, c->to,
					  lo - c->shift, hi - lo, &before);
	enum tsl_status status;

	if (shared == 0)
		return copy_bytes(c, lo, hi, err);
	status = copy_bytes(c, lo, lo + before, err);
	return status ? status : copy_bytes(c, lo + before + shared, hi, err);
}

enum tsl_status
npyio_kept_members_copy(const struct npyio_kept_members *k, int to,
			int64_t *end, struct tsl_error *err)
{
	struct copy c = { .from = k->from.fd,
			  .to = to,
			  .buffer = malloc((size_t)STEP) };
	enum tsl_status status = c.buffer ? TSL_OK : no_memory(err);
	int64_t lo = 0;

	for (int64_t i = 0; i <= k->ngone && !status; i++) {
		bool last = i == k->ngone;

		status = copy_range(
			&c, lo, last ? k->from.zip.directory : k->gone[i].lo,
			err);
		lo = last ? lo : k->gone[i].hi;
		c.shift += last ? 0 : k->gone[i].hi - k->gone[i].lo;
	}
	*end = k->from.zip.directory - c.shift;
	/* With the holes that it ends in. */
	if (!status && ftruncate(to, *end) != 0)
		status = npyio_fail_sys(err, "cannot write");
	free(c.buffer);
	return status;
}
