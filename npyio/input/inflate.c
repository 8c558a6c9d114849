/*
 * inflate.c - the bytes of a deflated member of an archive, once and in order
 */
#include "inflate.h"

#include "lib/base/minmax.h"
#include "npyio/file/crc.h"
#include "npyio/file/fd.h"
#include "npyio/library/isal.h"
#include "npyio/library/zlib.h"
#include "npyio/remote/remote.h"

#include <stdlib.h>

/* Of the file at once; larger brings nothing. */
#define STEP ((int64_t)256 * 1024)

/* What may be made a second time. */
#define MAX_AGAIN ((int64_t)64 * 1024)

/* Bytes are counted while they are still in the processor's cache. */
#define PART ((size_t)256 * 1024)

struct npyio_inflate {
	struct npyio_member m;
	const struct npyio_shared_descriptor *file;
	z_stream stream;
	struct npyio_isal *isal; /* who inflates it; NULL: zlib does */
	int64_t taken; /* of the packed bytes */
	int64_t made; /* of the others */
	uint32_t crc; /* of those */
	bool ended; /* the stream says that it has */
	unsigned char *packed; /* STEP of them; NULL: it rests, or has ended */
};

static void
free_state(struct npyio_inflate *z)
{
	if (z->packed && !z->isal)
		npyio_zlib()->inflateEnd(&z->stream);
	npyio_isal_close(z->isal);
	free(z->packed);
	z->isal = NULL;
	z->packed = NULL;
}

/* From the member's begin. */
static enum tsl_status
make_state(struct npyio_inflate *z, struct tsl_error *err)
{
	z->stream = (z_stream){ .next_in = NULL };
	z->taken = 0;
	z->ended = false;
	z->packed = malloc((size_t)STEP);
	if (!z->packed)
		return tsl_no_memory(err);
	z->isal = npyio_isal_load() ? npyio_isal_open() : NULL;
	/* Negative: no header of zlib's own. */
	if (z->isal ||
	    npyio_zlib()->inflateInit2_(&z->stream, -MAX_WBITS, ZLIB_VERSION,
					sizeof(z->stream)) == Z_OK)
		return TSL_OK;
	free(z->packed);
	z->packed = NULL;
	return tsl_fail(err, TSL_EMEMORY, "out of memory to inflate");
}

enum tsl_status
npyio_inflate_open(struct npyio_inflate **inflate_new,
		   const struct npyio_shared_descriptor *file,
		   const struct npyio_member *m, struct tsl_error *err)
{
	enum tsl_status status = npyio_zlib_load("an archive", err);
	struct npyio_inflate *z;

	*inflate_new = NULL;
	if (status)
		return status;
	z = calloc(1, sizeof(*z));
	if (!z)
		return tsl_no_memory(err);
	z->m = *m;
	z->file = file;
	status = make_state(z, err);
	if (status)
		free(z);
	else
		*inflate_new = z;
	return status;
}

void
npyio_inflate_close(struct npyio_inflate *z)
{
	if (!z)
		return;
	free_state(z);
	free(z);
}

void
npyio_inflate_rest(struct npyio_inflate *z)
{
	if (!z->file->remote && z->made <= MAX_AGAIN)
		free_state(z);
}

static enum tsl_status
bad(struct tsl_error *err, const char *how)
{
	return tsl_fail(err, TSL_EBAD_ARCHIVE, "a broken zip archive: %s", how);
}

