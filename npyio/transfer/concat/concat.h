/*
 * concat.h - the output of a job whose rows are those of many inputs, side by
 * side; see lib/op/cat.h
 */
#ifndef NPYIO_CONCAT_H
#define NPYIO_CONCAT_H

#include "concat_maps.h"
#include "lib/op/cat.h"
#include "npyio/transfer/common/fetch.h"
#include "npyio/transfer/common/output.h"

/* Used by one thread at a time; several may concat the same inputs. */
struct npyio_concat {
	const struct npyio_transfer *t;
	const struct tsl_cat_job *cat;
	int64_t room; /* bytes of input that may be held at once, twice */
	const struct npyio_concat_maps *maps; /* NULL: there are none */
	int input; /* that is held, and fetched from; < 0: none */
	struct npyio_fetch fetch;
	char *scratch;
	int64_t scratch_nbytes;
};

/*
 * npyio_concat_init() prepares to make pieces of the output of a job of
 * TSL_ROAD_CONCAT.
 */
void npyio_concat_init(struct npyio_concat *w, const struct npyio_transfer *t,
		       int64_t room);
void npyio_concat_close(struct npyio_concat *w);

/* One of several that make pieces of the output. */
struct npyio_concat_worker {
	char *buffer; /* room for the header and a piece; NULL: not ready */
	struct npyio_concat concat;
};

/*
 * npyio_concat_worker_prepare() gets one ready for pieces of 'nbytes', unless
 * it is; 'maps' or NULL.  Returns TSL_OK; TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE npyio_concat_worker_prepare(
	struct npyio_concat_worker *w, const struct npyio_output *out,
	int64_t room, int64_t nbytes, const struct npyio_concat_maps *maps,
	struct tsl_error *err);
void npyio_concat_worker_close(struct npyio_concat_worker *w);

/*
 * npyio_concat_keep() keeps the inputs that are streams where they can be read
 * by position, unless 'forward' and they can be used as they come: they are
 * then, if all is made in order, by one thread.
 */
enum tsl_status TSL_MUST_USE npyio_concat_keep(const struct npyio_transfer *t,
					       bool forward,
					       struct tsl_error *err);

/*
 * npyio_concat() makes output bytes [first, first + n), whole elements.
 * Returns TSL_OK; TSL_EIO, TSL_EMEMORY, TSL_ETRUNCATED_DATA.
 */
enum tsl_status TSL_MUST_USE npyio_concat(struct npyio_concat *w, int64_t first,
					  int64_t n, char *dst,
					  struct tsl_error *err);

/*
 * npyio_concat_box() makes a box of the output: from parts in another order
 * than its, no byte is read more often than a box of one of them alone would
 * have it read.
 */
enum tsl_status TSL_MUST_USE npyio_concat_box(struct npyio_concat *w,
					      const struct tsl_cat_box *box,
					      char *dst, struct tsl_error *err);

/*
 * npyio_write_interleaved() writes output bytes [first, first + n), all, or
 * parts of a single row, box by box.
 */
enum tsl_status TSL_MUST_USE
npyio_write_interleaved(const struct npyio_output *out, int64_t first,
			int64_t n, struct tsl_error *err);

/*
 * npyio_write_concat() writes output bytes [first, end), all, or parts of a
 * single row, the header in front of byte 0.
 */
enum tsl_status TSL_MUST_USE npyio_write_concat(const struct npyio_output *out,
						int64_t first, int64_t end,
						struct tsl_error *err);

#endif /* NPYIO_CONCAT_H */
