/*
 * difference.c - what two arrays differ in, as lines for people or as JSON
 *
 * A line that tells of an element is ended when the next one comes, or all have
 * been counted.
 */
#include "difference.h"

#include "cli/report/message.h"
#include "lib/base/minmax.h"
#include "lib/base/shape.h"
#include "lib/base/utf8.h"
#include "run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- words --------------------------------------------------------------- */

static void
put_bytes(struct text_out *out, const char *s, size_t n)
{
	while (n > 0) {
		size_t some = n < TEXT_OUT_MAX ? n : TEXT_OUT_MAX;
		char *to = text_out_room(out, some);

		memcpy(to, s, some);
		text_out_upto(out, to + some);
		s += some;
		n -= some;
	}
}

static void
put(struct text_out *out, const char *s)
{
	put_bytes(out, s, strlen(s));
}

static void
put_number(struct text_out *out, int64_t n)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRId64, n);
	put(out, text);
}

/* Bytes that are no UTF-8 are replaced, and what is unsafe has a number. */
static void
put_json_string(struct text_out *out, const char *s, size_t len)
{
	char text[16];

	text_out_char(out, '"');
	for (size_t i = 0; i < len;) {
		size_t start = i;
		uint32_t c = tsl_utf8_next(s, len, &i);

		if (c == UINT32_MAX)
			c = 0xFFFD;
		if (c == '"' || c == '\\')
			snprintf(text, sizeof(text), "\\%c", (char)c);
		else if (npyio_utf8_is_safe(c) && c != 0xFFFD)
			snprintf(text, sizeof(text), "%.*s", (int)(i - start),
				 s + start);
		else if (c < 0x10000)
			snprintf(text, sizeof(text), "\\u%04x", (unsigned)c);
		else
			snprintf(text, sizeof(text), "\\u%04x\\u%04x",
				 (unsigned)(0xD7C0 + (c >> 10)),
				 (unsigned)(0xDC00 | (c & 0x3FF)));
		put(out, text);
	}
	text_out_char(out, '"');
}

static void
put_dtype(struct difference *d, const struct tsl_dtype *dtype)
{
	int len;
	const char *name = tsl_dtype_name(dtype, &len);

	if (d->json)
		put_json_string(&d->out, name, (size_t)len);
	else
		put_bytes(&d->out, name, (size_t)len);
}

static void
put_shape(struct difference *d, const struct tsl_array *a)
{
	struct tsl_shape shape = tsl_shape_of(a);
	char text[TSL_SHAPE_TEXT];

	if (!d->json) {
		tsl_shape_format(&shape, text);
		put(&d->out, text);
		return;
	}
	text_out_char(&d->out, '[');
	for (int i = 0; i < a->ndim; i++) {
		if (i > 0)
			text_out_char(&d->out, ',');
		put_number(&d->out, a->dim[i]);
	}
	text_out_char(&d->out, ']');
}

/* "a.npy b.npy differ: ", or the beginning of the object. */
static void
put_names(struct difference *d, const char *kind)
{
	char *text = NULL;
	size_t n;
	FILE *f;

	if (d->json) {
		put(&d->out, "{\"a\":");
		put_json_string(&d->out, d->name[0], strlen(d->name[0]));
		put(&d->out, ",\"b\":");
		put_json_string(&d->out, d->name[1], strlen(d->name[1]));
		put(&d->out, ",\"differ\":\"");
		put(&d->out, kind);
		put(&d->out, "\",");
		return;
	}
	f = open_memstream(&text, &n);
	if (f) {
		message_escape(f, d->name[0], false);
		putc(' ', f);
		message_escape(f, d->name[1], false);
	}
	if (f && fclose(f) == 0)
		put(&d->out, text);
	else
		d->out.status = tsl_no_memory(d->out.err);
	free(text);
	put(&d->out, " differ: ");
}

/* ---- shapes and dtypes --------------------------------------------------- */

static bool
have_same_shape(const struct tsl_array *a, const struct tsl_array *b)
{
	struct tsl_shape shape[2] = { tsl_shape_of(a), tsl_shape_of(b) };

	return tsl_shape_equals(&shape[0], &shape[1]);
}

bool
difference_is_of_kinds(const struct tsl_array *a, const struct tsl_array *b)
{
	return !have_same_shape(a, b) || !tsl_dtype_equal(&a->dtype, &b->dtype);
}

void
difference_kinds(struct difference *d, const struct tsl_array *a,
		 const struct tsl_array *b)
{
	bool shapes = !have_same_shape(a, b);
	const char *kind = shapes ? "shape" : "dtype";

	put_names(d, kind);
	put(&d->out, d->json ? "\"" : "");
	put(&d->out, kind);
	put(&d->out, d->json ? "\":[" : " ");
	for (int i = 0; i < 2; i++) {
		const struct tsl_array *array = i == 0 ? a : b;

		if (i > 0)
			put(&d->out, d->json ? "," : " and ");
		if (shapes)
			put_shape(d, array);
		else
			put_dtype(d, &array->dtype);
	}
	put(&d->out, d->json ? "]}\n" : "\n");
}

