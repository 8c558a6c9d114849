/*
 * json_table.h - an array as nested lists in JSON
 */
#ifndef CLI_JSON_TABLE_H
#define CLI_JSON_TABLE_H

#include "json_cell.h"
#include "record.h"

struct json_table {
	struct cell_style style;
	struct record record;
	int ndim;
	int64_t dim[TSL_MAX_DIMS];
	int64_t block[TSL_MAX_DIMS]; /* elements in the last axes: 1, 2, ... */
	int64_t count; /* elements in all */
};

/* Free it, on failure too.  Returns TSL_OK; TSL_EMEMORY. */
enum tsl_status TSL_MUST_USE json_table_init(struct json_table *t,
					     const struct tsl_array *a,
					     const struct cell_style *style,
					     struct tsl_error *err);
void json_table_free(struct json_table *t);

/* json_table_has_end() is false for more lists than anybody would read. */
bool json_table_has_end(const struct json_table *t);

/*
 * json_table_put() writes n elements, from number 'first' on, and in front of
 * each what divides it from the one before; json_table_end() what is behind
 * the last, or, where there is none, all there is.
 */
void json_table_put(const struct json_table *t, int64_t first,
		    const char *bytes, int64_t n, struct text_out *out);
void json_table_end(const struct json_table *t, struct text_out *out);

#endif /* CLI_JSON_TABLE_H */
