/*
 * share.c - what of a file each of several makes
 */
#include "share.h"

#include "lib/base/minmax.h"

/* Chunks begin at multiples of so much: a stripe of Lustre, as it is set up. */
#define STRIPE ((int64_t)4 * 1024 * 1024)

/* Of a small file at multiples of less, but never within a page. */
#define MAX_PAGE ((int64_t)64 * 1024)

/* In a block there are so many at least: no maker has much more than another.
 */
#define STRIPES 8

/* So many for each maker are enough for all to be busy until the end. */
#define CHUNKS 16

/* A whole number of stripes, but it may be none before the end of the file. */
static int64_t
round_up(int64_t n, int64_t stripe)
{
	return n > INT64_MAX - stripe ? n : (n + stripe - 1) / stripe * stripe;
}

void
npyio_share_init(struct npyio_share *s, int64_t header, int64_t nbytes,
		 int index, int count, enum npyio_deal deal)
{
	int64_t stripe = STRIPE;
	int64_t least;

	*s = (struct npyio_share){ .header = header,
				   .size = header + nbytes,
				   .index = index,
				   .count = count,
				   .hi = header + nbytes };
	while (stripe > MAX_PAGE && s->size / count / STRIPES < stripe)
		stripe /= 2;
	least = s->size / count + (s->size % count > 0);
	if (deal == NPYIO_DEAL_CHUNKS && count > 1)
		least = least / CHUNKS + 1;
	/* The header goes out in one piece with what follows it. */
	s->chunk = round_up(tsl_max(least, header + 1), stripe);
}

void
npyio_share_narrow(struct npyio_share *s, int64_t lo, int64_t hi)
{
	s->lo = lo == 0 ? 0 : s->header + lo;
	s->hi = s->header + hi;
}

bool
npyio_share_is_all(const struct npyio_share *s)
{
	return s->count == 1;
}

static int64_t
chunks_of(const struct npyio_share *s)
{
	return s->size > 0 ? (s->size - 1) / s->chunk + 1 : 0;
}

int64_t
npyio_share_ranges(const struct npyio_share *s)
{
	int64_t n = chunks_of(s);

	if (s->size == s->header)
		return 0;
	return n > s->index ? (n - 1 - s->index) / s->count + 1 : 0;
}

void
npyio_share_range(const struct npyio_share *s, int64_t i, int64_t *lo,
		  int64_t *hi)
{
	int64_t at = (s->index + i * s->count) * s->chunk;

	int64_t end = s->size - at > s->chunk ? at + s->chunk : s->size;

	*lo = tsl_max(tsl_max(at, s->lo), s->header) - s->header;
	*hi = tsl_max(tsl_min(end, s->hi) - s->header, *lo);
}

int64_t
npyio_share_nbytes(const struct npyio_share *s)
{
	int64_t sum = 0;

	for (int64_t i = 0; i < npyio_share_ranges(s); i++) {
		int64_t lo, hi;

		npyio_share_range(s, i, &lo, &hi);
		sum += hi - lo;
	}
	return sum;
}

bool
npyio_share_next(const struct npyio_share *s, int64_t at, int64_t end,
		 int64_t *lo, int64_t *hi)
{
	int64_t chunk, turn;

	at = tsl_max(at, s->lo);
	end = tsl_min(end, s->hi);
	chunk = at / s->chunk;
	turn = (s->index - chunk % s->count + s->count) % s->count;
	/* Past the last chunk nothing is anybody's. */
	if (turn > (s->size - 1) / s->chunk - chunk)
		return false;
	*lo = tsl_max(at, (chunk + turn) * s->chunk);
	if (*lo >= end)
		return false;
	*hi = end - *lo > s->chunk - *lo % s->chunk
		      ? (*lo / s->chunk + 1) * s->chunk
		      : end;
	return true;
}
