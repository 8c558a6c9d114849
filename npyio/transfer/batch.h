/*
 * batch.h - where the rows that tuples name lie in a table, many at a time
 *
 * A row is one run of the table's bytes, or several.  Where the runs of a batch
 * lie is found and then sorted by the part of the table that they begin in, so
 * that with each batch the table is gone through once, forward, however the
 * tuples are ordered.  Where there are several tables it is the same in each.
 */
#ifndef NPYIO_BATCH_H
#define NPYIO_BATCH_H

#include "tuples.h"

struct npyio_batch {
	const struct tsl_gather_job *gather;
	struct npyio_reader *indices;
	int64_t total; /* runs of all the tuples, in a table */
	int nworkers;
	struct npyio_tuples *tuples; /* each worker's */

	int64_t part; /* bytes of the table: a power of two, this one */
	int shift;
	int64_t nparts;

	int64_t capacity; /* runs */
	int64_t first, n; /* which are in it */
	int64_t *offset; /* of each, in the table, or -1 */
	uint32_t *order; /* those that have one, by part */
	int64_t *end; /* of each part's runs, in order */
};

/* What a worker needs for finding runs, besides the lists. */
#define NPYIO_BATCH_WORKER_NBYTES (256 * 1024)

/* The lists' bytes for a run. */
#define NPYIO_BATCH_RUN_NBYTES ((int64_t)(sizeof(int64_t) + sizeof(uint32_t)))

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
 * npyio_batch_cut() cuts the table into parts of at most 'most' bytes, but no
 * more of them than can be counted in 'room'.
 */
void npyio_batch_cut(struct npyio_batch *b, int64_t most, int64_t room);

/* npyio_batch_open() prepares for so many workers.  TSL_OK; TSL_EMEMORY. */
enum tsl_status TSL_MUST_USE npyio_batch_open(struct npyio_batch *b,
					      int nworkers,
					      struct tsl_error *err);

/* npyio_batch_release() gives up what a worker holds; an npyio_release. */
void npyio_batch_release(void *batch, int worker);

/* npyio_batch_prove() finds out whether all tuples are right. */
enum tsl_status TSL_MUST_USE npyio_batch_prove(struct npyio_batch *b,
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
 * npyio_batch_reserve() gets the lists for up to 'capacity' runs, not more than
 * there are.  npyio_batch_find() fills them with as many of runs [first, end)
 * as they hold.
 */
enum tsl_status TSL_MUST_USE npyio_batch_reserve(struct npyio_batch *b,
						 int64_t capacity,
						 struct tsl_error *err);
enum tsl_status TSL_MUST_USE npyio_batch_find(struct npyio_batch *b,
					      int64_t first, int64_t end,
					      struct tsl_error *err);

/*
 * npyio_batch_part() is the runs that begin in part i, and how many; those of
 * one place are in the order of their tuples.
 */
const uint32_t *npyio_batch_part(const struct npyio_batch *b, int64_t i,
				 int64_t *n);

#endif /* NPYIO_BATCH_H */
