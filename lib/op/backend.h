/*
 * backend.h - a device that makes blocks of a job's output
 *
 * A lane is one worker's road through a backend, with memory of its own.  It
 * takes one block at a time: begin() says which, feed() hands it the input, in
 * one part or, of a gather, several, and end() has the bytes ready.  Several
 * lanes of one backend are used by as many threads at once, each by one thread
 * at a time.
 *
 * Sizes and offsets are in BYTES.  Every function returns TSL_OK, TSL_EDEVICE
 * or TSL_EMEMORY, with the error told in the device's own words.
 */
#ifndef TSL_BACKEND_H
#define TSL_BACKEND_H

#include "job.h"

struct tsl_lane; /* the backend's own */

/*
 * What a block is, one behind the other without gaps:
 *
 *	of a gather	runs of the table: side is the offset of each, int64_t,
 *			or -1 for zeros; see tsl_gather_unit()
 *	else		the elements of a view of the input; where side is not
 *			NULL, they are output bytes [first, first + n), and
 *			side, as the job's patch() is given it, goes over them
 */
struct tsl_block {
	const struct tsl_view *view; /* NULL: of a gather */
	int64_t first, n; /* n > 0 */
	const char *side;
	int64_t side_nbytes;
};

/* The most that a lane will be asked for at once. */
struct tsl_lane_sizes {
	int64_t in; /* input of one feed() */
	int64_t out; /* output of a block */
	int64_t side;
};

struct tsl_backend {
	const char *name; /* "cuda:0" */
	int lanes; /* that keep it busy */
	int64_t memory; /* that all lanes' sizes together may take */
	int64_t max_block; /* bytes of output, whatever the memory */

	enum tsl_status (*open)(struct tsl_lane **lane_new,
				const struct tsl_backend *backend,
				const struct tsl_job *job,
				const struct tsl_lane_sizes *sizes,
				struct tsl_error *err);
	void (*close)(struct tsl_lane *lane); /* NULL is allowed */

	/*
	 * input() stores memory of sizes.in bytes to read the next part of
	 * the input into.  What was in it before has been taken.
	 */
	enum tsl_status (*input)(struct tsl_lane *lane, char **bytes,
				 struct tsl_error *err);
	/*
	 * begin() starts on a block.  It and its view must live until end(),
	 * its side too, or, where anything failed, until close().
	 */
	enum tsl_status (*begin)(struct tsl_lane *lane,
				 const struct tsl_block *block,
				 struct tsl_error *err);
	/*
	 * feed() makes what of the block comes from input bytes [lo, hi),
	 * which are at 'in', memory of input() or any other.  A view is fed
	 * once, all that it spans; of a gather each run is to lie in one of
	 * the parts fed, or more.
	 */
	enum tsl_status (*feed)(struct tsl_lane *lane, const char *in,
				int64_t lo, int64_t hi, struct tsl_error *err);
	/* end() writes the block's bytes to 'dst'. */
	enum tsl_status (*end)(struct tsl_lane *lane, char *dst,
			       struct tsl_error *err);
};

#endif /* TSL_BACKEND_H */
