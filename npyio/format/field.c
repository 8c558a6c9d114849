/*
 * field.c - a field of a structured type, by its name
 *
 * A type's text is gone through token by token, as often as names are looked
 * for.  It is npyio's own, and so known to be well formed: only memory can be
 * wanting.
 */
#include "field.h"

#include "lib/base/integer.h"
#include "literal.h"

#include <stdlib.h>
#include <string.h>

/* Of the names that there are, in a message. */
#define MAX_LISTED 120

/* A type within the text, and the shape of an array of it. */
struct type {
	size_t start, end; /* of its text */
	bool is_record;
	int64_t size; /* of one */
	int ndim;
	int64_t dim[TSL_MAX_DIMS];
	bool too_many; /* dims */
};

struct parser {
	struct npyio_literal lit;
	enum tsl_status status;
	int depth; /* of lists of fields */
	/* Fields of the outermost list: which is looked for, or to be listed.
	 */
	const char *name;
	size_t len;
	bool found;
	struct type type; /* of the one that was */
	int64_t offset;
	struct npyio_text *names; /* NULL: they are not listed */
};

/* ---- tokens -------------------------------------------------------------- */

static void
next(struct parser *p)
{
	if (!p->status)
		p->status = npyio_literal_next(&p->lit, NULL);
}

static bool
is(const struct parser *p, char sign)
{
	return !p->status && npyio_literal_is(&p->lit, sign);
}

/* Takes a sign, if it stands there. */
static bool
take(struct parser *p, char sign)
{
	bool stands = is(p, sign);

	if (stands)
		next(p);
	return stands;
}

/* ---- types --------------------------------------------------------------- */

static int64_t
count_of(const struct type *type)
{
	int64_t n = 1;

	for (int i = 0; i < type->ndim; i++)
		n *= type->dim[i];
	return n;
}

/* '<f4', '<U3', '<M8[ns]' */
static void
parse_plain(struct parser *p, struct type *type)
{
	const char *s = p->lit.string.s;
	size_t digits = strspn(s + 2, "0123456789");

	(void)!tsl_parse_int64(s + 2, digits, &type->size);
	type->size *= s[1] == 'U' ? 4 : 1;
	next(p);
}

/* (2, 3), which goes around what there is already. */
static void
parse_shape(struct parser *p, struct type *type)
{
	int64_t dim[TSL_MAX_DIMS];
	int n = 0;

	take(p, '(');
	while (!p->status && !is(p, ')')) {
		if (n + type->ndim < TSL_MAX_DIMS)
			dim[n++] = p->lit.value;
		else
			type->too_many = true;
		next(p);
		take(p, ',');
	}
	take(p, ')');
	memmove(type->dim + n, type->dim,
		(size_t)type->ndim * sizeof(type->dim[0]));
	memcpy(type->dim, dim, (size_t)n * sizeof(dim[0]));
	type->ndim += n;
}

static void parse_fields(struct parser *p, struct type *type);

static void
parse_type(struct parser *p, struct type *type)
{
	if (take(p, '(')) {
		parse_type(p, type);
		take(p, ',');
		parse_shape(p, type);
		take(p, ')');
		return;
	}
	type->start = p->lit.start;
	type->is_record = is(p, '[');
	if (type->is_record)
		parse_fields(p, type);
	else if (!p->status)
		parse_plain(p, type);
	/* The current token is the one behind it: a comma or a bracket. */
	type->end = p->lit.start;
}

/* ---- fields -------------------------------------------------------------- */

/* Whether a name or title, the current token, is the one that is looked for. */
static bool
is_wanted(const struct parser *p)
{
	const struct npyio_text *s = &p->lit.string;

	return p->name && p->depth == 1 && s->len == p->len &&
	       memcmp(s->s, p->name, p->len) == 0;
}

static void
list_name(const struct parser *p)
{
	struct npyio_text *names = p->names;

	if (!names || p->depth > 1 || names->len > MAX_LISTED)
		return;
	npyio_text_puts(names, names->len > 0 ? ", " : "");
	npyio_literal_repr(names, p->lit.string.s, p->lit.string.len);
}

/* name, or (title, name); returns whether it is wanted. */
static bool
parse_names(struct parser *p, bool *is_empty)
{
	bool has_title = take(p, '(');
	bool wanted = false;

	if (has_title && !p->status) {
		wanted = is_wanted(p);
		next(p);
		take(p, ',');
	}
	if (p->status)
		return false;
	wanted |= is_wanted(p);
	*is_empty = p->lit.string.len == 0;
	if (!*is_empty)
		list_name(p);
	next(p);
	if (has_title)
		take(p, ')');
	return wanted;
}

/* Of no name, an array or a void: what lies between fields. */
static bool
is_padding(const struct parser *p, const struct type *type)
{
	return type->ndim > 0 ||
	       (!type->is_record && p->lit.text[type->start + 2] == 'V');
}

