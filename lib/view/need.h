/*
 * need.h - the bytes that a view is made of, as ranges in ascending order
 *
 * For bytes that are far away, where each question takes longer than many
 * bytes do: ranges with little between them are one.
 *
 * Offsets are in BYTES, the view's own.
 */
#ifndef TSL_NEED_H
#define TSL_NEED_H

#include "view.h"

/* Gaps of fewer bytes are asked for with what is around them. */
#define TSL_NEED_GAP ((int64_t)256 * 1024)

/* The ranges that are still to come; of any number, and none is stored. */
struct tsl_need {
	int64_t gap;
	struct tsl_view blocks; /* without gaps worth it, furthest outermost */
	int64_t index[TSL_MAX_DIMS + 1]; /* of the next block */
	int64_t at; /* where it begins */
	bool ended;
};

/*
 * tsl_need_init() begins with the ranges of a view; tsl_need_next() stores the
 * next one, [*lo, *hi), and returns false after the last.  Two ranges are
 * 'gap' bytes apart, > 0, or more, and each begins and ends with a byte of some
 * element, unless the view visits a byte twice.
 */
void tsl_need_init(struct tsl_need *need, const struct tsl_view *v,
		   int64_t gap);
bool tsl_need_next(struct tsl_need *need, int64_t *lo, int64_t *hi);

#endif /* TSL_NEED_H */
