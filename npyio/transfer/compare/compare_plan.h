/*
 * compare_plan.h - the order in which two arrays are gone through, and the
 * boxes
 *
 * Both arrays are views with the dims in one order, the visit's, and are cut
 * into the same boxes; a third view, of the elements' numbers in C order, says
 * where a box's elements are.  The order is that of the arrays, if they have
 * one; a box is then one run of either.  Else it is that of one, and boxes of
 * the other are put in order while they are fetched.
 */
#ifndef NPYIO_COMPARE_PLAN_H
#define NPYIO_COMPARE_PLAN_H

#include "comparison.h"
#include "lib/view/cut.h"
#include "npyio/file/window.h"
#include "npyio/transfer/transfer.h"

/* Which of the views has the elements' numbers; as bytes, one each. */
#define NPYIO_COMPARE_NUMBERS 2

struct npyio_compare_plan {
	const struct npyio_comparison *c;
	struct tsl_job whole; /* of an output as large as one array */
	struct npyio_transfer inputs; /* as others see them */
	int64_t width; /* bytes of an element */
	bool by_columns; /* the visit's order is Fortran's */
	bool at_once; /* differences are told of when they are found */
	bool once; /* no box can be gone through another time */
	enum tsl_pattern pattern[2];
	/* Of each array, and of the numbers; what they say in bytes is of one
	   of the arrays. */
	struct tsl_cut cut[3];
	int64_t largest; /* bytes of a box */
	int64_t room; /* bytes of an array that are spanned at once */
	struct npyio_window window[2]; /* on arrays in another order */
	const char *mapped[2]; /* from 'lo' on; NULL: fetched in parts */
	int64_t lo[2];
	int nworkers;
};

/*
 * npyio_compare_plan_make() plans for arrays that may be without elements, of
 * which there is no plan; a plan is closed when it has been followed.
 *
 * Returns TSL_OK; a status of the readers; TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE npyio_compare_plan_make(
	struct npyio_compare_plan *p, const struct npyio_comparison *c,
	struct tsl_error *err);
void npyio_compare_plan_close(struct npyio_compare_plan *p);

#endif /* NPYIO_COMPARE_PLAN_H */
