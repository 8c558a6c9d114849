/*
 * batch.h - where the rows that tuples name lie in a table, many at a time
 *
 * A row is one run of the table's bytes, or several.  Where the runs of a batch
 * lie is found and sorted by the part of the table that they begin in, so that
 * with each batch the table is gone through once, forward, however the tuples
 * are ordered.  Where there are several tables it is the same in each.
 *
 * The tuples are gone through twice for it, to count and to sort, so that only
 * what is sorted takes memory, in one word for a run: see tsl_gather_rows().
 */
#ifndef NPYIO_BATCH_H
#define NPYIO_BATCH_H

#include "tuples.h"

/* Where the runs that begin in a part go, of those of one range. */
struct npyio_slots {
	uint32_t next, end;
};

struct npyio_batch {
	const struct tsl_gather_job *gather;
	struct npyio_reader *indices;
	int64_t total; /* runs of all the tuples, in a table */
	int nworkers;
	struct npyio_tuples *tuples; /* each worker's */

	int64_t part; /* bytes of the table: a power of two, this one */
	int shift;
	int64_t lead; /* bytes that the first part lacks at its begin */
	int64_t window; /* bytes of a part that are held at once; 0: none is */
	int64_t nparts;

	int64_t capacity; /* runs */
	int64_t first, n; /* which are in it */
	int bits; /* of a place, for the run's number; the others: the byte */
	uint64_t *place; /* of each run, by part */
	int64_t nranges; /* of the batch: each is sorted by one worker */
	struct npyio_slots *slots; /* of each part, range by range */
};

/* What a worker needs for finding runs, besides the lists. */
#define NPYIO_BATCH_WORKER_NBYTES (256 * 1024)

/* Of memory a part should not take more than an eighth, to count its runs. */
#define NPYIO_BATCH_PART_ROOM ((int64_t)(8 * sizeof(struct npyio_slots)))

/* The bytes that a run takes. */
#define NPYIO_BATCH_RUN_NBYTES ((int64_t)sizeof(uint64_t))

/*
 * npyio_batch_init() begins with rows of 'gather', which has some, named by
 * 'indices', as npyio_tuples_init() wants them; both must outlive 'b'.  Before
 * the table was cut and the workers were opened nothing else is allowed.
 */
void npyio_batch_init(struct npyio_batch *b,
		      const struct tsl_gather_job *gather,
		      struct npyio_reader *indices);
void npyio_batch_close(struct npyio_batch *b);

/* npyio_batch_workers() is how many of 'threads' pay, with so much memory. */
int npyio_batch_workers(const struct npyio_batch *b, int threads, int64_t room);

/*
 * npyio_batch_cut() cuts the table into parts of at most 'most' bytes, or, so
 * that there are no more than 'max_parts' and one, into larger ones, of which
 * nobody then holds a whole one.  They begin at multiples of their size of a
 * file in which the table begins at byte 'at'.
 */
void npyio_batch_cut(struct npyio_batch *b, int64_t most, int64_t at,
		     int64_t max_parts);

/*
 * npyio_batch_max_parts() is how many of them 'nworkers' can count in 'room',
 * but not many more than there are runs.
 */
int64_t npyio_batch_max_parts(const struct npyio_batch *b, int nworkers,
			      int64_t room);

/*
 * npyio_batch_capacity() is how many runs, which take 'nbytes' each besides,
 * fit into 'room' with what the workers need: 1 at least, and not more than
 * there are.
 */
int64_t npyio_batch_capacity(const struct npyio_batch *b, int nworkers,
			     int64_t room, int64_t nbytes);

/* npyio_batch_open() prepares for so many workers.  TSL_OK; TSL_EMEMORY. */
enum tsl_status TSL_MUST_USE npyio_batch_open(struct npyio_batch *b,
					      int nworkers,
					      struct tsl_error *err);

/* npyio_batch_release() gives up what a worker holds; an npyio_release. */
void npyio_batch_release(void *batch, int worker);

/* npyio_batch_check() finds out whether all tuples are right. */
enum tsl_status TSL_MUST_USE npyio_batch_check(struct npyio_batch *b,
					       struct tsl_error *err);

/*
 * npyio_batch_locate() stores where runs [first, first + n) begin; n is not
 * more than NPYIO_BATCH_CHUNK.
 */
enum tsl_status TSL_MUST_USE npyio_batch_locate(struct npyio_batch *b,
						int worker, int64_t first,
						int64_t n, int64_t offset[],
						struct tsl_error *err);
#define NPYIO_BATCH_CHUNK 8192

/*
 * npyio_batch_locate_output() does so for runs of the output, where those of
 * one table stand behind those of the one before it: where in the input they
 * begin, or -1.
 */
enum tsl_status TSL_MUST_USE npyio_batch_locate_output(struct npyio_batch *b,
						       int worker,
						       int64_t first, int64_t n,
						       int64_t offset[],
						       struct tsl_error *err);

/*
 * npyio_batch_reserve() gets room for 'capacity' runs.  npyio_batch_find()
 * sorts as many of runs [first, end) as it has room for.
 */
enum tsl_status TSL_MUST_USE npyio_batch_reserve(struct npyio_batch *b,
						 int64_t capacity,
						 struct tsl_error *err);
enum tsl_status TSL_MUST_USE npyio_batch_find(struct npyio_batch *b,
					      int64_t first, int64_t end,
					      struct tsl_error *err);

/*
 * npyio_batch_list() stores where they begin in the table, run by run, or -1,
 * for who needs them unsorted: npyio_batch_reserve() is not needed for it.
 */
enum tsl_status TSL_MUST_USE npyio_batch_list(struct npyio_batch *b,
					      int64_t first, int64_t n,
					      int64_t offset[],
					      struct tsl_error *err);

/*
 * npyio_batch_part() is the runs that begin in part i, and how many; those of
 * one place are in the order of their tuples.  Part 'nparts' is those without
 * a place.
 */
const uint64_t *npyio_batch_part(const struct npyio_batch *b, int64_t i,
				 int64_t *n);

/* npyio_batch_part_of() is the part that byte 'offset' of the table is in. */
static inline int64_t
npyio_batch_part_of(const struct npyio_batch *b, int64_t offset)
{
	return offset < 0 ? b->nparts : (offset + b->lead) >> b->shift;
}

/* npyio_batch_begin() is the byte of the table that places of part i count
   from; it may be before the first. */
static inline int64_t
npyio_batch_begin(const struct npyio_batch *b, int64_t i)
{
	return i * b->part - b->lead;
}

/* The number of a place's run in the batch, and its byte of the part. */
static inline int64_t
npyio_batch_number(const struct npyio_batch *b, uint64_t place)
{
	return (int64_t)(place & (((uint64_t)1 << b->bits) - 1));
}

static inline int64_t
npyio_batch_byte(const struct npyio_batch *b, uint64_t place)
{
	return (int64_t)(place >> b->bits);
}

#endif /* NPYIO_BATCH_H */
