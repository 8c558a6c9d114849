/*
 * difference.h - what two arrays differ in, as lines for people or as JSON
 */
#ifndef CLI_DIFFERENCE_H
#define CLI_DIFFERENCE_H

#include "cli/print/table.h"
#include "inputs.h"

struct difference {
	bool json;
	const char *name[2]; /* as they were given */
	const struct tsl_array *array; /* the first one */
	struct npyio_writer *writer;
	struct text_out out;
	struct text_out value; /* one, on its way into JSON */
	struct table table;
	int64_t listed;
};

/*
 * difference_open() opens the output that the options name.  Two inputs are
 * open, which 'names' says as it was given.  difference_close() is due on
 * failure too, with what came of it all: it makes the output appear, unless
 * that is a failure, and returns it, or its own.
 *
 * Return TSL_OK; TSL_EIO, TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE difference_open(struct difference *d,
					     const struct common_options *co,
					     const struct inputs *inputs,
					     const char *const names[2],
					     struct tsl_error *err);
enum tsl_status TSL_MUST_USE difference_close(struct difference *d,
					      enum tsl_status status,
					      struct tsl_error *err);

/*
 * difference_is_of_kinds() says whether shapes or dtypes differ, and
 * difference_kinds() tells how.
 */
bool difference_is_of_kinds(const struct tsl_array *a,
			    const struct tsl_array *b);
void difference_kinds(struct difference *d, const struct tsl_array *a,
		      const struct tsl_array *b);

/*
 * difference_found() tells of an element; an npyio_found.  difference_total()
 * tells how many differ, if any.
 */
enum tsl_status TSL_MUST_USE difference_found(void *difference, int64_t number,
					      const char *a, const char *b,
					      struct tsl_error *err);
void difference_total(struct difference *d, int64_t count);

#endif /* CLI_DIFFERENCE_H */
