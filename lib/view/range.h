/*
 * range.h - a range of a view's elements, as boxes of it
 */
#ifndef TSL_RANGE_H
#define TSL_RANGE_H

#include "view.h"

/* What is left of elements [at, end) of a view, which must outlive it. */
struct tsl_range {
	const struct tsl_view *view;
	int64_t at, end;
};

/*
 * tsl_range_next() makes the next box of the range, as a view of the fewest
 * dims, and stores the number of its first element in 'at'.  A box is one run
 * of the view's elements in their order; of a view of n dims a range is at most
 * 2n - 1 of them.  Returns false when there is none left.
 *
 *	[4,5], elements [3, 17)  ->  [2] at 3, [2,5] at 5, [2] at 15
 */
bool tsl_range_next(struct tsl_range *r, struct tsl_view *box, int64_t *at);

#endif /* TSL_RANGE_H */
