/*
 * refine.h - a view cut up so that another shape fits it
 */
#ifndef TSL_REFINE_H
#define TSL_REFINE_H

#include "view.h"

/*
 * tsl_view_refine() cuts the dims of 'v', which is not empty, so that in C
 * order each size of 'shape', which has as many elements, is the product of
 * some of them: count[i] dims for size i, none for a size of 1, and dims of 1
 * go.  The elements, and their order, stay.  If each count is at most 1, 'v' is
 * a view of that very shape; NumPy's reshape copies if one is not.
 *
 * Returns false, with 'v' as it was, if its dims and the sizes overlap: (2, 6)
 * and (4, 3), where neither dim continues the other.
 *
 *	[4,6] of which every second column is taken, as (2,2,3)  ->  [2,2,3]
 *	the same, as (6,2)                                       ->  false
 */
bool tsl_view_refine(struct tsl_view *v, const struct tsl_shape *shape,
		     int count[]);

/*
 * tsl_view_reverse_groups() turns the order of n groups of dims round, of which
 * group i is the next count[i]; within a group the order stays.
 */
void tsl_view_reverse_groups(struct tsl_view *v, int n, const int count[]);

/* tsl_view_permute() puts dim axis[i] in place i, for each dim. */
void tsl_view_permute(struct tsl_view *v, const int axis[]);

#endif /* TSL_REFINE_H */
