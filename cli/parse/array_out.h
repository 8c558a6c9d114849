/*
 * array_out.h - an array whose shape is known when all its elements are written
 */
#ifndef CLI_PARSE_ARRAY_OUT_H
#define CLI_PARSE_ARRAY_OUT_H

#include "cli/option/options.h"
#include "lib/base/array.h"
#include "npyio/output/writer.h"

struct array_out {
	const struct common_options *co;
	struct npyio_writer *out; /* that the options name; NULL: not open */
	struct npyio_writer *spool; /* what is written instead; or NULL */
	int64_t offset; /* where elements are written from */
};

/*
 * array_out_open() opens what the options name; what cannot be written in any
 * order, or not as it comes, goes to a temporary file first.  'like' is an
 * array whose header may be as long as that of the one to come.
 *
 * Returns TSL_OK; TSL_EIO, TSL_EMEMORY, TSL_EDEVICE.  In any case
 * array_out_close() is due.
 */
enum tsl_status TSL_MUST_USE array_out_open(struct array_out *o,
					    const struct common_options *co,
					    const struct tsl_array *like,
					    struct tsl_error *err);

/* array_out_writer() is where elements go, at array_out_offset() and behind. */
struct npyio_writer *array_out_writer(const struct array_out *o);

/*
 * array_out_end() says what array they are; array_out_close() has it appear
 * or, if 'status' is a failure, be gone.
 */
enum tsl_status TSL_MUST_USE array_out_end(struct array_out *o,
					   const struct tsl_array *array,
					   struct tsl_error *err);
enum tsl_status TSL_MUST_USE array_out_close(struct array_out *o,
					     enum tsl_status status,
					     struct tsl_error *err);

#endif /* CLI_PARSE_ARRAY_OUT_H */