static void
parse_field(struct parser *p, int64_t *offset)
{
	struct type type = { .ndim = 0 };
	bool is_empty = false;
	bool wanted;

	take(p, '(');
	wanted = parse_names(p, &is_empty);
	take(p, ',');
	parse_type(p, &type);
	if (take(p, ',') && is(p, '('))
		parse_shape(p, &type);
	take(p, ')');
	if (p->status)
		return;
	if (wanted && !p->found && !(is_empty && is_padding(p, &type))) {
		p->found = true;
		p->type = type;
		p->offset = *offset;
	}
	*offset += type.size * count_of(&type);
}

static void
parse_fields(struct parser *p, struct type *type)
{
	p->depth++;
	take(p, '[');
	while (!p->status && !is(p, ']')) {
		parse_field(p, &type->size);
		take(p, ',');
	}
	take(p, ']');
	p->depth--;
}

/* Goes through the list of fields that is text[0, len). */
static enum tsl_status
go_through(struct parser *p, const char *text, size_t len)
{
	struct type type = { .ndim = 0 };

	p->lit = (struct npyio_literal){ .text = text,
					 .len = len,
					 .version = 3 };
	p->found = false;
	next(p);
	if (is(p, '['))
		parse_type(p, &type);
	npyio_text_free(&p->lit.string);
	return p->status;
}

/* ---- a field ------------------------------------------------------------- */

static enum tsl_status
no_field(const char *text, size_t len, const char *name, struct tsl_error *err)
{
	struct npyio_text names = { 0 };
	struct parser p = { .names = &names };
	enum tsl_status status = go_through(&p, text, len);

	if (status || !npyio_text_ok(&names))
		status = tsl_no_memory(err);
	else if (text[0] != '[')
		status = tsl_fail(err, TSL_ENO_FIELD,
				  "there is no field '%.60s': the elements, "
				  "%.*s, have no fields",
				  name, len > 40 ? 40 : (int)len, text);
	else
		status = tsl_fail(
			err, TSL_ENO_FIELD,
			"there is no field '%.60s': there %s %.140s", name,
			strchr(names.s ? names.s : "", ',') ? "are" : "is",
			names.len > 0 ? names.s : "none");
	npyio_text_free(&names);
	return status;
}

/* The longest beginning of 'name', up to a dot, that is a field's name. */
static enum tsl_status
find_longest(struct parser *p, const char *text, size_t len, const char *name)
{
	enum tsl_status status;

	p->name = name;
	p->len = strlen(name);
	for (;;) {
		status = go_through(p, text, len);
		if (status || p->found)
			return status;
		do {
			if (p->len == 0)
				return TSL_OK;
			p->len--;
		} while (name[p->len] != '.');
	}
}

/* Goes into the type that was found: where in it elements are. */
static enum tsl_status
add(struct tsl_field *f, const struct parser *p, struct tsl_error *err)
{
	const struct type *type = &p->type;
	int64_t stride = type->size;

	if (type->too_many || f->ndim + type->ndim > TSL_MAX_DIMS)
		return tsl_fail(err, TSL_ERANK_LIMIT,
				"a field of more than %d dimensions",
				TSL_MAX_DIMS);
	f->offset += p->offset;
	for (int i = type->ndim - 1; i >= 0; i--) {
		f->dim[f->ndim + i] = type->dim[i];
		f->stride[f->ndim + i] = stride;
		stride *= type->dim[i];
	}
	f->ndim += type->ndim;
	f->dtype.size = type->size;
	return TSL_OK;
}

static enum tsl_status
copy_dtype(struct tsl_field *f, char **descr_new, const char *text, size_t len,
	   struct tsl_error *err)
{
	char *descr = malloc(len + 1);

	if (!descr)
		return tsl_no_memory(err);
	memcpy(descr, text, len);
	descr[len] = '\0';
	f->dtype.kind = 'V';
	f->dtype.order = '|';
	if (descr[0] == '\'') {
		f->dtype.order = descr[1];
		f->dtype.kind = descr[2];
	}
	f->dtype.descr = *descr_new = descr;
	return TSL_OK;
}

enum tsl_status
npyio_field_find(struct tsl_field *field, char **descr_new,
		 const struct tsl_dtype *records, const char *name,
		 struct tsl_error *err)
{
	const char *text = records->descr;
	size_t len = strlen(text);
	const char *left = name;
	struct parser p = { .depth = 0 };
	enum tsl_status status;

	*descr_new = NULL;
	*field = (struct tsl_field){ .records = *records };
	do {
		status = find_longest(&p, text, len, left);
		if (status)
			return tsl_no_memory(err);
		if (!p.found)
			return no_field(text, len, left, err);
		status = add(field, &p, err);
		if (status)
			return status;
		text += p.type.start;
		len = p.type.end - p.type.start;
		left += p.len;
	} while (*left++ == '.');
	return copy_dtype(field, descr_new, text, len, err);
}
