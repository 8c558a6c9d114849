/*
 * deflate.c - bytes deflated by several threads
 */
#include "deflate.h"

#include "lib/base/minmax.h"
#include "npyio/file/crc.h"
#include "npyio/file/fd.h"
#include "npyio/file/workers.h"
#include "npyio/library/isal.h"
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
#define BLOCKS 8

/* However many are asked for: that is memory for 96 MiB. */
#define MAX_THREADS 32

/*
 * ISA-L's second level takes a tenth of the time of zlib's sixth, and packs
 * numbers about as well; who asks for more than that gets zlib.
 */
#define MAX_ISAL 6

/*
 * But for long runs of one byte, as masks and sparse arrays have them: where
 * fewer bytes are left than one in FEW zlib's runs are tried as well, which
 * take a third less for masks.  They gain nothing from fewer than one in NONE.
 *
 * Nor does it find most of what comes again after many KiB, such as equal rows.
 * One place in some 256 that is chosen by what stands there, and so again where
 * it comes again, tells how much of a block does; REPEAT bytes are no accident.
 */
#define FEW 6
#define NONE 128
#define PLACES 1024
#define REPEAT 16

struct block {
	unsigned char *in, *out; /* MOST bytes of room in the latter */
	size_t before; /* in front of 'in', to look back at */
	bool is_last;
	size_t size, packed; /* bytes */
	uint32_t crc;
};

/* What a thread deflates with. */
struct packer {
	z_stream z;
	bool is_open;
	struct npyio_isal_deflate *isal;
	unsigned char *other; /* what zlib makes of a block, if that is less */
};

struct npyio_deflate {
	int fd;
	int64_t offset; /* in the file, of what comes next */
	int level, threads;
	bool has_isal; /* and that is enough for the level */
	int nblocks; /* that there is room for */
	unsigned char *in; /* the window, and room for the blocks */
	size_t window; /* bytes in it; it ends where the blocks begin */
	size_t used; /* of that room */
	unsigned char *out; /* MOST for each block */
	struct block *blocks;
	struct packer *packers; /* of each thread */
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
		return tsl_no_memory(err);
	d->fd = fd;
	d->offset = offset;
	d->level = level;
	d->threads = (int)tsl_max(tsl_min(threads, MAX_THREADS), 1);
	d->nblocks = BLOCKS * d->threads;
	n = (size_t)d->nblocks;
	d->in = malloc(WINDOW + n * BLOCK);
	d->out = malloc(n * MOST);
	d->blocks = calloc(n, sizeof(*d->blocks));
	d->packers = calloc((size_t)d->threads, sizeof(*d->packers));
	if (!d->in || !d->out || !d->blocks || !d->packers)
		return tsl_fail(err, TSL_EMEMORY, "out of memory to deflate");
	d->has_isal = level <= MAX_ISAL && npyio_isal_load();
	return npyio_zlib_load("to deflate", err);
}

/* ---- one block ----------------------------------------------------------- */

static enum tsl_status
no_memory(struct tsl_error *err)
{
	return tsl_fail(err, TSL_EMEMORY, "out of memory to deflate");
}

static enum tsl_status
open_packer(const struct npyio_deflate *d, struct packer *p,
	    struct tsl_error *err)
{
	if (!p->is_open &&
	    npyio_zlib()->deflateInit2_(&p->z, d->level, Z_DEFLATED, -MAX_WBITS,
					8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
					(int)sizeof(p->z)) != Z_OK)
		return no_memory(err);
	p->is_open = true;
	if (!d->has_isal)
		return TSL_OK;
	if (!p->isal)
		p->isal = npyio_isal_deflate_open(d->level > 1 ? 2 : 1);
	if (!p->other)
		p->other = malloc(BLOCK);
	return p->isal && p->other ? TSL_OK : no_memory(err);
}

/* Returns whether the block is deflated, and takes less than the room. */
static bool
deflate_by_zlib(struct packer *p, int level, int strategy, struct block *b,
		unsigned char *out, size_t room)
{
	const struct npyio_zlib *lib = npyio_zlib();
	z_stream *z = &p->z;

	if (lib->deflateReset(z) != Z_OK ||
	    lib->deflateParams(z, level, strategy) != Z_OK)
		return false;
	if (b->before > 0)
		lib->deflateSetDictionary(z, b->in - b->before,
					  (uInt)b->before);
	z->next_in = b->in;
	z->avail_in = (uInt)b->size;
	z->next_out = out;
	z->avail_out = (uInt)room;
	lib->deflate(z, b->is_last ? Z_FINISH : Z_SYNC_FLUSH);
	if (z->avail_in > 0 || z->avail_out == 0)
		return false;
	b->packed = room - z->avail_out;
	return true;
}

