/*
 * json.c - JSON for other programs: errors, shapes, values
 */
#include "json.h"

#include "lib/base/utf8.h"
#include "npyio/format/text.h"
#include "npyio/library/cjson.h"

#include <string.h>

static const struct npyio_cjson *lib;

enum tsl_status
json_begin(cJSON **object_new, struct tsl_error *err)
{
	enum tsl_status status = npyio_cjson_begin(&lib, err);

	*object_new = status ? NULL : lib->CreateObject();
	return status;
}

/* What no terminal should see stands in a string: it can be given by number. */
static void
write_safely(FILE *out, const char *text)
{
	size_t len = strlen(text);

	for (size_t i = 0; i < len;) {
		size_t start = i;
		uint32_t c = tsl_utf8_next(text, len, &i);

		if (npyio_utf8_is_safe(c) || c > 0x10FFFF)
			fwrite(text + start, 1, i - start, out);
		else if (c < 0x10000)
			fprintf(out, "\\u%04x", (unsigned)c);
		else
			fprintf(out, "\\u%04x\\u%04x",
				(unsigned)(0xD7C0 + (c >> 10)),
				(unsigned)(0xDC00 | (c & 0x3FF)));
	}
	fputc('\n', out);
}

/* Prints 'object' on a line of its own and frees it. */
enum tsl_status
json_print(FILE *out, cJSON *object, struct tsl_error *err)
{
	char *text = object ? lib->PrintUnformatted(object) : NULL;
	bool whole = text && npyio_cjson_is_whole();

	lib->Delete(object);
	if (whole)
		write_safely(out, text);
	lib->free(text);
	return whole ? TSL_OK : tsl_no_memory(err);
}

static void
add_string(cJSON *object, const char *name, const struct npyio_text *text)
{
	if (!npyio_text_ok(text))
		npyio_cjson_spoil();
	lib->AddStringToObject(object, name, text->s ? text->s : "");
}

void
json_add_int(cJSON *object, const char *name, int64_t value)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%lld", (long long)value);
	lib->AddRawToObject(object, name, digits);
}

void
json_add_ints(cJSON *object, const char *name, const int64_t *values, int n)
{
	cJSON *list = lib->AddArrayToObject(object, name);

	for (int i = 0; i < n; i++) {
		char digits[24];

		snprintf(digits, sizeof(digits), "%lld", (long long)values[i]);
		lib->AddItemToArray(list, lib->CreateRaw(digits));
	}
}

bool
json_write_error(FILE *out, enum tsl_status code, const char *message,
		 int column, int length)
{
	cJSON *object, *error;

	if (npyio_cjson_begin(&lib, NULL))
		return false;
	object = lib->CreateObject();
	error = lib->AddObjectToObject(object, "error");
	json_add_int(error, "status", tsl_status_exit(code));
	lib->AddStringToObject(error, "kind", tsl_status_kind(code));
	lib->AddStringToObject(error, "message", message);
	if (column > 0) {
		json_add_int(error, "column", column);
		json_add_int(error, "length", length);
	}
	/* Without memory even for this, its kind at least is said. */
	if (json_print(out, object, NULL))
		fprintf(out, "{\"error\":{\"status\":%d,\"kind\":\"%s\"}}\n",
			tsl_status_exit(code), tsl_status_kind(code));
	return true;
}

static void
add_dtype(cJSON *object, const struct tsl_dtype *dtype)
{
	struct npyio_text text = { 0 };
	int len;
	const char *name = tsl_dtype_name(dtype, &len);

	npyio_text_add(&text, name, (size_t)len);
	add_string(object, "dtype", &text);
	npyio_text_free(&text);
}

static void
add_dims(cJSON *object, const struct tsl_shape *shape)
{
	if (shape->ndim == TSL_UNKNOWN)
		lib->AddNullToObject(object, "shape");
	else
		json_add_ints(object, "shape", shape->dim, shape->ndim);
}

/* dtype, order and size, null where there is no array. */
static void
add_facts(cJSON *object, const struct tsl_array *array)
{
	if (!array) {
		lib->AddNullToObject(object, "dtype");
		lib->AddNullToObject(object, "fortran_order");
		lib->AddNullToObject(object, "nbytes");
		return;
	}
	add_dtype(object, &array->dtype);
	lib->AddBoolToObject(object, "fortran_order", array->fortran_order);
	json_add_int(object, "nbytes", tsl_array_nbytes(array));
}

void
json_add_array(cJSON *parent, const char *name, const struct json_array *a)
{
	cJSON *object = lib->AddObjectToObject(parent, name);

	add_dims(object, a->shape);
	add_facts(object, a->array);
}

/* A name may be any bytes; JSON is UTF-8. */
static void
add_name(cJSON *object, const char *name)
{
	struct npyio_text text = { 0 };
	size_t len = strlen(name);

	for (size_t i = 0; i < len;) {
		uint32_t c = tsl_utf8_next(name, len, &i);

		npyio_text_utf8(&text, c == UINT32_MAX ? 0xFFFD : c);
	}
	add_string(object, "name", &text);
	npyio_text_free(&text);
}

enum tsl_status
json_write_shape(FILE *out, const struct json_shape *shape,
		 struct tsl_error *err)
{
	enum tsl_status status = npyio_cjson_begin(&lib, err);
	cJSON *object;

	if (status)
		return status;
	object = lib->CreateObject();
	if (shape->name)
		add_name(object, shape->name);
	add_dims(object, shape->shape);
	json_add_int(object, "ndim", shape->shape->ndim);
	json_add_int(object, "size", shape->size);
	add_facts(object, shape->array);
	if (shape->array)
		json_add_int(object, "data_offset", shape->data_offset);
	else
		lib->AddNullToObject(object, "data_offset");
	return json_print(out, object, err);
}

enum tsl_status
json_write_value(FILE *out, const char *name, const char *value,
		 struct tsl_error *err)
{
	enum tsl_status status = npyio_cjson_begin(&lib, err);
	cJSON *object;

	if (status)
		return status;
	object = name ? lib->CreateObject() : lib->CreateRaw(value);
	if (name) {
		add_name(object, name);
		lib->AddRawToObject(object, "value", value);
	}
	return json_print(out, object, err);
}
