/*
 * crc_pieces.c - the CRC-32 of many bytes, counted by several threads
 */
#define _GNU_SOURCE /* SEEK_DATA */
#include "crc_pieces.h"

#include "fd.h"
#include "lib/base/minmax.h"
#include "workers.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* A task counts so much, or more if there were too many tasks. */
#define PIECE ((int64_t)4 * 1024 * 1024)
#define MAX_PIECES ((int64_t)65536)

struct counting {
	npyio_crc_read *read;
	const void *from;
	int fd; /* of a file; or -1 */
	int64_t lo, hi;
	int64_t piece;
	uint32_t *crc; /* of each piece */
	char **buffers; /* of each worker */
};

static int64_t
end_of_piece(const struct counting *p, int64_t i)
{
	return tsl_min(p->lo + (i + 1) * p->piece, p->hi);
}

/* Of how many bytes from 'at' on it is known that they are a hole of a file. */
static int64_t
hole_at(const struct counting *p, int64_t at, int64_t end)
{
	int64_t data = p->fd < 0 ? at : lseek(p->fd, at, SEEK_DATA);

	if (data < 0)
		return errno == ENXIO ? end - at : 0;
	return tsl_min(data, end) - at;
}

/* What is read at once stays in the cache until it is counted. */
static enum tsl_status
count_piece(void *work, int worker, int64_t i, struct tsl_error *err)
{
	struct counting *p = work;
	int64_t end = end_of_piece(p, i);
	enum tsl_status status = TSL_OK;
	char **buffer = &p->buffers[worker];

	if (!*buffer && !(*buffer = malloc((size_t)NPYIO_CRC_STEP)))
		return tsl_no_memory(err);
	p->crc[i] = 0;
	for (int64_t at = p->lo + i * p->piece; at < end && !status;) {
		int64_t zeros = hole_at(p, at, end);
		int64_t n = tsl_min(NPYIO_CRC_STEP, end - at - zeros);

		p->crc[i] = npyio_crc_zeros(p->crc[i], zeros);
		status = p->read(p->from, at + zeros, n, *buffer, err);
		if (!status)
			p->crc[i] = npyio_crc(p->crc[i], *buffer, (size_t)n);
		at += zeros + n;
	}
	return status;
}

static void
release(void *work, int worker)
{
	struct counting *p = work;

	free(p->buffers[worker]);
	p->buffers[worker] = NULL;
}

static uint32_t
join(const struct counting *p, int64_t count)
{
	uint32_t crc = 0;

	for (int64_t i = 0; i < count; i++)
		crc = npyio_crc_join(crc, p->crc[i],
				     end_of_piece(p, i) -
					     (p->lo + i * p->piece));
	return crc;
}

static enum tsl_status
count_all(uint32_t *crc, struct counting p, int64_t workers,
	  struct tsl_error *err)
{
	int64_t lo = p.lo, hi = p.hi;
	int64_t count;
	enum tsl_status status;

	p.piece = tsl_max(PIECE, (hi - lo) / MAX_PIECES + 1);
	count = hi > lo ? (hi - lo - 1) / p.piece + 1 : 0;
	workers =
		tsl_max(tsl_min(workers, tsl_min(count, NPYIO_MAX_WORKERS)), 1);
	p.crc = malloc((size_t)tsl_max(count, 1) * sizeof(*p.crc));
	p.buffers = calloc((size_t)workers, sizeof(*p.buffers));
	status = p.crc && p.buffers ? npyio_run_tasks(count_piece, release, &p,
						      count, (int)workers, err)
				    : tsl_no_memory(err);
	if (p.buffers)
		release(&p, 0);
	if (!status)
		*crc = join(&p, count);
	free(p.crc);
	free(p.buffers);
	return status;
}

enum tsl_status
npyio_crc_pieces(uint32_t *crc, npyio_crc_read *read, const void *from,
		 int64_t lo, int64_t hi, int64_t workers, struct tsl_error *err)
{
	const struct counting p = {
		.read = read, .from = from, .fd = -1, .lo = lo, .hi = hi
	};

	return count_all(crc, p, workers, err);
}

static enum tsl_status
read_file(const void *from, int64_t at, int64_t n, char *dst,
	  struct tsl_error *err)
{
	size_t got;
	enum tsl_status status = npyio_fd_pread(*(const int *)from, dst,
						(size_t)n, at, &got, err);

	if (!status && (int64_t)got < n)
		status = tsl_fail(err, TSL_EIO,
				  "the file became shorter while being read");
	return status;
}

enum tsl_status
npyio_crc_file(uint32_t *crc, int fd, int64_t lo, int64_t hi, int64_t workers,
	       struct tsl_error *err)
{
	const struct counting p = {
		.read = read_file, .from = &fd, .fd = fd, .lo = lo, .hi = hi
	};

	return count_all(crc, p, workers, err);
}
