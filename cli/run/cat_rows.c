/*
 * cat_rows.c - inputs that are one row of what they are added to
 */
#include "cat_rows.h"

#include <stdlib.h>

static bool
is_row(const struct tsl_array *a, const struct tsl_array *first, int axis)
{
	if (a->ndim != first->ndim - 1)
		return false;
	/* The dims that a field adds stay the last ones. */
	if (a->field && axis > a->ndim - a->field->ndim)
		return false;
	for (int i = 0; i < a->ndim; i++)
		if (a->dim[i] != first->dim[i + (i >= axis)])
			return false;
	return true;
}

/* In either order an axis of size 1 moves no element. */
static void
insert_axis(struct tsl_array *a, int axis)
{
	for (int i = a->ndim++; i > axis; i--)
		a->dim[i] = a->dim[i - 1];
	a->dim[axis] = 1;
}

static enum tsl_status
add(struct rows *rows, struct tsl_cat_part *part, int axis,
    struct tsl_error *err)
{
	size_t n = (size_t)rows->n + 1;
	struct tsl_array **more = realloc(rows->array, n * sizeof(*more));

	if (!more)
		return tsl_no_memory(err);
	rows->array = more;
	more[rows->n] = malloc(sizeof(**more));
	if (!more[rows->n])
		return tsl_no_memory(err);
	*more[rows->n] = *part->array;
	insert_axis(more[rows->n], axis);
	part->array = more[rows->n++];
	return TSL_OK;
}

enum tsl_status
rows_add(struct rows *rows, struct tsl_cat_part part[], int n,
	 const struct tsl_array *first, int axis, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;

	for (int i = 0; i < n && !status; i++)
		if (is_row(part[i].array, first, axis))
			status = add(rows, &part[i], axis, err);
	return status;
}

void
rows_close(struct rows *rows)
{
	for (int i = 0; i < rows->n; i++)
		free(rows->array[i]);
	free(rows->array);
	*rows = (struct rows){ .n = 0 };
}
