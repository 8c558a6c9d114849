/*
 * walk.h - the elements of a view, in order, into memory
 */
#ifndef TSL_WALK_H
#define TSL_WALK_H

#include "view.h"

/*
 * tsl_view_fill() copies all the elements of 'v', which is not empty, to
 * 'dst': element [i, .., j] to byte i * dst_stride[0] + .. + j * width.  The
 * innermost dim is dense: its dst_stride is not looked at.  'in' holds the
 * viewed bytes from offset 'lo' on, all that tsl_view_span() says.
 */
void tsl_view_fill(const struct tsl_view *v, const int64_t dst_stride[],
		   const char *in, int64_t lo, char *dst);

/* tsl_view_dense() stores the strides of v's dims one behind the other. */
void tsl_view_dense(const struct tsl_view *v, int64_t stride[]);

#endif /* TSL_WALK_H */
