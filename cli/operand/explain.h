/*
 * explain.h - what a slice compiles to, and what it would do
 */
#ifndef CLI_EXPLAIN_H
#define CLI_EXPLAIN_H

#include "lib/op/slice.h"
#include "npyio/input/reader_remote.h"

/* What is known; NULL for what is not. */
struct explanation {
	const struct tsl_encoding *encoding;
	const struct tsl_shape *shape; /* of the input */
	const struct tsl_shape *result;
	const struct tsl_job *job;
	bool can_reflink; /* blocks, with the input */
};

/* explain_text() and explain_json() print to standard output. */
void explain_text(const struct explanation *x);
enum tsl_status TSL_MUST_USE explain_json(const struct explanation *x,
					  struct tsl_error *err);

/*
 * explain_ranges() prints the bytes of the input's file that a job reads
 * besides the header, a range a line, or all as JSON.
 */
void explain_ranges(const struct tsl_job *job, const struct npyio_reader *in,
		    bool json);

/*
 * explain_read() is how many bytes of the input's data a job reads, with the
 * gaps that it reads over.
 */
int64_t explain_read(const struct tsl_job *job);

#endif /* CLI_EXPLAIN_H */
