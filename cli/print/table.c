/*
 * table.c - an array's elements as lines of cells
 */
#include "table.h"

#include "lib/base/minmax.h"

/*
 * A structured element is a line; of one axis a table has one column.
 */
enum tsl_status
table_init(struct table *t, const struct tsl_array *a,
	   const struct cell_style *style, struct tsl_error *err)
{
	bool is_plain = style->form == PRINT_PLAIN;
	enum tsl_status status;

	*t = (struct table){ .style = *style, .row = 1 };
	status =
		record_init(&t->record, &a->dtype, false, PRINT_PRECISION, err);
	t->record.unabridged = true;
	if (status)
		return status;
	t->is_structured = t->record.part[0].is_record;
	if (t->is_structured)
		return TSL_OK;
	if (a->ndim > (is_plain ? 0 : 1))
		t->row = a->dim[a->ndim - 1];
	if (is_plain && a->ndim > 2)
		t->plane = a->dim[a->ndim - 2];
	return TSL_OK;
}

void
table_free(struct table *t)
{
	record_free(&t->record);
}

/* ---- elements ------------------------------------------------------------ */

void
pen_begin(struct pen *p, const struct table *t, struct text_out *out,
	  int64_t first)
{
	*p = (struct pen){ .table = t, .out = out };
	if (first == 0)
		return;
	p->element = (first - 1) % t->row + 1;
	if (t->plane > 0)
		p->line = (first - 1) / t->row % t->plane;
}

static void put_part(struct pen *p, int i, const char *bytes, bool *first);

/* One of a part, which may be an array of them. */
static void
put_one(struct pen *p, int i, const char *bytes, bool *first)
{
	const struct table *t = p->table;
	const struct part *part = &t->record.part[i];

	if (!part->is_record) {
		if (!*first)
			text_out_char(p->out, t->style.separator);
		*first = false;
		cell_write(&t->style, &part->format, bytes, 1, p->out);
	}
	for (int k = i + 1; k < part->end; k = t->record.part[k].end)
		put_part(p, k, bytes + t->record.part[k].offset, first);
}

static void
put_part(struct pen *p, int i, const char *bytes, bool *first)
{
	const struct part *part = &p->table->record.part[i];

	for (int64_t n = 0; n < part->count && !p->out->status; n++)
		put_one(p, i, bytes + n * part->size, first);
}

/* What stands before an element is known when there is one. */
static void
begin_element(struct pen *p)
{
	const struct table *t = p->table;

	if (p->element == t->row) {
		text_out_char(p->out, '\n');
		p->element = 0;
		if (++p->line == t->plane) {
			text_out_char(p->out, '\n');
			p->line = 0;
		}
	} else if (p->element > 0) {
		text_out_char(p->out, t->style.separator);
	}
}

/* Of n elements those up to the next empty line. */
static int64_t
count_in_plane(const struct pen *p, int64_t n)
{
	const struct table *t = p->table;

	if (t->plane == 0)
		return n;
	return tsl_min(n, (t->plane - p->line) * t->row - p->element);
}

/* Writes as many of n elements as it can at once; returns how many. */
static int64_t
put_some(struct pen *p, const char *bytes, int64_t n)
{
	const struct table *t = p->table;
	const struct part *part = &t->record.part[0];
	bool first = true;

	begin_element(p);
	n = t->is_structured ? 1 : count_in_plane(p, n);
	if (t->is_structured)
		put_part(p, 0, bytes, &first);
	else
		cell_write_rows(&t->style, &part->format, bytes, n, t->row,
				p->element, p->out);
	p->line += (p->element + n - 1) / t->row;
	p->element = (p->element + n - 1) % t->row + 1;
	return n;
}

void
pen_put(struct pen *p, const char *bytes, int64_t n)
{
	int64_t size = p->table->record.part[0].size;

	for (int64_t i = 0; i < n && !p->out->status;)
		i += put_some(p, bytes + i * size, n - i);
}

/* ---- the line of names --------------------------------------------------- */

static void name_part(struct pen *p, int i, struct npyio_text *name,
		      bool *first);

static void
name_one(struct pen *p, int i, struct npyio_text *name, bool *first)
{
	const struct part *part = &p->table->record.part[i];
	size_t len = name->len;

	if (!part->is_record) {
		if (!*first)
			text_out_char(p->out, p->table->style.separator);
		*first = false;
		cell_write_name(&p->table->style, name->s ? name->s : "",
				name->len, p->out);
	}
	for (int k = i + 1; k < part->end; k = p->table->record.part[k].end) {
		if (i > 0)
			npyio_text_puts(name, ".");
		npyio_text_puts(name, p->table->record.names.s +
					      p->table->record.part[k].name);
		name_part(p, k, name, first);
		npyio_text_cut(name, len);
	}
}

/* v[0], v[1], ... */
static void
name_axis(struct pen *p, int i, int axis, struct npyio_text *name, bool *first)
{
	const struct part *part = &p->table->record.part[i];
	size_t len = name->len;

	if (axis == part->ndim) {
		name_one(p, i, name, first);
		return;
	}
	for (int64_t k = 0;
	     k < p->table->record.dims[part->dim + (size_t)axis] &&
	     !p->out->status;
	     k++) {
		npyio_text_printf(name, "[%lld]", (long long)k);
		name_axis(p, i, axis + 1, name, first);
		npyio_text_cut(name, len);
	}
}

static void
name_part(struct pen *p, int i, struct npyio_text *name, bool *first)
{
	name_axis(p, i, 0, name, first);
}

void
pen_put_names(struct pen *p)
{
	struct npyio_text name = { 0 };
	bool first = true;

	name_part(p, 0, &name, &first);
	text_out_char(p->out, '\n');
	if (!npyio_text_ok(&name) && !p->out->status)
		p->out->status = tsl_no_memory(p->out->err);
	npyio_text_free(&name);
}
