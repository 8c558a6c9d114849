/*
 * record.c - an element of any type as a tree of its parts
 */
#include "record.h"

#include "lib/base/integer.h"
#include "lib/base/minmax.h"
#include "lib/base/overflow.h"
#include "npyio/format/literal.h"
#include "print_options.h"

#include <stdlib.h>
#include <string.h>

#define MAX_WITHOUT_BYTES 1000000

/* ---- taking a type apart ------------------------------------------------- */

/*
 * A type's text is known to be well formed, and what the reader has read: here
 * only memory can be wanting.
 */
struct parser {
	struct record *r;
	struct npyio_literal lit;
	bool alone;
	int precision;
	enum tsl_minifloat number; /* which its text does not tell */
	bool failed;
};

static void
next(struct parser *p)
{
	if (npyio_literal_next(&p->lit, NULL))
		p->failed = true;
}

/* Takes a sign, if it stands there. */
static bool
take(struct parser *p, char sign)
{
	if (p->failed || !npyio_literal_is(&p->lit, sign))
		return false;
	next(p);
	return !p->failed;
}

static int
add_part(struct parser *p)
{
	struct record *r = p->r;

	if (r->n == r->cap) {
		int cap = r->cap ? 2 * r->cap : 4;
		struct part *part =
			realloc(r->part, (size_t)cap * sizeof(*part));

		if (!part) {
			p->failed = true;
			return 0;
		}
		r->part = part;
		r->cap = cap;
	}
	r->part[r->n] = (struct part){ .count = 1, .dim = r->ndims };
	return r->n++;
}

static void
add_dim(struct parser *p, struct part *part, int64_t size)
{
	struct record *r = p->r;

	if (r->ndims == r->dims_cap) {
		size_t cap = r->dims_cap ? 2 * r->dims_cap : 8;
		int64_t *dims = realloc(r->dims, cap * sizeof(*dims));

		if (!dims) {
			p->failed = true;
			return;
		}
		r->dims = dims;
		r->dims_cap = cap;
	}
	r->dims[r->ndims++] = size;
	part->ndim++;
	/* Of elements without bytes there may be any number. */
	if (!tsl_mul(part->count, size, &part->count))
		part->count = INT64_MAX;
}

/* The sizes that were added last go in front of the n before them. */
static void
to_front(struct record *r, const struct part *part, int n)
{
	int64_t *dims = r->dims + part->dim;

	for (int i = n; i < part->ndim; i++) {
		int64_t size = dims[i];

		memmove(dims + i - n + 1, dims + i - n,
			(size_t)n * sizeof(*dims));
		dims[i - n] = size;
	}
}

/* (2, 3), which goes around what is there already. */
static void
parse_shape(struct parser *p, int i)
{
	struct part *part = &p->r->part[i];
	int n = part->ndim;

	if (n == 0)
		part->dim = p->r->ndims;
	take(p, '(');
	while (!p->failed && !npyio_literal_is(&p->lit, ')')) {
		add_dim(p, part, p->lit.value);
		next(p);
		take(p, ',');
	}
	take(p, ')');
	if (!p->failed)
		to_front(p->r, part, n);
}

/* '<f4', '<U3', '<M8[ns]' */
static void
parse_plain(struct parser *p, struct part *part)
{
	const char *s = p->lit.string.s;
	size_t len = p->lit.string.len;
	size_t digits = 2 + strspn(s + 2, "0123456789");
	struct tsl_dtype dtype = { .kind = s[1],
				   .order = s[0],
				   .number = p->number };
	enum element_place place = ELEMENT_IN_ARRAY;

	(void)!tsl_parse_int64(s + 2, digits - 2, &dtype.size);
	dtype.size *= dtype.kind == 'U' ? 4 : 1;
	part->size = dtype.size;
	if (p->alone && part == p->r->part)
		place = ELEMENT_ALONE;
	else if (p->alone)
		place = ELEMENT_IN_RECORD;
	element_format_init(&part->format, &dtype, datetime_step(s, len), place,
			    p->precision);
	next(p);
}

