/*
 * cut.h - a view cut into boxes, each small enough to be made at once
 */
#ifndef TSL_CUT_H
#define TSL_CUT_H

#include "view.h"

/* What a box may take, in BYTES; a single element may take more. */
struct tsl_cut_limits {
	int64_t out; /* of output */
	int64_t in; /* between the first and the last byte of its input */
	int64_t run; /* the least of it that should be taken from one place */
	bool in_order; /* boxes must follow each other in the output */
};

/* Boxes of one size, in a grid over the view; the last may be smaller. */
struct tsl_cut {
	struct tsl_view view; /* with the dims in the order of the output */
	int64_t extent[TSL_MAX_DIMS + 1]; /* of a box, elements */
	int64_t count; /* of boxes */
};

/*
 * tsl_cut_init() chooses the boxes for a view that is not empty.  They follow
 * the output, whole dims from the innermost on, so that each is one run of
 * it; but where the input's neighbours are far apart in the output, boxes that
 * are long in both, if the order is free.
 */
void tsl_cut_init(struct tsl_cut *cut, const struct tsl_view *view,
		  const struct tsl_cut_limits *limits);

/*
 * tsl_cut_box() makes the view of box i.  It stores where in the output the
 * box's first element belongs, and returns how many bytes of the box are side
 * by side in the output: runs of so many are all that has to be put in place.
 */
int64_t tsl_cut_box(const struct tsl_cut *cut, int64_t i, struct tsl_view *box,
		    int64_t *first);

/*
 * tsl_cut_next() moves 'first' on from one run of the box to the next; index,
 * one for each dim, begins with all 0.  Returns false after the last.
 */
bool tsl_cut_next(const struct tsl_cut *cut, const struct tsl_view *box,
		  int64_t index[], int64_t *first);

/*
 * tsl_cut_is_forward() says whether each box of the cut lies no further back
 * in the input than the one before it, and none spans more than 'limit' bytes:
 * whether they can be made from a stream as it comes.
 */
bool tsl_cut_is_forward(const struct tsl_cut *cut, int64_t limit);

#endif /* TSL_CUT_H */
