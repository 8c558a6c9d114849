/*
 * cat_rows.h - inputs that are one row of what they are added to
 */
#ifndef CLI_CAT_ROWS_H
#define CLI_CAT_ROWS_H

#include "lib/op/cat.h"

/* Arrays with an axis of size 1 where the others have as many rows. */
struct rows {
	struct tsl_array **array;
	int n;
};

/*
 * rows_add() has each of n parts whose shape is that of 'first' without 'axis'
 * be an array that has it.
 *
 * Returns TSL_OK; TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE rows_add(struct rows *rows,
				      struct tsl_cat_part part[], int n,
				      const struct tsl_array *first, int axis,
				      struct tsl_error *err);

/* rows_close() is for when none of these parts is used any more. */
void rows_close(struct rows *rows);

#endif /* CLI_CAT_ROWS_H */