/* A name, or the second of a pair, of which the first is a title. */
static void
parse_name(struct parser *p, int i)
{
	bool has_title = take(p, '(');

	if (has_title) {
		next(p);
		take(p, ',');
	}
	if (p->failed)
		return;
	p->r->part[i].name = p->r->names.len;
	npyio_text_add(&p->r->names, p->lit.string.s, p->lit.string.len + 1);
	next(p);
	if (has_title)
		take(p, ')');
}

/*
 * NumPy takes for padding what has no name and no fields; a list of such a name
 * is a field.
 */
static bool
is_padding(const struct record *r, const struct part *part)
{
	return r->names.s && !r->names.s[part->name] &&
	       (part->ndim > 0 ||
		(!part->is_record && part->format.dtype.kind == 'V'));
}

static void parse_type(struct parser *p, int i);

static void
parse_field(struct parser *p, int record)
{
	struct record *r = p->r;
	int i = add_part(p);
	struct part *part;
	int64_t offset;

	take(p, '(');
	if (p->failed)
		return;
	parse_name(p, i);
	take(p, ',');
	if (!p->failed)
		parse_type(p, i);
	if (take(p, ',') && npyio_literal_is(&p->lit, '('))
		parse_shape(p, i);
	take(p, ')');
	if (p->failed)
		return;
	part = &r->part[i];
	offset = r->part[record].size;
	part->offset = offset;
	r->part[record].size += part->size * part->count;
	if (is_padding(r, part))
		r->n = i;
}

static void
parse_type(struct parser *p, int i)
{
	if (take(p, '(')) {
		parse_type(p, i);
		take(p, ',');
		parse_shape(p, i);
		take(p, ')');
	} else if (take(p, '[')) {
		p->r->part[i].is_record = true;
		while (!p->failed && !npyio_literal_is(&p->lit, ']')) {
			parse_field(p, i);
			take(p, ',');
		}
		take(p, ']');
	} else if (!p->failed) {
		parse_plain(p, &p->r->part[i]);
	}
	p->r->part[i].end = p->r->n;
}

/* What is in an array, in an element that is alone, is known only now. */
static void
place_arrays(struct record *r)
{
	for (int i = 0; i < r->n; i++)
		for (int k = i; r->part[i].ndim > 0 && k < r->part[i].end; k++)
			r->part[k].format.place = ELEMENT_IN_RECORD_ARRAY;
}

enum tsl_status
record_init(struct record *r, const struct tsl_dtype *dtype, bool alone,
	    int precision, struct tsl_error *err)
{
	struct parser p = { .r = r,
			    .alone = alone,
			    .precision = precision,
			    .number = dtype->number };

	*r = (struct record){ .n = 0 };
	p.lit = (struct npyio_literal){ .text = dtype->descr,
					.len = strlen(dtype->descr),
					.version = 3 };
	next(&p);
	add_part(&p);
	if (!p.failed)
		parse_type(&p, 0);
	if (!p.failed && alone)
		place_arrays(r);
	npyio_text_free(&p.lit.string);
	if (p.failed || !npyio_text_ok(&r->names))
		return tsl_no_memory(err);
	return TSL_OK;
}

void
record_free(struct record *r)
{
	free(r->part);
	free(r->dims);
	npyio_text_free(&r->names);
	*r = (struct record){ .n = 0 };
}

/* ---- looking at elements ------------------------------------------------- */

static void
measure(struct record *r, int i, int pass, const char *bytes)
{
	struct part *part = &r->part[i];
	/* Where there are no bytes all are alike. */
	int64_t count = part->size > 0 ? part->count : part->count > 0;

	for (int64_t n = 0; n < count; n++, bytes += part->size) {
		if (!part->is_record)
			element_measure(&part->format, pass, bytes);
		for (int k = i + 1; k < part->end; k = r->part[k].end)
			measure(r, k, pass, bytes + r->part[k].offset);
	}
}

