/*
 * walk.h - the elements of a view, in order, into dense memory
 */
#ifndef TSL_WALK_H
#define TSL_WALK_H

#include "kernel.h"
#include "view.h"

/* The two innermost dims of a view, rows of elements; it may have neither. */
struct tsl_rows {
	int64_t count, stride; /* rows, and bytes from one to the next */
	int64_t length, step; /* elements of a row, and bytes between them */
	int outer; /* number of dims outside them */
};

struct tsl_rows tsl_view_rows(const struct tsl_view *v);

/*
 * tsl_view_fill() writes elements [first, first + n) of 'v' densely to 'dst'.
 * 'in' holds the viewed bytes from 'lo' on, all that tsl_view_span() says.
 * 'kernel' is tsl_kernel_for() the view's width and its rows.
 */
void tsl_view_fill(const struct tsl_view *v, tsl_kernel *kernel, int64_t first,
		   int64_t n, const char *in, int64_t lo, char *dst);

#endif /* TSL_WALK_H */
