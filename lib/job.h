/*
 * job.h - an output array whose bytes can be produced range by range, in any
 * order, from any thread
 *
 * Every operation becomes a job.  What is special to it lies behind the job,
 * in a struct of its own that begins with a struct tsl_job.  All that can be
 * wrong is found when the job is made; need and fill cannot fail.
 *
 * Sizes and offsets are in BYTES: of the output from the first byte of its
 * data, of the input likewise.
 */
#ifndef TSL_JOB_H
#define TSL_JOB_H

#include "array.h"

#include <stddef.h>

struct tsl_job;

struct tsl_op {
	const char *name;
	/*
	 * need() stores the input bytes [*lo, *hi) that output bytes [first,
	 * first + n), n > 0, depend on.
	 */
	void (*need)(const struct tsl_job *job, int64_t first, int64_t n,
		     int64_t *lo, int64_t *hi);
	/*
	 * fill() writes output bytes [first, first + n) to 'dst'.  'in' holds
	 * the input from byte 'lo' on, at least as far as need() said.
	 */
	void (*fill)(const struct tsl_job *job, int64_t first, int64_t n,
		     const char *in, int64_t lo, char *dst);
	/*
	 * patch() overwrites what of output bytes [first, first + n) does
	 * not come from the input, after the rest is there; NULL: nothing.
	 */
	void (*patch)(const struct tsl_job *job, int64_t first, int64_t n,
		      char *dst);
};

/* How the input is best got at. */
enum tsl_access {
	/* a piece of the output stands in the input as it is: read it */
	TSL_ACCESS_COPY,
	/* much of what lies between its ends is used: read all, then fill */
	TSL_ACCESS_SPAN,
	/* little of it is: map the input and fill from there */
	TSL_ACCESS_MAP,
};

struct tsl_job {
	const struct tsl_op *op;
	struct tsl_array in; /* the input that is read block by block */
	struct tsl_array out;
	int64_t nbytes; /* of the output's data */
	int64_t grain; /* blocks begin at multiples of this; > 0 */
	int64_t piece; /* of output; 'access' is said of pieces; > 0 */
	enum tsl_access access;
	const char *plan; /* a word or two on how it is done, for people */
};

#endif /* TSL_JOB_H */
