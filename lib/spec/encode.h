/*
 * encode.h - a slice as TensorFlow's strided_slice takes it
 *
 * Three vectors of equal length and five masks, bit i for item i.  Of the
 * masks the first that has an item's bit decides what the item is:
 *
 *	ellipsis_mask		all axes not named by other items
 *	new_axis_mask		a new axis of 1
 *	shrink_axis_mask	one index: begin; the axis goes
 *	none of them		the range begin:end:stride, where begin_mask
 *				and end_mask mean "from the first", "to the
 *				last" in the direction of the stride
 *
 * Source: TensorFlow, core/util/strided_slice_op.{h,cc} and the encoder in
 * python/ops/tensor_getitem_override.py.
 */
#ifndef TSL_ENCODE_H
#define TSL_ENCODE_H

#include "lib/base/status.h"
#include "parse.h"

struct tsl_encoding {
	int nitems;
	int64_t begin[TSL_MAX_ITEMS]; /* elements; 0 where not looked at */
	int64_t end[TSL_MAX_ITEMS]; /* 0 where not looked at */
	int64_t strides[TSL_MAX_ITEMS]; /* 1 where not looked at */
	uint32_t begin_mask, end_mask, ellipsis_mask, new_axis_mask,
		shrink_axis_mask;
};

/* tsl_encoding_kind() is what item i is, by the precedence above. */
enum tsl_item_kind tsl_encoding_kind(const struct tsl_encoding *e, int i);

/*
 * tsl_encode() compiles a parsed slice.  No shape is needed.
 *
 * Returns TSL_OK; TSL_EMULTIPLE_ELLIPSIS or TSL_EZERO_STRIDE, with the place
 * in the slice string.
 */
enum tsl_status TSL_MUST_USE tsl_encode(struct tsl_encoding *e,
					const struct tsl_spec *spec,
					struct tsl_error *err);

/* The vectors and masks as a user gives them, of any length. */
struct tsl_vectors {
	int64_t nbegin, nend, nstrides; /* lengths; nstrides -1: all ones */
	const int64_t *begin, *end, *strides;
	uint32_t begin_mask, end_mask, ellipsis_mask, new_axis_mask,
		shrink_axis_mask;
};

/*
 * tsl_encode_vectors() checks all that can be wrong whatever the shape, and
 * puts what is not looked at to 0 (strides to 1, an index's end to begin + 1).
 * Masks are kept as they are; bits of items that there are not have no effect.
 *
 * Returns TSL_OK; TSL_ELENGTH_MISMATCH, TSL_ETOO_MANY_SPECS,
 * TSL_EMULTIPLE_ELLIPSIS, TSL_EZERO_STRIDE or TSL_EBAD_SHRINK_STRIDE.
 */
enum tsl_status TSL_MUST_USE tsl_encode_vectors(struct tsl_encoding *e,
						const struct tsl_vectors *v,
						struct tsl_error *err);

#endif /* TSL_ENCODE_H */