/* Which part of the n bytes comes again within the window, in percent. */
static size_t
repeats(const unsigned char *bytes, size_t n)
{
	uint32_t last[PLACES] = { 0 }; /* the same but for chance, from 1 on */
	size_t seen = 0, found = 0;

	for (size_t i = 0; i + REPEAT <= n; i++) {
		uint32_t word, hash, *place;

		memcpy(&word, bytes + i, sizeof(word));
		hash = word * 0x9e3779b1;
		if (hash >> 24 != 0x5a)
			continue;
		place = &last[hash >> 14 & (PLACES - 1)];
		seen++;
		found += *place > 0 && i - (*place - 1) < WINDOW &&
			 memcmp(bytes + i, bytes + *place - 1, REPEAT) == 0;
		*place = (uint32_t)i + 1;
	}
	return seen ? 100 * found / seen : 0;
}

/* Whether zlib is likely to find more, and by which strategy. */
static bool
is_for_zlib(const struct block *b, int *strategy)
{
	size_t left = 100 * b->packed / (b->size + 1); /* percent */

	if (b->packed < b->size / FEW) {
		*strategy = Z_RLE;
		return b->packed > b->size / NONE;
	}
	*strategy = Z_DEFAULT_STRATEGY;
	return left > 25 &&
	       left + repeats(b->in - b->before, b->before + b->size) * 3 / 4 >
		       100;
}

static bool
deflate_by_isal(struct packer *p, int level, struct block *b)
{
	z_stream z = { .next_in = b->in,
		       .avail_in = (uInt)b->size,
		       .next_out = b->out,
		       .avail_out = (uInt)MOST };
	int strategy;

	if (!npyio_isal_deflate(p->isal, &z, b->before, b->is_last))
		return false;
	b->packed = MOST - z.avail_out;
	if (is_for_zlib(b, &strategy) &&
	    deflate_by_zlib(p, level, strategy, b, p->other,
			    (size_t)tsl_min((int64_t)b->packed, BLOCK)))
		memcpy(b->out, p->other, b->packed);
	return true;
}

static enum tsl_status
deflate_block(void *work, int worker, int64_t i, struct tsl_error *err)
{
	struct npyio_deflate *d = work;
	struct block *b = &d->blocks[i];
	struct packer *p = &d->packers[worker];
	size_t at = (size_t)i * BLOCK;
	enum tsl_status status = open_packer(d, p, err);
	bool done;

	if (status)
		return status;
	b->in = d->in + WINDOW + at;
	b->out = d->out + (size_t)i * MOST;
	b->before = (size_t)tsl_min((int64_t)(d->window + at), WINDOW);
	b->is_last = d->is_last && at + BLOCK >= d->used;
	b->size = (size_t)tsl_min((int64_t)(d->used - at), BLOCK);
	b->crc = npyio_crc(0, b->in, b->size);
	if (d->has_isal)
		done = deflate_by_isal(p, d->level, b);
	else
		done = deflate_by_zlib(p, d->level, Z_DEFAULT_STRATEGY, b,
				       b->out, MOST);
	return done ? TSL_OK : tsl_fail(err, TSL_EIO, "cannot deflate");
}

static void
release(void *work, int worker)
{
	struct npyio_deflate *d = work;
	struct packer *p = &d->packers[worker];

	if (p->is_open)
		npyio_zlib()->deflateEnd(&p->z);
	npyio_isal_deflate_close(p->isal);
	free(p->other);
	*p = (struct packer){ 0 };
}

/* ---- all of them --------------------------------------------------------- */

static enum tsl_status
write_block(struct npyio_deflate *d, int i, struct tsl_error *err)
{
	const struct block *b = &d->blocks[i];
	enum tsl_status status =
		npyio_fd_pwrite(d->fd, b->out, b->packed, d->offset, err);

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
	for (int i = 0; d->packers && i < d->threads; i++)
		release(d, i);
	free(d->in);
	free(d->out);
	free(d->blocks);
	free(d->packers);
	free(d);
}
