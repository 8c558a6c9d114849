/*
 * table.h - an array's elements as lines of cells
 *
 * A row of an array is a line, an element of one axis too, and a structured
 * element with its parts as cells; the form "plain" has rows of one axis, and
 * an empty line between planes.
 */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "cell.h"
#include "record.h"

struct table {
	struct cell_style style;
	struct record record;
	bool is_structured;
	int64_t row; /* elements in a line */
	int64_t plane; /* lines before an empty one; 0: there is none */
};

/* Free it, on failure too.  Returns TSL_OK; TSL_EMEMORY. */
enum tsl_status TSL_MUST_USE table_init(struct table *t,
					const struct tsl_array *a,
					const struct cell_style *style,
					struct tsl_error *err);
void table_free(struct table *t);

/* Writes elements of a table one behind the other, from any of them on. */
struct pen {
	const struct table *table;
	struct text_out *out;
	int64_t element, line; /* how many there have been, in the last */
};

/* pen_begin() is for the elements from number 'first' on. */
void pen_begin(struct pen *p, const struct table *t, struct text_out *out,
	       int64_t first);

/*
 * pen_put() writes the next n elements, and in front of each what divides it
 * from the one before.
 */
void pen_put(struct pen *p, const char *bytes, int64_t n);

/* pen_put_names() writes the line of names of a structured type. */
void pen_put_names(struct pen *p);

#endif /* CLI_TABLE_H */
