/*
 * json.h - JSON text to a tree, with every number as it was written
 *
 * cJSON makes the tree.  Its numbers are doubles: they are turned into strings
 * before it sees them, so that an int64 stays exact over its whole range.
 */
#ifndef NPYIO_JSON_H
#define NPYIO_JSON_H

#include "lib/base/status.h"

#include <cjson/cJSON.h> /* for cJSON_ArrayForEach() */

#include <stddef.h>

struct npyio_json {
	cJSON *root; /* NULL: the text is not JSON */
};

/*
 * npyio_json_parse() parses text[0, len), by the letter of RFC 8259; see
 * json_syntax.h.  Returns TSL_OK, also for what is no JSON; TSL_EMEMORY;
 * TSL_EIO, without a library for JSON.
 */
enum tsl_status TSL_MUST_USE npyio_json_parse(struct npyio_json *json,
					      const char *text, size_t len,
					      struct tsl_error *err);
void npyio_json_free(struct npyio_json *json);

bool npyio_json_is_array(const cJSON *item);
bool npyio_json_is_object(const cJSON *item);

/* The key of an object's item; the text of a number, or NULL. */
const char *npyio_json_key(const cJSON *item);
const char *npyio_json_number(const cJSON *item);

#endif /* NPYIO_JSON_H */
