/*
 * schema.c - what a text is made into: a type, and the columns that it takes
 */
#include "schema.h"

#include "cli/print/print_options.h"
#include "cli/print/record.h"
#include "lib/base/dtype_order.h"
#include "npyio/format/descr.h"
#include "npyio/format/type_names.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* More is no table that anybody has; an array in a field may ask for it. */
#define MAX_COLUMNS (1 << 20)

#define MAX_SHOWN 80 /* bytes of a type, in a message */

static enum tsl_status
refuse(const char *text, const char *why, struct tsl_error *err)
{
	bool quoted = *text == '\'';

	return tsl_fail(err, TSL_ESYNTAX, "%s%.*s%s is no type to parse%s%s",
			quoted ? "" : "'", MAX_SHOWN, text, quoted ? "" : "'",
			*why ? ": " : "", why);
}

/* ---- the type ------------------------------------------------------------ */

/* As it stands in a header: a name in quotes, or a list as it is. */
static void
write_literal(struct npyio_text *t, const char *text)
{
	if (*text == '[') {
		npyio_text_puts(t, text);
		return;
	}
	npyio_text_puts(t, "'");
	npyio_type_code(t, text, strlen(text));
	npyio_text_puts(t, "'");
}

/* A literal of one type, and nothing behind it. */
static enum tsl_status
read_literal(struct schema *f, const struct npyio_text *literal,
	     struct npyio_text *descr, struct tsl_error *err)
{
	struct npyio_literal lit = { .text = literal->s,
				     .len = literal->len,
				     .version = 3 };
	enum tsl_status status = npyio_literal_next(&lit, err);

	if (!status)
		status = npyio_descr_parse(&lit, &f->dtype, descr, err);
	if (!status && lit.token != NPYIO_TOKEN_END)
		status = tsl_fail(err, TSL_ESYNTAX,
				  "something follows the type");
	npyio_text_free(&lit.string);
	return status;
}

/* 'text' is for the message. */
static enum tsl_status
set_type(struct schema *f, const struct npyio_text *literal, const char *text,
	 struct tsl_error *err)
{
	struct npyio_text descr = { 0 };
	struct tsl_error why;
	enum tsl_status status = TSL_EMEMORY;

	if (npyio_text_ok(literal))
		status = read_literal(f, literal, &descr, &why);
	if (status == TSL_EMEMORY || !npyio_text_ok(&descr))
		status = tsl_no_memory(err);
	else if (status)
		status = refuse(text, why.msg, err);
	if (status) {
		npyio_text_free(&descr);
		return status;
	}
	free(f->descr);
	f->descr = descr.s;
	f->dtype.descr = f->descr;
	if (f->order)
		tsl_dtype_set_order(&f->dtype, f->descr, f->order);
	return TSL_OK;
}

/* ---- the columns --------------------------------------------------------- */

static enum tsl_status
add_column(struct schema *f, const struct part *part, int64_t offset,
	   struct tsl_error *err)
{
	const struct element_format *e = &part->format;
	struct column *column = f->column;

	/* There is room for a power of two. */
	if ((f->ncolumns & (f->ncolumns - 1)) == 0)
		column = realloc(column,
				 (size_t)(f->ncolumns ? 2 * f->ncolumns : 1) *
					 sizeof(*column));
	if (!column)
		return tsl_no_memory(err);
	f->column = column;
	column[f->ncolumns++] = (struct column){ .dtype = e->dtype,
						 .step = e->step,
						 .offset = offset };
	f->has_text |= e->dtype.kind == 'S' || e->dtype.kind == 'U';
	return TSL_OK;
}

/* What no text is parsed to, or NULL. */
static const char *
reason_against(const struct element_format *e)
{
	if (e->dtype.kind == 'V')
		return "raw bytes have no text";
	if ((e->dtype.kind == 'M' || e->dtype.kind == 'm') &&
	    e->step.unit == TIME_GENERIC)
		return "a time needs its unit, as in M8[s]";
	return NULL;
}

/* A part with all that it is made of, in the order of the cells of a row. */
static enum tsl_status
add_part(struct schema *f, const struct record *r, int i, int64_t base,
	 struct tsl_error *err)
{
	const struct part *part = &r->part[i];
	const char *why =
		part->is_record ? NULL : reason_against(&part->format);
	enum tsl_status status = TSL_OK;

	if (why)
		return refuse(f->descr, why, err);
	for (int64_t n = 0; n < part->count && !status; n++) {
		int64_t at = base + n * part->size;

		if (f->ncolumns > MAX_COLUMNS)
			return refuse(f->descr, "it has too many columns", err);
		if (!part->is_record)
			status = add_column(f, part, at, err);
		for (int k = i + 1; k < part->end && !status;
		     k = r->part[k].end)
			status = add_part(f, r, k, at + r->part[k].offset, err);
	}
	return status;
}

static enum tsl_status
set_columns(struct schema *f, struct tsl_error *err)
{
	struct record r;
	enum tsl_status status =
		record_init(&r, &f->dtype, false, PRINT_PRECISION, err);

	f->ncolumns = 0;
	f->has_text = false;
	if (!status) {
		f->is_record = r.part[0].is_record;
		status = add_part(f, &r, 0, 0, err);
	}
	record_free(&r);
	if (!status && (f->ncolumns == 0 || f->dtype.size == 0))
		status = refuse(f->descr, "it has no bytes", err);
	return status;
}

/* ---- the schema ---------------------------------------------------------- */

static enum tsl_status
set(struct schema *f, const char *text, struct tsl_error *err)
{
	struct npyio_text literal = { 0 };
	enum tsl_status status;

	write_literal(&literal, text);
	status = set_type(f, &literal, text, err);
	npyio_text_free(&literal);
	return status ? status : set_columns(f, err);
}

/* 'S' or 'U' without a width, with or without a byte order; else 0. */
static char
kind_of_any_width(const char *text)
{
	if (strcmp(text, "str") == 0)
		return 'U';
	if (strcmp(text, "bytes") == 0)
		return 'S';
	text += *text && strchr("<>=|", *text) ? 1 : 0;
	return (*text == 'S' || *text == 'U') && !text[1] ? *text : '\0';
}

enum tsl_status
schema_init(struct schema *f, const char *text, char order,
	    struct tsl_error *err)
{
	char wide[4];

	*f = (struct schema){ .order = order, .is_guess = !text };
	if (!text)
		return set(f, "i8", err);
	if (!kind_of_any_width(text))
		return set(f, text, err);
	f->is_widest = true;
	wide[0] = *text == '<' || *text == '>' ? *text : '=';
	wide[1] = kind_of_any_width(text);
	wide[2] = '1';
	wide[3] = '\0';
	return set(f, wide, err);
}

void
schema_free(struct schema *f)
{
	free(f->column);
	free(f->descr);
}

enum tsl_status
schema_be_float(struct schema *f, struct tsl_error *err)
{
	f->is_guess = false;
	return set(f, "f8", err);
}

enum tsl_status
schema_set_width(struct schema *f, int64_t width, struct tsl_error *err)
{
	char text[32] = { f->dtype.order, f->dtype.kind };
	size_t at = sizeof(text) - 1, n;

	/* As NumPy: there are no strings of no width. */
	f->is_widest = false;
	if (width == 0)
		width = 1;
	if (width > INT_MAX / 4)
		return tsl_fail(err, TSL_ETOO_LARGE,
				"a cell is longer than an element can be");
	for (; width > 0; width /= 10)
		text[--at] = (char)('0' + width % 10);
	n = strlen(text + at);
	memmove(text + 2, text + at, n);
	text[2 + n] = '\0';
	return set(f, text, err);
}
