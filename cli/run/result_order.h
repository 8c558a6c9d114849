/*
 * result_order.h - the byte order that a result is asked for in
 */
#ifndef CLI_RESULT_ORDER_H
#define CLI_RESULT_ORDER_H

#include "cli/option/options.h"
#include "lib/op/job.h"

/* A type, with its text; {0} at first. */
struct result_order {
	struct tsl_dtype dtype;
	char *descr;
};

/* result_order_mark() is '<' or '>'; '\0' where nobody asked. */
char result_order_mark(const struct common_options *co);

/*
 * result_order_of() stores 'dtype' in the byte order that the options want, or
 * NULL where that is its own.  What it was before is freed.
 *
 * result_order_set() does so for a job's output.
 *
 * Return TSL_OK; TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE result_order_of(struct result_order *o,
					     const struct common_options *co,
					     const struct tsl_dtype *dtype,
					     const struct tsl_dtype **as,
					     struct tsl_error *err);
enum tsl_status TSL_MUST_USE result_order_set(struct result_order *o,
					      const struct common_options *co,
					      struct tsl_job *job,
					      struct tsl_error *err);
void result_order_free(struct result_order *o);

#endif /* CLI_RESULT_ORDER_H */
