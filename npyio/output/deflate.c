/*
 * deflate.c - bytes deflated by several threads
 */
#include "deflate.h"

#include "lib/base/minmax.h"
#include "npyio/file/crc.h"
#include "npyio/file/fd.h"
#include "npyio/file/workers.h"
#include "npyio/library/zlib.h"

#include <stdlib.h>
#include <string.h>

/* Smaller ones take more bytes, larger ones more memory. */
#define BLOCK ((size_t)128 * 1024)

/* As far as a stream looks back. */
#define WINDOW ((size_t)32 * 1024)

/* What cannot be deflated is stored, with a few bytes for each piece. */
#define MOST (BLOCK + BLOCK / 8 + 64)

/* For each thread, so that they end at about the same time. */
#define BLOCKS 4

/* However many are asked for: that is memory for 96 MiB. */
#define MAX_THREADS 64

struct block {
	size_t size, packed; /* bytes */
	uint32_t crc;
};

struct npyio_deflate {
	int fd;
	int64_t offset; /* in the file, of what comes next */
	int level, threads;
	int nblocks; /* that there is room for */
	unsigned char *in; /* the window, and room for the blocks */
	size_t window; /* bytes in it; it ends where the blocks begin */
	size_t used; /* of that room */
	unsigned char *out; /* MOST for each block */
	struct block *blocks;
	z_stream *streams; /* of each thread */
	bool *ready;
	bool is_last; /* there is nothing behind the blocks */
	struct npyio_deflated done;
};

enum tsl_status
npyio_deflate_open(struct npyio_deflate **d_new, int fd, int64_t offset,
		   int level, int threads, struct tsl_error *err)
{
	struct npyio_deflate *d = calloc(1, sizeof(*d));
	size_t n;

	*d_new = d;
	if (!d)
		return tsl_fail(err, TSL_EMEMORY, "out of memory");
	d->fd = fd;
	d->offset = offset;
	d->level = level;
	d->threads = (int)tsl_max(tsl_min(threads, MAX_THREADS), 1);
	d->nblocks = BLOCKS * d->threads;
	n = (size_t)d->nblocks;
	d->in = malloc(WINDOW + n * BLOCK);
	d->out = malloc(n * MOST);
	d->blocks = calloc(n, sizeof(*d->blocks));
	d->streams = calloc((size_t)d->threads, sizeof(*d->streams));
	d->ready = calloc((size_t)d->threads, sizeof(*d->ready));
	if (!d->in || !d->out || !d->blocks || !d->streams || !d->ready)
		return tsl_fail(err, TSL_EMEMORY, "out of memory to deflate");
	return npyio_zlib_load("to deflate", err);
}

/* ---- one block ----------------------------------------------------------- */

static enum tsl_status
prepare(struct npyio_deflate *d, int worker, struct tsl_error *err)
{
	z_stream *z = &d->streams[worker];
	int result;

	if (d->ready[worker])
		result = npyio_zlib()->deflateReset(z);
	else
		result = npyio_zlib()->deflateInit2_(
			z, d->level, Z_DEFLATED, -MAX_WBITS, 8,
			Z_DEFAULT_STRATEGY, ZLIB_VERSION, (int)sizeof(*z));
	if (result != Z_OK)
		return tsl_fail(err, TSL_EMEMORY, "out of memory to deflate");
	d->ready[worker] = true;
	return TSL_OK;
}

static enum tsl_status
deflate_block(void *work, int worker, int64_t i, struct tsl_error *err)
{
	struct npyio_deflate *d = work;
	struct block *b = &d->blocks[i];
	z_stream *z = &d->streams[worker];
	size_t at = (size_t)i * BLOCK;
	size_t before = (size_t)tsl_min((int64_t)(d->window + at), WINDOW);
	unsigned char *in = d->in + WINDOW + at;
	bool ends = d->is_last && at + BLOCK >= d->used;
	enum tsl_status status = prepare(d, worker, err);

	if (status)
		return status;
	b->size = (size_t)tsl_min((int64_t)(d->used - at), BLOCK);
	b->crc = npyio_crc(0, in, b->size);
	if (before > 0)
		npyio_zlib()->deflateSetDictionary(z, in - before,
						   (uInt)before);
	z->next_in = in;
	z->avail_in = (uInt)b->size;
	z->next_out = d->out + (size_t)i * MOST;
	z->avail_out = (uInt)MOST;
	npyio_zlib()->deflate(z, ends ? Z_FINISH : Z_SYNC_FLUSH);
	if (z->avail_in > 0 || z->avail_out == 0)
		return tsl_fail(err, TSL_EIO, "cannot deflate");
	b->packed = MOST - z->avail_out;
	return TSL_OK;
}

static void
release(void *work, int worker)
{
	struct npyio_deflate *d = work;

	if (d->ready[worker])
		npyio_zlib()->deflateEnd(&d->streams[worker]);
	d->ready[worker] = false;
}

/* ---- all of them --------------------------------------------------------- */

static enum tsl_status
write_block(struct npyio_deflate *d, int i, struct tsl_error *err)
{
	const struct block *b = &d->blocks[i];
	enum tsl_status status = npyio_fd_pwrite(
		d->fd, d->out + (size_t)i * MOST, b->packed, d->offset, err);

	d->offset += (int64_t)b->packed;
	d->done.packed += (int64_t)b->packed;
	d->done.crc = npyio_crc_join(d->done.crc, b->crc, (int64_t)b->size);
	d->done.size += (int64_t)b->size;
	return status;
}

/* Even of no bytes there is a block, which says so. */
static enum tsl_status
flush(struct npyio_deflate *d, struct tsl_error *err)
{
	int count = d->used ? (int)((d->used - 1) / BLOCK) + 1 : 1;
	size_t all = d->window + d->used;
	enum tsl_status status = npyio_run_tasks(deflate_block, release, d,
						 count, d->threads, err);

	for (int i = 0; i < count && !status; i++)
		status = write_block(d, i, err);
	d->window = (size_t)tsl_min((int64_t)all, WINDOW);
	memmove(d->in + WINDOW - d->window,
		d->in + WINDOW + d->used - d->window, d->window);
	d->used = 0;
	return status;
}

enum tsl_status
npyio_deflate_put(struct npyio_deflate *d, const void *bytes, size_t n,
		  struct tsl_error *err)
{
	size_t room = (size_t)d->nblocks * BLOCK;
	const char *b = bytes;

	while (n > 0) {
		size_t some;

		/* Not before there is more: what comes last is told so. */
		if (d->used == room) {
			enum tsl_status status = flush(d, err);

			if (status)
				return status;
		}
		some = (size_t)tsl_min((int64_t)(room - d->used), (int64_t)n);
		memcpy(d->in + WINDOW + d->used, b, some);
		d->used += some;
		b += some;
		n -= some;
	}
	return TSL_OK;
}

enum tsl_status
npyio_deflate_end(struct npyio_deflate *d, struct npyio_deflated *done,
		  struct tsl_error *err)
{
	enum tsl_status status;

	d->is_last = true;
	status = flush(d, err);
	*done = d->done;
	return status;
}

void
npyio_deflate_close(struct npyio_deflate *d)
{
	if (!d)
		return;
	for (int i = 0; d->ready && i < d->threads; i++)
		release(d, i);
	free(d->in);
	free(d->out);
	free(d->blocks);
	free(d->streams);
	free(d->ready);
	free(d);
}
