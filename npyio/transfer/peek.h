/*
 * peek.h - some elements of a job's output, wherever they are
 */
#ifndef NPYIO_PEEK_H
#define NPYIO_PEEK_H

#include "npyio/transfer/box/diagonals.h"
#include "npyio/transfer/box/layers.h"
#include "npyio/transfer/common/fetch.h"
#include "npyio/transfer/common/request.h"
#include "npyio/transfer/concat/concat.h"
#include "npyio/transfer/place/tuples.h"
#include "transfer.h"

struct npyio_peek {
	const struct npyio_transfer *t;
	struct npyio_fetch fetch;
	struct npyio_tuples tuples;
	struct npyio_diagonals diagonals;
	struct npyio_layers layers;
	struct npyio_concat concat;
};

/*
 * npyio_peek_init() gets the inputs of 't' ready to be looked at; t->out is
 * not used.  What can be wrong with the data is found here.
 *
 * Returns TSL_OK, or a status of the readers; close it in either case.
 */
enum tsl_status TSL_MUST_USE npyio_peek_init(struct npyio_peek *p,
					     const struct npyio_transfer *t,
					     struct tsl_error *err);
void npyio_peek_close(struct npyio_peek *p);

/*
 * npyio_peek() copies n output elements from number 'i' on, in the output's
 * order.
 */
enum tsl_status TSL_MUST_USE npyio_peek(struct npyio_peek *p, int64_t i,
					int64_t n, char *dst,
					struct tsl_error *err);

#endif /* NPYIO_PEEK_H */