/* Sees to it that there are packed bytes, as long as there are any. */
static enum tsl_status
refill(struct npyio_inflate *z, struct tsl_error *err)
{
	size_t n = (size_t)tsl_min(STEP, z->m.packed - z->taken);
	int64_t at = z->m.offset + z->taken;
	enum tsl_status status = TSL_OK;
	size_t got;

	if (z->stream.avail_in > 0 || n == 0)
		return TSL_OK;
	if (z->file->remote)
		status = npyio_remote_need(z->file->remote, at, at + (int64_t)n,
					   z->m.offset + z->m.packed, err);
	if (!status)
		status = npyio_fd_pread(z->file->fd, z->packed, n, at, &got,
					err);
	if (!status && got < n)
		status = tsl_fail(err, TSL_EIO,
				  "the file became shorter while being read");
	z->stream.next_in = z->packed;
	z->stream.avail_in = status ? 0 : (uInt)n;
	z->taken += (int64_t)n;
	return status;
}

/* Up to n bytes more; fewer only where the stream ends. */
static enum tsl_status
inflate_some(struct npyio_inflate *z, unsigned char *dst, size_t n,
	     size_t *made, struct tsl_error *err)
{
	enum tsl_status status;
	int result;

	z->stream.next_out = dst;
	z->stream.avail_out = (uInt)n;
	while (z->stream.avail_out > 0 && !z->ended) {
		status = refill(z, err);
		if (status)
			return status;
		result =
			z->isal ? npyio_isal_inflate(z->isal, &z->stream)
				: npyio_zlib()->inflate(&z->stream, Z_NO_FLUSH);
		z->ended = result == Z_STREAM_END;
		if (result == Z_MEM_ERROR)
			return tsl_fail(err, TSL_EMEMORY,
					"out of memory to inflate");
		/* Without input it can make no progress, and says so. */
		if (result == Z_BUF_ERROR)
			return bad(err, "the member's data are cut short");
		if (result != Z_OK && !z->ended)
			return bad(err, "the member's data cannot be inflated");
	}
	*made = n - z->stream.avail_out;
	return TSL_OK;
}

/* All has been made that there should be. */
static enum tsl_status
check_end(struct npyio_inflate *z, struct tsl_error *err)
{
	unsigned char more;
	size_t made;
	enum tsl_status status = inflate_some(z, &more, 1, &made, err);

	if (status)
		return status;
	if (made > 0)
		return bad(err, "the member is longer than it says");
	if (z->taken < z->m.packed || z->stream.avail_in > 0)
		return bad(err, "the member's data end too early");
	return npyio_crc_check(z->crc, z->m.crc, err);
}

/* The next n bytes, of as many as there are. */
static enum tsl_status
get_part(struct npyio_inflate *z, unsigned char *dst, size_t n,
	 struct tsl_error *err)
{
	enum tsl_status status;
	size_t made;

	status = inflate_some(z, dst, n, &made, err);
	if (status)
		return status;
	if (made < n)
		return bad(err, "the member is shorter than it says");
	z->crc = npyio_crc(z->crc, dst, n);
	z->made += (int64_t)n;
	if (z->made < z->m.size)
		return TSL_OK;
	status = check_end(z, err);
	free_state(z);
	return status;
}

/* Once more what had been made before the rest, for nobody. */
static enum tsl_status
resume(struct npyio_inflate *z, struct tsl_error *err)
{
	unsigned char again[4096];
	enum tsl_status status = make_state(z, err);
	size_t made = 1;

	for (int64_t left = z->made; left > 0 && made > 0 && !status;
	     left -= (int64_t)made)
		status = inflate_some(
			z, again, (size_t)tsl_min(left, (int64_t)sizeof(again)),
			&made, err);
	return status;
}

enum tsl_status
npyio_inflate_get(struct npyio_inflate *z, void *dst, size_t n, size_t *got,
		  struct tsl_error *err)
{
	int64_t left = z->m.size - z->made;
	enum tsl_status status = TSL_OK;

	if ((uint64_t)left < n)
		n = (size_t)left;
	*got = 0;
	if (n > 0 && !z->packed)
		status = resume(z, err);
	while (*got < n && !status) {
		size_t part = n - *got < PART ? n - *got : PART;

		status = get_part(z, (unsigned char *)dst + *got, part, err);
		*got += part;
	}
	return status;
}