void
record_measure(struct record *r, int pass, const char *bytes)
{
	measure(r, 0, pass, bytes);
}

/* ---- writing ------------------------------------------------------------- */

static void write_part(const struct record *r, int i, const char *bytes,
		       struct npyio_text *out);

/* A tuple, as Python writes it. */
static void
write_fields(const struct record *r, int i, const char *bytes,
	     struct npyio_text *out)
{
	const struct part *part = &r->part[i];
	int n = 0;

	npyio_text_puts(out, "(");
	for (int k = i + 1; k < part->end; k = r->part[k].end) {
		npyio_text_puts(out, n++ > 0 ? ", " : "");
		write_part(r, k, bytes + r->part[k].offset, out);
	}
	npyio_text_puts(out, n == 1 ? ",)" : ")");
}

static void
write_one(const struct record *r, int i, const char *bytes,
	  struct npyio_text *out)
{
	if (r->part[i].is_record)
		write_fields(r, i, bytes, out);
	else
		element_write(&r->part[i].format, bytes, out);
}

static bool
is_cut(const struct record *r, const struct part *part, int axis)
{
	return !r->unabridged && part->count > PRINT_THRESHOLD &&
	       r->dims[part->dim + (size_t)axis] > 2 * PRINT_EDGE_ITEMS;
}

/* Axis 'axis' of an array, and those behind it, 'nbytes' long. */
static void
write_axis(const struct record *r, int i, int axis, const char *bytes,
	   int64_t nbytes, struct npyio_text *out)
{
	const struct part *part = &r->part[i];
	int64_t n, edge;

	if (axis == part->ndim) {
		write_one(r, i, bytes, out);
		return;
	}
	n = r->dims[part->dim + (size_t)axis];
	nbytes = n > 0 ? nbytes / n : 0;
	edge = is_cut(r, part, axis) ? PRINT_EDGE_ITEMS : INT64_MAX;
	npyio_text_puts(out, "[");
	for (int64_t k = 0; k < n && npyio_text_ok(out); k++) {
		if (k == edge) {
			npyio_text_puts(out, ", ...");
			k = n - edge;
		}
		npyio_text_puts(out, k > 0 ? ", " : "");
		write_axis(r, i, axis + 1, bytes + k * nbytes, nbytes, out);
	}
	npyio_text_puts(out, "]");
}

static void
write_part(const struct record *r, int i, const char *bytes,
	   struct npyio_text *out)
{
	const struct part *part = &r->part[i];

	write_axis(r, i, 0, bytes, part->size * part->count, out);
}

void
record_write(const struct record *r, const char *bytes, struct npyio_text *out)
{
	write_part(r, 0, bytes, out);
}

static int64_t
shown(const struct record *r, int i)
{
	const struct part *part = &r->part[i];
	int64_t n = !part->is_record;

	for (int k = i + 1; k < part->end; k = r->part[k].end)
		if (!tsl_add(n, shown(r, k), &n))
			return INT64_MAX;
	for (int k = 0; k < part->ndim; k++)
		if (!tsl_mul(n,
			     is_cut(r, part, k)
				     ? 2 * PRINT_EDGE_ITEMS
				     : r->dims[part->dim + (size_t)k],
			     &n))
			return INT64_MAX;
	return n;
}

int64_t
record_shown(const struct record *r)
{
	return tsl_max(shown(r, 0), 1);
}

bool
record_has_end(const struct record *r, int64_t count)
{
	int64_t size = r->part[0].size;
	int64_t n = record_shown(r);

	/* Others have a byte at least. */
	return n <= MAX_WITHOUT_BYTES + size &&
	       (size > 0 || (tsl_mul(n, count, &n) && n <= MAX_WITHOUT_BYTES));
}