/* ---- elements ------------------------------------------------------------ */

static void
put_index(struct difference *d, int64_t number)
{
	const struct tsl_array *a = d->array;
	int64_t index[TSL_MAX_DIMS];

	for (int i = a->ndim - 1; i >= 0; i--) {
		index[i] = number % a->dim[i];
		number /= a->dim[i];
	}
	text_out_char(&d->out, '[');
	for (int i = 0; i < a->ndim; i++) {
		if (i > 0)
			put(&d->out, d->json ? "," : ", ");
		put_number(&d->out, index[i]);
	}
	text_out_char(&d->out, ']');
}

/* Numbers are numbers where JSON has them, all else is as it is printed. */
static void
put_json_value(struct difference *d)
{
	const char *s = d->value.bytes;
	size_t n = d->value.len;
	char kind = tsl_dtype_number_kind(&d->array->dtype);
	bool is_finite = n > 0 && s[n - 1] >= '0' && s[n - 1] <= '9';

	if (kind == 'b')
		put(&d->out, n == 1 && *s == '0' ? "false" : "true");
	else if (is_finite && (kind == 'i' || kind == 'u' || kind == 'f'))
		put_bytes(&d->out, s, n);
	else
		put_json_string(&d->out, s, n);
}

static void
put_value(struct difference *d, const char *bytes)
{
	struct pen pen;

	if (!d->json) {
		pen_begin(&pen, &d->table, &d->out, 0);
		pen_put(&pen, bytes, 1);
		return;
	}
	d->value.len = 0;
	pen_begin(&pen, &d->table, &d->value, 0);
	pen_put(&pen, bytes, 1);
	if (d->value.status)
		d->out.status = d->value.status;
	else
		put_json_value(d);
}

enum tsl_status
difference_found(void *difference, int64_t number, const char *a, const char *b,
		 struct tsl_error *err)
{
	struct difference *d = difference;

	d->out.err = d->value.err = err;
	if (!d->json && d->listed > 0)
		text_out_char(&d->out, '\n');
	if (!d->json || d->listed == 0)
		put_names(d, "elements");
	if (d->json)
		put(&d->out, d->listed > 0 ? "," : "\"places\":[");
	if (d->json)
		put(&d->out, "{\"index\":");
	put_index(d, number);
	put(&d->out, d->json ? ",\"values\":[" : " ");
	put_value(d, a);
	put(&d->out, d->json ? "," : " and ");
	put_value(d, b);
	if (d->json)
		put(&d->out, "]}");
	d->listed++;
	return d->out.status;
}

void
difference_total(struct difference *d, int64_t count)
{
	int64_t more = count - d->listed;

	if (d->listed == 0)
		return;
	put(&d->out, d->json ? "],\"count\":" : more > 0 ? ", and " : ", of ");
	if (d->json || more > 0)
		put_number(&d->out, d->json ? count : more);
	if (d->json || more > 0)
		put(&d->out, d->json ? ",\"size\":" : " more of ");
	put_number(&d->out, tsl_array_count(d->array));
	put(&d->out, d->json ? "}\n" : "\n");
}

/* ---- where it goes ------------------------------------------------------- */

enum tsl_status
difference_open(struct difference *d, const struct common_options *co,
		const struct inputs *inputs, const char *const names[2],
		struct tsl_error *err)
{
	const struct cell_style style = {
		.form = PRINT_PLAIN,
		.separator = ' ',
		.precision = -1,
		/* A line stays one; JSON has escapes of its own. */
		.is_safe = !co->json,
	};
	enum tsl_status status;

	*d = (struct difference){ .json = co->json,
				  .name = { names[0], names[1] },
				  .array = inputs_array(inputs, 0) };
	status = run_open(&d->writer, co, err);
	if (!status)
		status = run_check_output(d->writer, inputs, err);
	if (!status)
		status = text_out_init(&d->out, d->writer, err);
	if (!status)
		status = text_out_init(&d->value, NULL, err);
	if (status)
		return status;
	return table_init(&d->table, d->array, &style, err);
}

enum tsl_status
difference_close(struct difference *d, enum tsl_status status,
		 struct tsl_error *err)
{
	d->out.err = err;
	if (!status)
		text_out_flush(&d->out);
	if (!status)
		status = d->out.status;
	table_free(&d->table);
	text_out_close(&d->value);
	text_out_close(&d->out);
	return d->writer ? npyio_writer_end(d->writer, status, err) : status;
}
