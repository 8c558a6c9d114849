/*
 * pair.h - elements of one array, and their places in another
 *
 * Two views of equal dims: where the elements come from, and where they go.
 * What they come from may be walked in any direction, and repeated (a stride
 * of 0); the places they go to are all different.
 */
#ifndef TSL_PAIR_H
#define TSL_PAIR_H

#include "view.h"

struct tsl_pair {
	struct tsl_view from, to; /* of one width and one set of dims */
};

/*
 * tsl_pair_settle() puts the dims in an order in which the places lie one
 * behind the other, none of them before an earlier one, and merges what it can.
 * The pair is not empty; 'to' is a part of a dense array, so that its dims
 * nest.
 */
void tsl_pair_settle(struct tsl_pair *p);

/*
 * tsl_pair_before() is how many elements of a settled pair have their place
 * before byte 'offset' of what they go to.
 */
int64_t tsl_pair_before(const struct tsl_pair *p, int64_t offset);

/*
 * tsl_pair_head() makes a box of as many as it can of elements [first,
 * first + n), n > 0, in order, from 'first' on; returns how many.
 */
int64_t tsl_pair_head(const struct tsl_pair *p, int64_t first, int64_t n,
		      struct tsl_pair *box);

/*
 * tsl_pair_halve() cuts a pair of more than one element in two, across the dim
 * that reaches furthest in 'by', which is p->from or p->to.
 */
void tsl_pair_halve(const struct tsl_pair *p, const struct tsl_view *by,
		    struct tsl_pair half[2]);

/*
 * tsl_pair_is_dense() says whether the innermost places are side by side, and
 * no element goes to several: what tsl_view_fill() can do.
 */
bool tsl_pair_is_dense(const struct tsl_pair *p);

/*
 * tsl_pair_copy() copies all elements.  'src' holds what they come from, from
 * byte offset src_lo on, all that tsl_view_span() says; 'dst' what they go to,
 * from dst_lo on.  No byte of 'dst' but theirs is touched.
 */
void tsl_pair_copy(const struct tsl_pair *p, const char *src, int64_t src_lo,
		   char *dst, int64_t dst_lo);

#endif /* TSL_PAIR_H */
