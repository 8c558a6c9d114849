/*
 * json.c - JSON, both ways
 */
#include "json.h"

#include "lib/base/integer.h"
#include "lib/base/utf8.h"
#include "npyio/format/json_syntax.h"
#include "npyio/format/text.h"
#include "npyio/library/cjson.h"

#include <stdlib.h>
#include <string.h>

static const struct npyio_cjson *lib;

/* It goes on where an allocation fails: what it would add is missing. */
static bool out_of_memory;

static void *
allocate(size_t n)
{
	void *p = malloc(n);

	if (!p)
		out_of_memory = true;
	return p;
}

static enum tsl_status
begin(struct tsl_error *err)
{
	enum tsl_status status = npyio_cjson_load(&lib, err);

	if (!status)
		lib->InitHooks(&(cJSON_Hooks){ allocate, free });
	out_of_memory = false;
	return status;
}

/* ---- out ----------------------------------------------------------------- */

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
static enum tsl_status
print_line(FILE *out, cJSON *object, struct tsl_error *err)
{
	char *text = object ? lib->PrintUnformatted(object) : NULL;
	bool whole = text && !out_of_memory;

	lib->Delete(object);
	if (whole)
		write_safely(out, text);
	lib->free(text);
	return whole ? TSL_OK : tsl_fail(err, TSL_EMEMORY, "out of memory");
}

static void
add_string(cJSON *object, const char *name, const struct npyio_text *text)
{
	if (!npyio_text_ok(text))
		out_of_memory = true;
	lib->AddStringToObject(object, name, text->s ? text->s : "");
}

static void
add_int(cJSON *object, const char *name, int64_t value)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%lld", (long long)value);
	lib->AddRawToObject(object, name, digits);
}

static void
add_ints(cJSON *object, const char *name, const int64_t *values, int n)
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

	if (begin(NULL))
		return false;
	object = lib->CreateObject();
	error = lib->AddObjectToObject(object, "error");
	add_int(error, "status", tsl_status_exit(code));
	lib->AddStringToObject(error, "kind", tsl_status_kind(code));
	lib->AddStringToObject(error, "message", message);
	if (column > 0) {
		add_int(error, "column", column);
		add_int(error, "length", length);
	}
	/* Without memory even for this, its kind at least is said. */
	if (print_line(out, object, NULL))
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
		add_ints(object, "shape", shape->dim, shape->ndim);
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
	add_int(object, "nbytes", tsl_array_nbytes(array));
}

static void
add_array(cJSON *parent, const char *name, const struct json_array *a)
{
	cJSON *object = lib->AddObjectToObject(parent, name);

	add_dims(object, a->shape);
	add_facts(object, a->array);
}

enum tsl_status
json_write_encoding(FILE *out, const struct tsl_encoding *e,
		    const struct json_array *input,
		    const struct json_array *output, struct tsl_error *err)
{
	enum tsl_status status = begin(err);
	cJSON *object;

	if (status)
		return status;
	object = lib->CreateObject();
	for (int i = 0; i < VECTORS_LISTS; i++)
		add_ints(object, vectors_list_names[i],
			 vectors_of(e, (enum vectors_list)i), e->nitems);
	for (int i = 0; i < VECTORS_MASKS; i++)
		add_int(object, vectors_mask_names[i],
			(int32_t)vectors_mask_of(e, (enum vectors_mask)i));
	if (input)
		add_array(object, "input", input);
	if (output)
		add_array(object, "output", output);
	return print_line(out, object, err);
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
	enum tsl_status status = begin(err);
	cJSON *object;

	if (status)
		return status;
	object = lib->CreateObject();
	if (shape->name)
		add_name(object, shape->name);
	add_dims(object, shape->shape);
	add_int(object, "ndim", shape->shape->ndim);
	add_int(object, "size", shape->size);
	add_facts(object, shape->array);
	if (shape->array)
		add_int(object, "data_offset", shape->data_offset);
	else
		lib->AddNullToObject(object, "data_offset");
	return print_line(out, object, err);
}

enum tsl_status
json_write_value(FILE *out, const char *name, const char *value,
		 struct tsl_error *err)
{
	enum tsl_status status = begin(err);
	cJSON *object;

	if (status)
		return status;
	object = name ? lib->CreateObject() : lib->CreateRaw(value);
	if (name) {
		add_name(object, name);
		lib->AddRawToObject(object, "value", value);
	}
	return print_line(out, object, err);
}

/* ---- in ------------------------------------------------------------------ */

static bool
is_number_char(char c)
{
	return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' ||
	       c == 'e' || c == 'E';
}

