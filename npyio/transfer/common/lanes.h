/*
 * lanes.h - pieces of output made by a backend, such as a GPU
 *
 * What a backend is for is putting bytes in another order.  A job whose output
 * stands in the input as one run, or in long ones, has nothing of the kind to
 * do, and nothing is gained by sending it round by a device: it is read into
 * place even where a device was asked for.
 *
 * Sizes are in BYTES.
 */
#ifndef NPYIO_LANES_H
#define NPYIO_LANES_H

#include "fetch.h"
#include "lib/op/backend.h"
#include "lib/view/cut.h"
#include "request.h"

/* Used by one thread at a time. */
struct npyio_lane {
	const struct tsl_backend *backend;
	struct tsl_lane *lane; /* NULL: not open */
	int64_t room; /* for the input of a block */
};

/*
 * npyio_has_lanes() says whether the job is one for the transfer's backend;
 * npyio_why_no_lanes() is, in a few words, why it is for none, or NULL.
 */
bool npyio_has_lanes(const struct npyio_transfer *t);
const char *npyio_why_no_lanes(const struct npyio_transfer *t);

/*
 * npyio_lanes_limit() says how large the blocks of 'nlanes' lanes may be that
 * share 'room' bytes of memory, and that of the device: buffers for them on
 * both sides, pinned memory, and what a fetch needs.
 */
void npyio_lanes_limit(const struct npyio_transfer *t, int nlanes, int64_t room,
		       struct tsl_lane_sizes *most);

/*
 * npyio_lane_open() opens a lane for blocks of these sizes.  Returns TSL_OK;
 * TSL_EDEVICE, TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE npyio_lane_open(struct npyio_lane *l,
					     const struct npyio_transfer *t,
					     const struct tsl_lane_sizes *sizes,
					     struct tsl_error *err);
void npyio_lane_close(struct npyio_lane *l);

/*
 * npyio_lane_view() has the block of a view made, with input from 'f': all
 * that the view spans, or only its elements if they lie far apart.
 */
enum tsl_status TSL_MUST_USE npyio_lane_view(struct npyio_lane *l,
					     struct npyio_fetch *f,
					     enum tsl_pattern pattern,
					     const struct tsl_block *block,
					     char *dst, struct tsl_error *err);

/*
 * npyio_lane_feed() feeds a block that was begun the input's bytes [lo, hi),
 * counted from 'base' on.
 */
enum tsl_status TSL_MUST_USE npyio_lane_feed(struct npyio_lane *l,
					     struct npyio_fetch *f,
					     int64_t base, int64_t lo,
					     int64_t hi, struct tsl_error *err);

#endif /* NPYIO_LANES_H */
