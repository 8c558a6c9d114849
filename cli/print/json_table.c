/*
 * json_table.c - an array as nested lists in JSON
 */
#include "json_table.h"

#include "lib/base/minmax.h"
#include "lib/base/overflow.h"

#include <string.h>

#define MAX_EMPTY 1000000 /* lists without elements */

enum tsl_status
json_table_init(struct json_table *t, const struct tsl_array *a,
		const struct cell_style *style, struct tsl_error *err)
{
	enum tsl_status status;

	*t = (struct json_table){ .style = *style,
				  .ndim = a->ndim,
				  .count = tsl_array_count(a) };
	memcpy(t->dim, a->dim, sizeof(t->dim));
	/* Without elements nobody asks. */
	for (int i = 0; i < a->ndim && t->count > 0; i++)
		t->block[i] =
			a->dim[a->ndim - 1 - i] * (i > 0 ? t->block[i - 1] : 1);
	status =
		record_init(&t->record, &a->dtype, false, PRINT_PRECISION, err);
	t->record.unabridged = true;
	return status;
}

void
json_table_free(struct json_table *t)
{
	record_free(&t->record);
}

bool
json_table_has_end(const struct json_table *t)
{
	int64_t lists = 1;

	for (int i = 0; i < t->ndim && t->count == 0 && t->dim[i] > 0; i++)
		if (!tsl_mul(lists, t->dim[i], &lists) || lists > MAX_EMPTY)
			return false;
	return record_has_end(&t->record, t->count);
}

static void
put_times(char c, int n, struct text_out *out)
{
	while (n-- > 0)
		text_out_char(out, c);
}

/* ---- one element --------------------------------------------------------- */

static void put_part(const struct json_table *t, int i, const char *bytes,
		     struct text_out *out);

/* {"a":1,"b":[2,3]} */
static void
put_record(const struct json_table *t, int i, const char *bytes,
	   struct text_out *out)
{
	const struct record *r = &t->record;
	char before = '{';

	for (int k = i + 1; k < r->part[i].end; k = r->part[k].end) {
		const char *name = r->names.s + r->part[k].name;

		text_out_char(out, before);
		before = ',';
		json_cell_text(name, strlen(name), out);
		text_out_char(out, ':');
		put_part(t, k, bytes + r->part[k].offset, out);
	}
	if (before == '{')
		text_out_char(out, '{');
	text_out_char(out, '}');
}

static void
put_one(const struct json_table *t, int i, const char *bytes,
	struct text_out *out)
{
	const struct part *part = &t->record.part[i];

	if (part->is_record)
		put_record(t, i, bytes, out);
	else
		json_cell_write(&t->style, &part->format, bytes, 1, out);
}

/* An array in an element, from an axis of it on; moves behind it. */
static const char *
put_axis(const struct json_table *t, int i, int axis, const char *bytes,
	 struct text_out *out)
{
	const struct part *part = &t->record.part[i];
	int64_t n;

	if (axis == part->ndim) {
		put_one(t, i, bytes, out);
		return bytes + part->size;
	}
	n = t->record.dims[part->dim + (size_t)axis];
	text_out_char(out, '[');
	for (int64_t k = 0; k < n && !out->status; k++) {
		if (k > 0)
			text_out_char(out, ',');
		bytes = put_axis(t, i, axis + 1, bytes, out);
	}
	text_out_char(out, ']');
	return bytes;
}

static void
put_part(const struct json_table *t, int i, const char *bytes,
	 struct text_out *out)
{
	(void)put_axis(t, i, 0, bytes, out);
}

/* ---- all of them --------------------------------------------------------- */

/* How many lists begin with element 'at', which is not the first. */
static int
count_lists(const struct json_table *t, int64_t at)
{
	int n = 0;

	while (n < t->ndim && at % t->block[n] == 0)
		n++;
	return n;
}

static void
begin_element(const struct json_table *t, int64_t at, struct text_out *out)
{
	int n = at == 0 ? t->ndim : count_lists(t, at);

	if (at > 0) {
		put_times(']', n, out);
		text_out_char(out, ',');
	}
	put_times('[', n, out);
}

/* Up to the end of a list; returns how many. */
static int64_t
put_some(const struct json_table *t, int64_t first, const char *bytes,
	 int64_t n, struct text_out *out)
{
	const struct part *part = &t->record.part[0];
	int64_t row = t->ndim > 0 ? t->block[0] : 1;

	begin_element(t, first, out);
	if (part->is_record) {
		put_part(t, 0, bytes, out);
		return 1;
	}
	n = tsl_min(n, row - first % row);
	json_cell_write(&t->style, &part->format, bytes, n, out);
	return n;
}

void
json_table_put(const struct json_table *t, int64_t first, const char *bytes,
	       int64_t n, struct text_out *out)
{
	int64_t size = t->record.part[0].size;

	for (int64_t i = 0; i < n && !out->status;)
		i += put_some(t, first + i, bytes + i * size, n - i, out);
}

static void
put_empty(const struct json_table *t, int axis, struct text_out *out)
{
	text_out_char(out, '[');
	for (int64_t i = 0; i < t->dim[axis]; i++) {
		if (i > 0)
			text_out_char(out, ',');
		put_empty(t, axis + 1, out);
	}
	text_out_char(out, ']');
}

void
json_table_end(const struct json_table *t, struct text_out *out)
{
	if (t->count > 0)
		put_times(']', t->ndim, out);
	else
		put_empty(t, 0, out);
	text_out_char(out, '\n');
}
