/*
 * json.h - JSON for other programs: errors, shapes, values
 *
 * cJSON's numbers are doubles: integers go out as raw text, so that an int64
 * stays exact over its whole range.
 */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include "lib/base/array.h"
#include "lib/base/shape.h"

#include <stdbool.h>
#include <stdio.h>

/*
 * json_write_error() writes {"error":{...}} and a newline.  'column' counts
 * characters from 1; 0: no place is known.  False: there is no library for
 * JSON, and nothing was written.
 */
bool json_write_error(FILE *out, enum tsl_status code, const char *message,
		      int column, int length);

/*
 * For who writes an object of its own: json_begin() makes it, NULL where there
 * is no memory, which what is added to it bears; json_print() prints it on a
 * line and frees it.
 *
 * Return, as all that follow, TSL_OK; TSL_EMEMORY; TSL_EIO, without a library
 * for JSON.
 */
typedef struct cJSON cJSON;
enum tsl_status TSL_MUST_USE json_begin(cJSON **object_new,
					struct tsl_error *err);
enum tsl_status TSL_MUST_USE json_print(FILE *out, cJSON *object,
					struct tsl_error *err);
void json_add_int(cJSON *object, const char *name, int64_t value);
void json_add_ints(cJSON *object, const char *name, const int64_t *values,
		   int n);

/* An input or output as an explanation shows it. */
struct json_array {
	const struct tsl_shape *shape;
	const struct tsl_array *array; /* NULL: only the shape is known */
};
void json_add_array(cJSON *parent, const char *name,
		    const struct json_array *array);

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

#endif /* CLI_JSON_H */
