/*
 * array_out.h - an array whose shape is known when all its elements are written
 */
#ifndef CLI_PARSE_ARRAY_OUT_H
#define CLI_PARSE_ARRAY_OUT_H

#include "cli/run/run.h"
#include "lib/base/array.h"

struct array_out {
	struct growing_output output; /* not open: what a command reads */
	int64_t offset; /* where elements are written from */
};

/*
 * array_out_open() opens what the options name; what cannot be written in any
 * order, or not as it comes, goes to a temporary file first.  'like' is an
 * array whose header is as long as that of the one to come, or shorter.
 *
 * Returns TSL_OK; TSL_EIO, TSL_EMEMORY, TSL_EDEVICE.  In any case
 * growing_output_close() is due.
 */
enum tsl_status TSL_MUST_USE array_out_open(struct array_out *o,
					    const struct common_options *co,
					    const struct tsl_array *like,
					    struct tsl_error *err);

/*
 * array_out_end() says what array the elements are that were written to
 * growing_output_writer(), at the offset and behind.
 */
enum tsl_status TSL_MUST_USE array_out_end(struct array_out *o,
					   const struct tsl_array *array,
					   struct tsl_error *err);

#endif /* CLI_PARSE_ARRAY_OUT_H */
