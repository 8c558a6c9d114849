/*
 * layers.h - what goes over the base of a job's output; see lib/op/job.h
 */
#ifndef NPYIO_LAYERS_H
#define NPYIO_LAYERS_H

#include "npyio/transfer/common/fetch.h"
#include "npyio/transfer/common/request.h"

/* Used by one thread at a time; several may paint with the same inputs. */
struct npyio_layers {
	const struct npyio_transfer *t;
	int64_t room; /* bytes of input that may be held at once */
	int input; /* whose elements are fetched; < 0: none yet */
	struct npyio_fetch fetch;
	const char *seen; /* the input from 'lo' on, as far as is needed; or
			     NULL */
	int64_t lo;
};

/* npyio_layers_init() prepares to paint; inputs must be there by position. */
void npyio_layers_init(struct npyio_layers *l, const struct npyio_transfer *t,
		       int64_t room);
void npyio_layers_close(struct npyio_layers *l);

/*
 * npyio_layers_paint() overwrites what of output bytes [first, first + n) is
 * in layers.  Returns TSL_OK; TSL_EIO, TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE npyio_layers_paint(struct npyio_layers *l,
						int64_t first, int64_t n,
						char *bytes,
						struct tsl_error *err);

/*
 * npyio_layers_copy() copies a box of a layer, whose elements are those of
 * 'input' or TSL_FILL, to 'dst', which holds the output from byte 'lo' on.
 */
enum tsl_status TSL_MUST_USE npyio_layers_copy(struct npyio_layers *l,
					       int input,
					       const struct tsl_pair *box,
					       char *dst, int64_t lo,
					       struct tsl_error *err);

#endif /* NPYIO_LAYERS_H */
