/*
 * encoding_json.h - an encoding as a JSON object, both ways
 */
#ifndef CLI_ENCODING_JSON_H
#define CLI_ENCODING_JSON_H

#include "cli/report/json.h"
#include "lib/spec/encode.h"
#include "vectors.h"

/*
 * json_write_encoding() writes the vectors and masks as one object and a
 * newline, with "input" and "output" in it unless these are NULL.
 *
 * Returns TSL_OK; TSL_EMEMORY; TSL_EIO, without a library for JSON.
 */
enum tsl_status TSL_MUST_USE json_write_encoding(
	FILE *out, const struct tsl_encoding *e, const struct json_array *input,
	const struct json_array *output, struct tsl_error *err);

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

#endif /* CLI_ENCODING_JSON_H */
