/*
 * resolve.h - an encoding applied to a shape: which elements of each axis
 *
 * Every bound is checked or clamped here, once, by the rules of TensorFlow's
 * ValidateStridedSliceOp; nothing after it checks again.
 */
#ifndef TSL_RESOLVE_H
#define TSL_RESOLVE_H

#include "encode.h"
#include "lib/base/shape.h"
#include "lib/base/status.h"

/* Elements begin, begin + step, ... of an input axis, 'count' of them. */
struct tsl_axis {
	int source; /* the input's axis; -1: a new one */
	bool shrunk; /* the element 'begin' alone; no axis of the result */
	int64_t begin; /* in [0, dim) if count > 0 */
	int64_t count; /* TSL_UNKNOWN where the dim is and it matters */
	int64_t step; /* any but 0; of no meaning if count <= 1 */
};

struct tsl_selection {
	bool known_rank; /* false: nothing else is known */
	int naxes;
	struct tsl_axis axis[TSL_MAX_DIMS + TSL_MAX_ITEMS];
};

/*
 * tsl_resolve() applies 'e' to 'shape'.  An unknown size gives an unknown
 * count, an unknown rank a selection of unknown rank.
 *
 * Returns TSL_OK; in this order TSL_ETOO_MANY_INDICES,
 * TSL_EINDEX_OUT_OF_RANGE, TSL_ERANK_LIMIT (a result of more than
 * TSL_MAX_DIMS axes).  'err' names the item.
 */
enum tsl_status TSL_MUST_USE tsl_resolve(struct tsl_selection *sel,
					 const struct tsl_encoding *e,
					 const struct tsl_shape *shape,
					 struct tsl_error *err);

/* tsl_select_all() selects every element of a shape of known rank. */
void tsl_select_all(struct tsl_selection *sel, const struct tsl_shape *shape);

/* tsl_selection_is_empty() says whether nothing is selected. */
bool tsl_selection_is_empty(const struct tsl_selection *sel);

/* tsl_selection_shape() is the shape of the result. */
struct tsl_shape tsl_selection_shape(const struct tsl_selection *sel);

#endif /* TSL_RESOLVE_H */
