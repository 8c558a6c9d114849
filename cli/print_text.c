/*
 * print_text.c - a result as a table of numbers and words, for other programs
 *
 * What the transfer would write to a file comes here instead, piece by piece,
 * and goes on as text.
 */
#include "print_text.h"

#include "cell.h"
#include "lib/base/minmax.h"
#include "record.h"

#include <string.h>
#include <unistd.h>

struct table {
	const struct tsl_array *a;
	struct record record;
	struct cell_style style;
	struct text_out out;
	int64_t row; /* elements in a line */
	int64_t plane; /* lines before an empty one; 0: there is none */
	int64_t element, line; /* how many there have been, in the last */
	struct npyio_text rest; /* of an element that has not come whole */
};

/* ---- elements ------------------------------------------------------------ */

static void put_part(struct table *t, int i, const char *bytes, bool *first);

/* One of a part, which may be an array of them. */
static void
put_one(struct table *t, int i, const char *bytes, bool *first)
{
	const struct part *part = &t->record.part[i];

	if (!part->is_record) {
		if (!*first)
			text_out_char(&t->out, t->style.separator);
		*first = false;
		cell_write(&t->style, &part->format, bytes, 1, &t->out);
	}
	for (int k = i + 1; k < part->end; k = t->record.part[k].end)
		put_part(t, k, bytes + t->record.part[k].offset, first);
}

static void
put_part(struct table *t, int i, const char *bytes, bool *first)
{
	const struct part *part = &t->record.part[i];

	for (int64_t n = 0; n < part->count && !t->out.status; n++)
		put_one(t, i, bytes + n * part->size, first);
}

/* What stands before an element is known when there is one. */
static void
begin_element(struct table *t)
{
	if (t->element == t->row) {
		text_out_char(&t->out, '\n');
		t->element = 0;
		if (++t->line == t->plane) {
			text_out_char(&t->out, '\n');
			t->line = 0;
		}
	} else if (t->element > 0) {
		text_out_char(&t->out, t->style.separator);
	}
}

/* Writes as many of n elements as go into the line; returns how many. */
static int64_t
put_some(struct table *t, const char *bytes, int64_t n)
{
	const struct part *part = &t->record.part[0];
	bool first = true;

	begin_element(t);
	n = part->is_record ? 1 : tsl_min(n, t->row - t->element);
	if (part->is_record)
		put_part(t, 0, bytes, &first);
	else
		cell_write(&t->style, &part->format, bytes, n, &t->out);
	t->element += n;
	return n;
}

/* Completes the element that has begun to come; returns what it took. */
static size_t
complete(struct table *t, const char *bytes, size_t n)
{
	size_t size = (size_t)t->a->dtype.size;

	if (n > size - t->rest.len)
		n = size - t->rest.len;
	npyio_text_add(&t->rest, bytes, n);
	if (t->rest.len == size) {
		put_some(t, t->rest.s, 1);
		npyio_text_cut(&t->rest, 0);
	}
	return n;
}

/* An npyio_sink. */
static enum tsl_status
take(void *table, const char *bytes, size_t n, struct tsl_error *err)
{
	struct table *t = table;
	size_t size = (size_t)t->a->dtype.size;

	t->out.err = err;
	while (n > 0 && !t->out.status) {
		size_t done;

		if (t->rest.len > 0 || n < size)
			done = complete(t, bytes, n);
		else
			done = size *
			       (size_t)put_some(t, bytes, (int64_t)(n / size));
		if (!npyio_text_ok(&t->rest))
			return tsl_fail(err, TSL_EMEMORY, "out of memory");
		bytes += done;
		n -= done;
	}
	return t->out.status;
}

/* ---- the line of names --------------------------------------------------- */

static void name_part(struct table *t, int i, struct npyio_text *name,
		      bool *first);

static void
name_one(struct table *t, int i, struct npyio_text *name, bool *first)
{
	const struct part *part = &t->record.part[i];
	size_t len = name->len;

	if (!part->is_record) {
		if (!*first)
			text_out_char(&t->out, t->style.separator);
		*first = false;
		cell_write_name(&t->style, name->s ? name->s : "", name->len,
				&t->out);
	}
	for (int k = i + 1; k < part->end; k = t->record.part[k].end) {
		if (i > 0)
			npyio_text_puts(name, ".");
		npyio_text_puts(name,
				t->record.names.s + t->record.part[k].name);
		name_part(t, k, name, first);
		npyio_text_cut(name, len);
	}
}

