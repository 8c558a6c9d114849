/*
 * view.h - an array seen through a shape, byte strides and an offset
 *
 * Units: dims, counts and indices are in ELEMENTS; strides, offsets and sizes
 * are in BYTES.  All are int64_t, so a negative step needs no special case.
 * Nothing here allocates, does I/O or reads element data, so every function
 * is pure and safe to call from any thread.
 */
#ifndef TSL_VIEW_H
#define TSL_VIEW_H

#include "lib/base/array.h"
#include "lib/spec/resolve.h"

struct tsl_view {
	int ndim; /* 0..TSL_MAX_DIMS + 1; 0 is a scalar */
	int64_t width; /* bytes per element */
	int64_t offset; /* bytes, first of the data -> element [0,..,0] */
	int64_t dim[TSL_MAX_DIMS + 1]; /* elements, >= 0; any 0: empty */
	int64_t stride[TSL_MAX_DIMS + 1]; /* bytes; < 0 reversed, 0 repeated */
};

/*
 * tsl_view_select() fills 'v' with the elements that 'sel' selects of the
 * checked array 'a', one dim for each axis of the result.  Every element of
 * the view lies within the array.  The selection must be of a's own shape.
 */
void tsl_view_select(struct tsl_view *v, const struct tsl_array *a,
		     const struct tsl_selection *sel);

/*
 * Contiguity as NumPy defines it: dims of 1 do not count, and an empty view
 * is contiguous in either order.
 */
bool tsl_view_is_c(const struct tsl_view *v);
bool tsl_view_is_f(const struct tsl_view *v);

/* tsl_view_swap_dims() makes dim i the j-th, and the other way round. */
void tsl_view_swap_dims(struct tsl_view *v, int i, int j);

/* tsl_view_reverse_axes() turns the order of the axes round. */
void tsl_view_reverse_axes(struct tsl_view *v);

/*
 * tsl_view_coalesce() rewrites 'v' to the fewest dims that visit the same
 * bytes in the same order: dims of 1 go, and dim i merges into i+1 when
 * stride[i] equals dim[i+1] * stride[i+1].  An element that is not 1, 2, 4, 8
 * or 16 bytes wide becomes a dim of single bytes first.
 *
 *	[8,1,4,16] reversed in dim 0  ->  [8,64]
 */
void tsl_view_coalesce(struct tsl_view *v);

/*
 * tsl_view_split() does the last alone: elements that no kernel moves become
 * rows of bytes.  tsl_view_merge() does all but the last.
 */
void tsl_view_split(struct tsl_view *v);
void tsl_view_merge(struct tsl_view *v);

/* tsl_view_to_bytes() makes any element a row of bytes. */
void tsl_view_to_bytes(struct tsl_view *v);

/* tsl_views_merge() merges n views of equal dims where all of them can. */
void tsl_views_merge(struct tsl_view *const v[], int n);

/* tsl_view_count() is the number of elements. */
int64_t tsl_view_count(const struct tsl_view *v);

/*
 * tsl_view_span() stores the bytes [*lo, *hi) that the elements of a view
 * that is not empty are among.  The first and the last byte are each some
 * element's.
 */
void tsl_view_span(const struct tsl_view *v, int64_t *lo, int64_t *hi);

/*
 * tsl_view_is_forward() says whether each element lies behind the one before
 * it.
 */
bool tsl_view_is_forward(const struct tsl_view *v);

/*
 * tsl_view_box() makes a view of the elements from index start[i] on, extent[i]
 * of them, in each dim i.
 */
void tsl_view_box(const struct tsl_view *v, const int64_t start[],
		  const int64_t extent[], struct tsl_view *box);

/*
 * tsl_view_head() makes a box of as many as it can of elements [first,
 * first + n), n > 0, in order, from 'first' on; returns how many.
 */
int64_t tsl_view_head(const struct tsl_view *v, int64_t first, int64_t n,
		      struct tsl_view *box);

#endif /* TSL_VIEW_H */
