/*
 * arrange.h - what may follow a slice: its axes in another order, and then its
 * elements in another shape
 */
#ifndef TSL_OP_ARRANGE_H
#define TSL_OP_ARRANGE_H

#include "lib/base/shape.h"

/* A list as it is asked for: it may be longer than any that is right. */
struct tsl_arrange_list {
	bool given;
	int64_t n;
	int64_t item[TSL_MAX_DIMS]; /* the first of them */
};

struct tsl_arrange_options {
	bool transposed; /* all axes the other way round */
	struct tsl_arrange_list axes; /* else; negative: from the end */
	struct tsl_arrange_list sizes; /* one may be -1: what is left */
};

/* The options applied to a shape. */
struct tsl_arrangement {
	int axis[TSL_MAX_DIMS]; /* which one comes in each place */
	bool is_reshaped;
	struct tsl_shape shape; /* in the end */
};

/*
 * tsl_arrange() applies 'options' to a shape, sizes or rank of which need not
 * be known, of elements of 'width' bytes; 1 if that is not known.
 *
 * Returns TSL_OK; TSL_EBAD_AXES; then TSL_ERANK_LIMIT, TSL_EBAD_RESHAPE, or
 * TSL_ETOO_LARGE for more elements or bytes than 2^63-1.
 */
enum tsl_status TSL_MUST_USE tsl_arrange(
	struct tsl_arrangement *a, const struct tsl_arrange_options *options,
	const struct tsl_shape *shape, int64_t width, struct tsl_error *err);

#endif /* TSL_OP_ARRANGE_H */
