/*
 * encoding_json.c - an encoding as a JSON object, both ways
 */
#include "encoding_json.h"

#include "lib/base/integer.h"
#include "npyio/format/json.h"
#include "npyio/format/json_syntax.h"
#include "npyio/format/text.h"
#include "vectors.h"

#include <string.h>

enum tsl_status
json_write_encoding(FILE *out, const struct tsl_encoding *e,
		    const struct json_array *input,
		    const struct json_array *output, struct tsl_error *err)
{
	cJSON *object;
	enum tsl_status status = json_begin(&object, err);

	if (status)
		return status;
	for (int i = 0; i < VECTORS_LISTS; i++)
		json_add_ints(object, vectors_list_names[i],
			      vectors_of(e, (enum vectors_list)i), e->nitems);
	for (int i = 0; i < VECTORS_MASKS; i++)
		json_add_int(object, vectors_mask_names[i],
			     (int32_t)vectors_mask_of(e, (enum vectors_mask)i));
	if (input)
		json_add_array(object, "input", input);
	if (output)
		json_add_array(object, "output", output);
	return json_print(out, object, err);
}

static enum tsl_status
read_list(struct vectors *v, enum vectors_list which, const cJSON *item,
	  struct tsl_error *err)
{
	struct npyio_text list = { 0 };
	enum tsl_status status = TSL_OK;
	const cJSON *element;

	npyio_text_puts(&list, "");
	if (!npyio_json_is_array(item))
		status = TSL_ESYNTAX;
	cJSON_ArrayForEach(element, item)
	{
		const char *number = npyio_json_number(element);

		if (!number)
			status = TSL_ESYNTAX;
		npyio_text_printf(&list, "%s%s", list.len ? "," : "",
				  number ? number : "");
	}
	if (status)
		tsl_fail(err, status, "%s is not a list of integers",
			 vectors_list_names[which]);
	else if (!npyio_text_ok(&list))
		status = tsl_no_memory(err);
	else
		status = vectors_set_list(v, which, list.s, err);
	npyio_text_free(&list);
	return status;
}

static enum tsl_status
read_mask(struct vectors *v, enum vectors_mask which, const cJSON *item,
	  struct tsl_error *err)
{
	const char *number = npyio_json_number(item);
	int64_t value;

	if (!number || tsl_parse_int64(number, strlen(number), &value))
		return tsl_fail(err, TSL_ESYNTAX, "%s is not an integer",
				vectors_mask_names[which]);
	return vectors_set_mask(v, which, number, err);
}

static int
find_name(const char *const names[], int n, const char *name)
{
	for (int i = 0; i < n; i++)
		if (strcmp(names[i], name) == 0)
			return i;
	return -1;
}

static enum tsl_status
read_entry(struct vectors *v, const cJSON *item, struct tsl_error *err)
{
	const char *key = npyio_json_key(item);
	int list = find_name(vectors_list_names, VECTORS_LISTS, key);
	int mask = find_name(vectors_mask_names, VECTORS_MASKS, key);

	if (list >= 0)
		return read_list(v, (enum vectors_list)list, item, err);
	if (mask >= 0)
		return read_mask(v, (enum vectors_mask)mask, item, err);
	if (strcmp(key, "input") == 0 || strcmp(key, "output") == 0)
		return TSL_OK;
	return tsl_fail(err, TSL_ESYNTAX, "unknown key '%.60s'", key);
}

static bool
has_twice(const cJSON *object, const cJSON *item)
{
	const cJSON *other;

	cJSON_ArrayForEach(other,
			   object) if (other != item &&
				       strcmp(other->string, item->string) ==
					       0) return true;
	return false;
}

static enum tsl_status
read_object(struct vectors *v, const cJSON *object, struct tsl_error *err)
{
	const cJSON *item;
	enum tsl_status status;
	int n = 0;

	if (!npyio_json_is_object(object))
		return tsl_fail(err, TSL_ESYNTAX,
				"the encoding is not a JSON object");
	cJSON_ArrayForEach(item, object)
	{
		/* More keys than there can be: do not compare them all. */
		if (++n > 16 || has_twice(object, item))
			return tsl_fail(err, TSL_ESYNTAX,
					"key '%.60s' is one too many",
					npyio_json_key(item));
		status = read_entry(v, item, err);
		if (status)
			return status;
	}
	if (v->length[VECTORS_BEGIN] < 0 || v->length[VECTORS_END] < 0)
		return tsl_fail(err, TSL_ESYNTAX, "the encoding has no '%s'",
				v->length[VECTORS_BEGIN] < 0 ? "begin" : "end");
	return TSL_OK;
}

enum tsl_status
json_read_vectors(struct vectors *v, const char *text, size_t len,
		  struct tsl_error *err)
{
	struct npyio_json json;
	enum tsl_status status = npyio_json_parse(&json, text, len, err);

	if (!status && json.root && npyio_json_has_nul(text, len))
		status = tsl_fail(err, TSL_ESYNTAX,
				  "a string of the encoding has a NUL");
	if (status) {
		npyio_json_free(&json);
		return status;
	}
	if (json.root)
		status = read_object(v, json.root, err);
	else
		status = tsl_fail(err, TSL_ESYNTAX, "the encoding is not JSON");
	npyio_json_free(&json);
	return status;
}
