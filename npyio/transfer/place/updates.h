/*
 * updates.h - the rows of a scatter that go over a piece of the output
 *
 * Where others write to the same output every byte is written once, and is then
 * what it is to be: rows are put over the base in memory.  For that the updates
 * of a piece of the output are found beforehand, in the order of the output;
 * the piece is as large as memory allows.
 *
 * Offsets are in BYTES from the first of the output's data.
 */
#ifndef NPYIO_UPDATES_H
#define NPYIO_UPDATES_H

#include "batch.h"
#include "npyio/transfer/common/request.h"

/* Where a run of the output begins, and the number of the update for it. */
struct npyio_update {
	int64_t at, number;
};

struct npyio_updates {
	struct npyio_reader *in; /* the updates; NULL: the job's fill */
	const struct tsl_job *job;
	int64_t nbytes; /* of a run */
	struct tsl_gather_job places;
	struct npyio_batch batch; /* finds the places */
	int64_t capacity, n; /* updates */
	struct npyio_update *update; /* by place, once they are collected */
	struct npyio_update *spare; /* as many: to sort */
	const char *rows; /* by number; NULL: they are read from 'in' */
	char *buffer, *block; /* rows, and what is read at once; or NULL */
	int64_t most; /* bytes of a block */
};

/*
 * npyio_updates_open() is for a job of TSL_ROAD_SCATTER whose inputs are as
 * npyio_keep_operands() leaves them, to use 'room' bytes of memory.  Returns
 * TSL_OK; TSL_EMEMORY.  To be closed on failure too.
 */
enum tsl_status TSL_MUST_USE npyio_updates_open(struct npyio_updates *u,
						const struct npyio_transfer *t,
						int64_t room,
						struct tsl_error *err);
void npyio_updates_close(struct npyio_updates *u);

/*
 * npyio_updates_collect() finds those of output bytes [lo, *hi), and lowers
 * '*hi', to more than 'lo', if they are too many.  Returns TSL_OK;
 * TSL_EINDEX_OUT_OF_RANGE; what reading returns.
 */
enum tsl_status TSL_MUST_USE npyio_updates_collect(struct npyio_updates *u,
						   int64_t lo, int64_t *hi,
						   struct tsl_error *err);

/*
 * npyio_updates_paint() overwrites what of output bytes [first, first + n),
 * which were collected, is updated; of several updates of a place the last is
 * meant.  May be called from several threads.  Returns TSL_OK; what reading
 * returns.
 */
enum tsl_status TSL_MUST_USE npyio_updates_paint(const struct npyio_updates *u,
						 int64_t first, int64_t n,
						 char *bytes,
						 struct tsl_error *err);

#endif /* NPYIO_UPDATES_H */
