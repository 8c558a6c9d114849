/*
 * json.c - JSON text to a tree, with every number as it was written
 */
#include "json.h"

#include "json_syntax.h"
#include "npyio/library/cjson.h"
#include "text.h"

static const struct npyio_cjson *lib;

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

static enum tsl_status
parse_marked(struct npyio_json *json, const struct npyio_text *marked,
	     struct tsl_error *err)
{
	if (!npyio_text_ok(marked))
		return tsl_no_memory(err);
	/* With the NUL at its end: nothing but blanks may follow the value. */
	json->root = lib->ParseWithLengthOpts(marked->s ? marked->s : "",
					      marked->len + 1, NULL, true);
	return json->root || npyio_cjson_is_whole() ? TSL_OK
						    : tsl_no_memory(err);
}

enum tsl_status
npyio_json_parse(struct npyio_json *json, const char *text, size_t len,
		 struct tsl_error *err)
{
	struct npyio_text marked = { 0 };
	enum tsl_status status;

	json->root = NULL;
	if (!npyio_json_is_valid(text, len))
		return TSL_OK;
	status = npyio_cjson_begin(&lib, err);
	if (status)
		return status;
	mark(&marked, text, len);
	status = parse_marked(json, &marked, err);
	npyio_text_free(&marked);
	return status;
}

void
npyio_json_free(struct npyio_json *json)
{
	if (json->root)
		lib->Delete(json->root);
	json->root = NULL;
}

bool
npyio_json_is_array(const cJSON *item)
{
	return lib->IsArray(item);
}

bool
npyio_json_is_object(const cJSON *item)
{
	return lib->IsObject(item);
}

const char *
npyio_json_key(const cJSON *item)
{
	return item->string + 1; /* behind its mark */
}

const char *
npyio_json_number(const cJSON *item)
{
	const char *s = lib->GetStringValue(item);

	return s && s[0] == 'n' ? s + 1 : NULL;
}