/*
 * Copies JSON text with every number put in quotes.  A mark before the first
 * character of each string tells what it was: 's' a string, 'n' a number.
 */
static void
mark(struct npyio_text *out, const char *text, size_t len)
{
	bool in_string = false;

	for (size_t i = 0; i < len; i++) {
		size_t start = i;

		if (in_string && text[i] == '\\' && i + 1 < len) {
			npyio_text_add(out, text + i++, 2);
		} else if (text[i] == '"') {
			in_string = !in_string;
			npyio_text_puts(out, in_string ? "\"s" : "\"");
		} else if (!in_string && (text[i] == '-' ||
					  (text[i] >= '0' && text[i] <= '9'))) {
			while (i < len && is_number_char(text[i]))
				i++;
			npyio_text_puts(out, "\"n");
			npyio_text_add(out, text + start, i-- - start);
			npyio_text_puts(out, "\"");
		} else {
			npyio_text_add(out, text + i, 1);
		}
	}
}

/*
 * Whether a string of the JSON text has a NUL, at which a string of C, and so
 * a name, would end.  Of what is JSON only strings have backslashes.
 */
static bool
has_nul(const char *text, size_t len)
{
	static const char nul[] = "\\u0000";

	for (size_t i = 0; i + sizeof(nul) - 1 <= len; i++) {
		if (memcmp(text + i, nul, sizeof(nul) - 1) == 0)
			return true;
		/* What is behind it is no other backslash's. */
		if (text[i] == '\\')
			i++;
	}
	return false;
}

/* The text of a number, or NULL where 'item' is none. */
static const char *
number_of(const cJSON *item)
{
	const char *s = lib->GetStringValue(item);

	return s && s[0] == 'n' ? s + 1 : NULL;
}

static enum tsl_status
read_list(struct vectors *v, enum vectors_list which, const cJSON *item,
	  struct tsl_error *err)
{
	struct npyio_text list = { 0 };
	enum tsl_status status = TSL_OK;
	const cJSON *element;

	npyio_text_puts(&list, "");
	if (!lib->IsArray(item))
		status = TSL_ESYNTAX;
	cJSON_ArrayForEach(element, item)
	{
		const char *number = number_of(element);

		if (!number)
			status = TSL_ESYNTAX;
		npyio_text_printf(&list, "%s%s", list.len ? "," : "",
				  number ? number : "");
	}
	if (status)
		tsl_fail(err, status, "%s is not a list of integers",
			 vectors_list_names[which]);
	else if (!npyio_text_ok(&list))
		status = tsl_fail(err, TSL_EMEMORY, "out of memory");
	else
		status = vectors_set_list(v, which, list.s, err);
	npyio_text_free(&list);
	return status;
}

static enum tsl_status
read_mask(struct vectors *v, enum vectors_mask which, const cJSON *item,
	  struct tsl_error *err)
{
	const char *number = number_of(item);
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
	const char *key = item->string + 1; /* behind its mark */
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

	if (!lib->IsObject(object))
		return tsl_fail(err, TSL_ESYNTAX,
				"the encoding is not a JSON object");
	cJSON_ArrayForEach(item, object)
	{
		/* More keys than there can be: do not compare them all. */
		if (++n > 16 || has_twice(object, item))
			return tsl_fail(err, TSL_ESYNTAX,
					"key '%.60s' is one too many",
					item->string + 1);
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
	struct npyio_text marked = { 0 };
	enum tsl_status status;
	cJSON *object;

	if (!npyio_json_is_valid(text, len))
		return tsl_fail(err, TSL_ESYNTAX, "the encoding is not JSON");
	if (has_nul(text, len))
		return tsl_fail(err, TSL_ESYNTAX,
				"a string of the encoding has a NUL");
	status = begin(err);
	if (status)
		return status;
	mark(&marked, text, len);
	if (!npyio_text_ok(&marked)) {
		npyio_text_free(&marked);
		return tsl_fail(err, TSL_EMEMORY, "out of memory");
	}
	/* With the NUL at its end: nothing but blanks may follow the object. */
	object = lib->ParseWithLengthOpts(marked.s ? marked.s : "",
					  marked.len + 1, NULL, true);
	if (object)
		status = read_object(v, object, err);
	else if (out_of_memory)
		status = tsl_fail(err, TSL_EMEMORY, "out of memory");
	else
		status = tsl_fail(err, TSL_ESYNTAX, "the encoding is not JSON");
	lib->Delete(object);
	npyio_text_free(&marked);
	return status;
}
