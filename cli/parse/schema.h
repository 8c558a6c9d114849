/*
 * schema.h - what a text is made into: a type, and the columns that it takes
 */
#ifndef CLI_PARSE_SCHEMA_H
#define CLI_PARSE_SCHEMA_H

#include "cli/print/datetime.h"
#include "lib/base/dtype.h"
#include "lib/base/status.h"

/* A plain element. */
struct column {
	struct tsl_dtype dtype; /* descr: NULL */
	struct time_step step; /* of kinds M and m */
	int64_t offset; /* bytes, in an element of the schema */
};

struct schema {
	struct tsl_dtype dtype; /* of an element */
	char *descr; /* its */
	char order; /* '<' or '>', of all of it; '\0': as its text says */
	bool is_record; /* a row is an element; else each cell is */
	bool is_guess; /* nobody said: int64, as long as all numbers are one */
	bool is_widest; /* S or U, as wide as the widest cell */
	bool has_text; /* S or U anywhere */
	struct column *column;
	int64_t ncolumns; /* 1 unless it is a record */
};

/*
 * schema_init() reads a type as NumPy writes it: f4, <i2, bool, float64, S8, U,
 * M8[ns] or a list of fields; NULL: none was said.  'order' is a byte order,
 * '<' or '>', that is to be instead of the text's; or '\0'.  Free it, on
 * failure too.
 *
 * Returns TSL_OK; TSL_ESYNTAX, also for types that no text is parsed to;
 * TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE schema_init(struct schema *f, const char *text,
					 char order, struct tsl_error *err);
void schema_free(struct schema *f);

/* schema_be_float() is for a guess that was wrong. */
enum tsl_status TSL_MUST_USE schema_be_float(struct schema *f,
					     struct tsl_error *err);

/* schema_set_width() is for the widest: bytes of an S, characters of a U. */
enum tsl_status TSL_MUST_USE schema_set_width(struct schema *f, int64_t width,
					      struct tsl_error *err);

#endif /* CLI_PARSE_SCHEMA_H */
