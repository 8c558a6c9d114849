/*
 * job.h - an output array whose bytes can be produced piece by piece, in any
 * order, from any thread
 *
 * Every operation becomes a job.  What is special to it lies behind the job,
 * in a struct of its own that begins with a struct tsl_job.  All that can be
 * wrong is found when the job is made; producing bytes cannot fail.
 *
 * There are two kinds of road.  Most jobs are a view: the output is the
 * input's elements in another order, and any box of it can be made from the
 * bytes that the box spans.  A job of runs is a list of places in the input,
 * in no order at all, and is made in the order of the input.
 *
 * Sizes and offsets are in BYTES: of the output from the first byte of its
 * data, of the input likewise.
 */
#ifndef TSL_JOB_H
#define TSL_JOB_H

#include "lib/base/array.h"
#include "lib/view/pair.h"

#include <stddef.h>

enum tsl_road {
	TSL_ROAD_VIEW,
	TSL_ROAD_RUNS, /* the job begins a struct tsl_gather_job */
	TSL_ROAD_CONCAT, /* rows of many inputs: the job begins a tsl_cat_job */
	TSL_ROAD_SCATTER, /* a view, then rows over it: tsl_scatter_job */
};

struct tsl_job;
struct tsl_mask;

/* What an op needs, so that nobody has to ask which one it is. */
struct tsl_op {
	const char *name;
	enum tsl_road road;
	bool any_order; /* makes the order asked for; else one alone */
	bool ordered_inputs; /* wants the sides in the output's order */
	/* A job whose 'in' is no field wants a field copied, if that is what
	   its input is. */
	bool dense_input;
	/*
	 * side_nbytes() is how much besides the input is needed to produce
	 * output bytes [first, first + n): offsets, diagonals.  NULL: nothing.
	 */
	int64_t (*side_nbytes)(const struct tsl_job *job, int64_t first,
			       int64_t n);
	/*
	 * patch() overwrites what of output bytes [first, first + n) does
	 * not come from the input, after the rest is there; NULL: nothing.
	 * A job with a patch begins a struct tsl_set_diag_job.
	 */
	void (*patch)(const struct tsl_job *job, int64_t first, int64_t n,
		      const char *side, char *dst);
	/*
	 * layer() makes layer i of job->nlayers, settled, and returns the
	 * number of its input, or TSL_FILL.  An op with a patch is patched in
	 * memory, but written in place by layers, which say the same.
	 */
	int (*layer)(const struct tsl_job *job, int64_t i,
		     struct tsl_pair *pair);
	/*
	 * next_layer() is the first layer from i on that may have a place in
	 * output bytes [first, first + n), n > 0; job->nlayers if none has.
	 * NULL: any may.
	 */
	int64_t (*next_layer)(const struct tsl_job *job, int64_t i,
			      int64_t first, int64_t n);
};

/*
 * An output is painted: over its base, which the view makes of the input, go
 * layers, each of them elements of an input and their places; later ones over
 * earlier ones.
 *
 * Inputs but the one that the job goes through are sides: these are handed over
 * in C order, or if the op says so in the output's order, and the one whose
 * elements go to the output, the source, in the output's byte order.
 */
#define TSL_FILL (-1) /* the input of a layer that is job->fill, repeated */

/* The access pattern: how the input is best got at, and moved. */
enum tsl_pattern {
	TSL_PATTERN_EMPTY, /* no elements */
	TSL_PATTERN_RUN, /* one run of bytes: read into place */
	TSL_PATTERN_ROWS, /* long runs: each is read into place */
	TSL_PATTERN_BOX, /* shorter rows with gaps */
	TSL_PATTERN_DENSE, /* steps that use much of what they span */
	TSL_PATTERN_SMALL, /* the same, few elements a row */
	TSL_PATTERN_SPARSE, /* picks here and there */
	TSL_PATTERN_TRANSPOSED, /* neighbours of a column lie side by side */
	TSL_PATTERN_GATHER, /* runs in no order */
	TSL_PATTERN_PICKS, /* the same, but never far back */
};

struct tsl_job {
	const struct tsl_op *op;
	struct tsl_array in; /* the input that is read piece by piece */
	struct tsl_array out;
	/*
	 * The field of the output that is written to, all else being as it was
	 * in records of the input; its 'field' is NULL where it is all of it.
	 */
	struct tsl_array field;
	/* What the output is written as, in other byte orders; or NULL. */
	const struct tsl_dtype *as;
	int64_t nbytes; /* of the output's data */
	struct tsl_view view; /* of the input, coalesced, in order of output */
	enum tsl_pattern pattern;
	bool is_bare; /* no base: layers cover all of the output */
	bool no_input; /* nor an input that the job goes through */
	int source; /* the side whose elements go to the output; 0: none */
	int64_t nlayers;
	/* Of the output; each comes from one piece of the input.  0: none. */
	int64_t block_nbytes;
	const char *fill; /* an element, in the target's dtype; the caller's */
	const struct tsl_mask *mask; /* see mask.h, the caller's; or NULL */
	int mask_input; /* the number of the input that it was counted in */
};

/*
 * tsl_job_settle() completes a job of which op, in, out and view are set, the
 * view's dims in the order in which the output is written.
 * tsl_job_settle_bare() does so with one that has no base.
 */
void tsl_job_settle(struct tsl_job *job);
void tsl_job_settle_bare(struct tsl_job *job);

/*
 * tsl_job_target() is what layers and rows go over: the output, or a field of
 * it, in the order that the output has by now.  tsl_job_settle_layer() settles
 * a layer's pair.
 */
struct tsl_array tsl_job_target(const struct tsl_job *job);
void tsl_job_settle_layer(const struct tsl_job *job, struct tsl_pair *pair);

/* tsl_job_fill_size() is the size of job->fill, which is there. */
int64_t tsl_job_fill_size(const struct tsl_job *job);

/* Whether tuples say what goes where: they may be wrong though no byte goes. */
bool tsl_job_has_tuples(const struct tsl_job *job);

/* tsl_job_written() is the output as it is written. */
struct tsl_array tsl_job_written(const struct tsl_job *job);

/* tsl_job_fill() makes the layer of job->fill that covers all of the output. */
void tsl_job_fill(const struct tsl_job *job, struct tsl_pair *pair);

/* tsl_pattern_name() is a word or two, such as "dense steps". */
const char *tsl_pattern_name(enum tsl_pattern pattern);

#endif /* TSL_JOB_H */
