/*
 * json.h - JSON, both ways
 *
 * cJSON's numbers are doubles.  Integers go out as raw text, and coming in
 * they are turned into strings before cJSON sees them, so that an int64 stays
 * exact over its whole range.
 */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include "cli/operand/vectors.h"
#include "lib/base/array.h"
#include "lib/base/shape.h"
#include "lib/spec/encode.h"

#include <stdbool.h>
#include <stdio.h>

/*
 * json_write_error() writes {"error":{...}} and a newline.  'column' counts
 * characters from 1; 0: no place is known.  False: there is no library for
 * JSON, and nothing was written.
 */
bool json_write_error(FILE *out, enum tsl_status code, const char *message,
		      int column, int length);

/* An input or output as an explanation shows it. */
struct json_array {
	const struct tsl_shape *shape;
	const struct tsl_array *array; /* NULL: only the shape is known */
};

/*
 * json_write_encoding() writes the vectors and masks as one object and a
 * newline, with "input" and "output" in it unless these are NULL.
 *
 * Returns, as all that follow, TSL_OK; TSL_EMEMORY; TSL_EIO, without a library
 * for JSON.
 */
enum tsl_status TSL_MUST_USE json_write_encoding(
	FILE *out, const struct tsl_encoding *e, const struct json_array *input,
	const struct json_array *output, struct tsl_error *err);

/* A shape and, if it is that of a file, what the header says besides. */
struct json_shape {
	const char *name; /* of the subject; NULL: not written */
	const struct tsl_shape *shape;
	int64_t size; /* elements, or TSL_UNKNOWN */
	const struct tsl_array *array; /* NULL: none */
	int64_t data_offset; /* bytes, if there is an array */
};

/* json_write_shape() writes a shape as one object and a newline. */
enum tsl_status TSL_MUST_USE json_write_shape(FILE *out,
					      const struct json_shape *shape,
					      struct tsl_error *err);

/*
 * json_write_value() writes a value, which is JSON already: bare, or where
 * there is a name as {"name":...,"value":...}.
 */
enum tsl_status TSL_MUST_USE json_write_value(FILE *out, const char *name,
					      const char *value,
					      struct tsl_error *err);

/*
 * json_read_vectors() reads such an object from text[0, len).  begin and end
 * must be there; other keys than those written are refused; "input" and
 * "output" are ignored.
 *
 * Returns, besides, TSL_ESYNTAX, TSL_EOVERFLOW.
 */
enum tsl_status TSL_MUST_USE json_read_vectors(struct vectors *v,
					       const char *text, size_t len,
					       struct tsl_error *err);

#endif /* CLI_JSON_H */