/* v[0], v[1], ... */
static void
name_axis(struct table *t, int i, int axis, struct npyio_text *name,
	  bool *first)
{
	const struct part *part = &t->record.part[i];
	size_t len = name->len;

	if (axis == part->ndim) {
		name_one(t, i, name, first);
		return;
	}
	for (int64_t k = 0;
	     k < t->record.dims[part->dim + (size_t)axis] && !t->out.status;
	     k++) {
		npyio_text_printf(name, "[%lld]", (long long)k);
		name_axis(t, i, axis + 1, name, first);
		npyio_text_cut(name, len);
	}
}

static void
name_part(struct table *t, int i, struct npyio_text *name, bool *first)
{
	name_axis(t, i, 0, name, first);
}

static void
put_names(struct table *t)
{
	struct npyio_text name = { 0 };
	bool first = true;

	name_part(t, 0, &name, &first);
	text_out_char(&t->out, '\n');
	if (!npyio_text_ok(&name) && !t->out.status)
		t->out.status =
			tsl_fail(t->out.err, TSL_EMEMORY, "out of memory");
	npyio_text_free(&name);
}

/* ---- all of it ----------------------------------------------------------- */

/* A structured element is a line; of one axis a table has one column. */
static void
lay_out(struct table *t)
{
	const struct tsl_array *a = t->a;
	bool is_plain = t->style.form == PRINT_PLAIN;
	bool is_record = t->record.part[0].is_record;

	t->row = t->plane = 1;
	if (!is_record && a->ndim > (is_plain ? 0 : 1))
		t->row = a->dim[a->ndim - 1];
	t->plane =
		is_plain && !is_record && a->ndim > 2 ? a->dim[a->ndim - 2] : 0;
}

static enum tsl_status
put_elements(struct table *t, const struct npyio_transfer *transfer,
	     struct tsl_error *err)
{
	struct npyio_transfer to_table = *transfer;
	int64_t count = tsl_array_count(t->a);
	enum tsl_status status = npyio_writer_open_sink(
		&to_table.out, transfer->out, take, t, err);

	if (status)
		return status;
	to_table.headless = true;
	status = npyio_transfer(&to_table, err);
	npyio_writer_abort(to_table.out);
	t->out.err = err;
	/* What has no bytes does not come. */
	for (int64_t i = 0; t->a->dtype.size == 0 && i < count; i++)
		put_some(t, "", 1);
	if (count > 0)
		text_out_char(&t->out, '\n');
	return status;
}

static enum tsl_status
put_table(struct table *t, const struct npyio_transfer *transfer,
	  struct tsl_error *err)
{
	enum tsl_status status;

	if (!record_has_end(&t->record, tsl_array_count(t->a)))
		return tsl_fail(err, TSL_ETOO_LARGE,
				"more elements without bytes than anybody "
				"would read");
	lay_out(t);
	if (t->record.part[0].is_record && t->style.form != PRINT_PLAIN)
		put_names(t);
	status = put_elements(t, transfer, err);
	if (!status)
		text_out_flush(&t->out);
	return status ? status : t->out.status;
}

enum tsl_status
print_text(const struct npyio_transfer *transfer, const struct print *how,
	   struct tsl_error *err)
{
	struct table t = {
		.a = &transfer->job->out,
		.style = {
			.form = how->form,
			.separator = how->form == PRINT_CSV   ? ','
				     : how->form == PRINT_TSV ? '\t'
							      : ' ',
			.precision = how->precision,
			.is_safe = isatty(
				npyio_writer_descriptor(transfer->out)),
		},
	};
	enum tsl_status status = text_out_init(&t.out, transfer->out, err);

	if (!status)
		status = record_init(&t.record, &t.a->dtype, false,
				     PRINT_PRECISION, err);
	t.record.whole = true;
	if (!status)
		status = put_table(&t, transfer, err);
	record_free(&t.record);
	npyio_text_free(&t.rest);
	text_out_close(&t.out);
	return status;
}
