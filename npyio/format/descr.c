/*
 * descr.c - the element type of an .npy header
 */
#include "descr.h"

#include "lib/base/integer.h"
#include "lib/base/overflow.h"
#include "type_names.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* NumPy keeps element sizes in an int. */
#define MAX_SIZE INT_MAX

/* Of the shape within a field; all that NumPy 1 can read. */
#define MAX_SUBSHAPE 32

/* Names seen in one list of fields: offsets into a text of all names. */
struct names {
	struct npyio_text bytes; /* each with its NUL */
	size_t *start;
	size_t n, cap;
};

struct descr {
	struct npyio_literal *lit;
	struct npyio_text *out;
	int depth;
	int nfields;
	struct tsl_error *err;
};

/* What a type in a list of fields comes to. */
struct type {
	size_t start; /* of its text, in the output */
	int64_t size;
	bool plain_void; /* no fields: padding, if it has no name */
	bool is_array; /* of another type: written "type, shape" */
};

static enum tsl_status parse_type(struct descr *d, struct type *type);

static enum tsl_status
bad_descr(const struct descr *d, const char *what)
{
	const struct npyio_text *s = &d->lit->string;

	return tsl_fail(d->err, TSL_EBAD_DESCR, "%s: '%.*s%s'", what,
			s->len > 40 ? 40 : (int)s->len, s->s,
			s->len > 40 ? "..." : "");
}

static enum tsl_status
next(struct descr *d)
{
	return npyio_literal_next(d->lit, d->err);
}

/* ---- one type string ---------------------------------------------------- */

static bool
size_is_known(char kind, int64_t size)
{
	switch (kind) {
	case 'b':
		return size == 1;
	case 'i':
	case 'u':
		return size == 1 || size == 2 || size == 4 || size == 8;
	case 'f':
		return size == 2 || size == 4 || size == 8 || size == 16;
	case 'c':
		return size == 8 || size == 16 || size == 32;
	case 'M':
	case 'm':
		return size == 8;
	default:
		return size >= 0;
	}
}

static bool
is_time_unit(const char *unit, size_t len)
{
	static const char *const units[] = { "Y",  "M",  "W",  "D",  "h",
					     "m",  "s",  "ms", "us", "ns",
					     "ps", "fs", "as" };

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strlen(units[i]) == len && memcmp(units[i], unit, len) == 0)
			return true;
	return false;
}

/* "[ns]" or "[25s]"; NumPy writes a multiple of 1 without it. */
static bool
parse_time_unit(const char *text, size_t len, struct npyio_text *out)
{
	int64_t multiple = 1;
	size_t digits = 0;

	if (len < 3 || text[0] != '[' || text[len - 1] != ']')
		return false;
	text++;
	len -= 2;
	while (digits < len && text[digits] >= '0' && text[digits] <= '9')
		digits++;
	if (digits > 0 && (tsl_parse_int64(text, digits, &multiple) ||
			   multiple < 1 || multiple > INT_MAX))
		return false;
	if (!is_time_unit(text + digits, len - digits))
		return false;
	npyio_text_puts(out, "[");
	if (multiple > 1)
		npyio_text_printf(out, "%lld", (long long)multiple);
	npyio_text_add(out, text + digits, len - digits);
	npyio_text_puts(out, "]");
	return true;
}

/* As NumPy marks it: '|' where an order means nothing, else '<' or '>'. */
static char
byte_order(char mark, char kind, int64_t number)
{
	if (kind == 'b' || kind == 'S' || kind == 'V' ||
	    ((kind == 'i' || kind == 'u') && number == 1))
		return '|';
	if (mark == '<' || mark == '>')
		return mark;
	return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '<' : '>';
}

/* [<>=|] kind number [unit], in s[0, len). */
static enum tsl_status
parse_type_string(struct descr *d, struct tsl_dtype *dtype)
{
	const char *s = d->lit->string.s;
	size_t len = d->lit->string.len;
	char mark = len > 0 && memchr("<>=|", s[0], 4) ? *s : '\0';
	size_t i = mark != '\0';
	size_t digits;
	int64_t number;
	char kind;

	if (i == len)
		return bad_descr(d, "not an element type");
	kind = s[i++];
	if (kind == 'O' || strcmp(s, "object") == 0)
		return tsl_fail(d->err, TSL_EOBJECT_DTYPE,
				"the array holds Python objects, which only "
				"Python can read");
	digits = i;
	while (i < len && s[i] >= '0' && s[i] <= '9')
		i++;
	if (!memchr("biufcSUVMm", kind, 10) ||
	    tsl_parse_int64(s + digits, i - digits, &number) ||
	    !size_is_known(kind, number))
		return bad_descr(d, "not an element type");
	dtype->kind = kind;
	dtype->order = byte_order(mark, kind, number);
	dtype->size = number;
	/* The number of a U counts characters of 4 bytes. */
	if (number > MAX_SIZE / (kind == 'U' ? 4 : 1))
		return bad_descr(d, "elements are larger than 2^31-1 bytes");
	if (kind == 'U')
		dtype->size *= 4;
	npyio_text_printf(d->out, "'%c%c%lld", dtype->order, kind,
			  (long long)number);
	if (i < len && ((kind != 'M' && kind != 'm') ||
			!parse_time_unit(s + i, len - i, d->out)))
		return bad_descr(d, "not an element type");
	npyio_text_puts(d->out, "'");
	return TSL_OK;
}

/* ---- lists of fields ----------------------------------------------------- */

static bool
add_name(struct names *names, const struct npyio_text *name)
{
	if (names->n == names->cap) {
		size_t cap = names->cap ? 2 * names->cap : 16;
		size_t *start = realloc(names->start, cap * sizeof(*start));

		if (!start)
			return false;
		names->start = start;
		names->cap = cap;
	}
	names->start[names->n++] = names->bytes.len;
	npyio_text_add(&names->bytes, name->s, name->len + 1);
	return npyio_text_ok(&names->bytes);
}

static int
compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorted, not pairwise: a hostile header may have 65536 of them. */
static enum tsl_status
check_names(struct descr *d, const struct names *names)
{
	const char **sorted;
	enum tsl_status status = TSL_OK;

	if (names->n < 2)
		return TSL_OK;
	sorted = malloc(names->n * sizeof(*sorted));
	if (!sorted)
		return tsl_no_memory(d->err);
	for (size_t i = 0; i < names->n; i++)
		sorted[i] = names->bytes.s + names->start[i];
	qsort(sorted, names->n, sizeof(*sorted), compare_names);
	for (size_t i = 1; i < names->n && !status; i++)
		if (strcmp(sorted[i - 1], sorted[i]) == 0)
			status = tsl_fail(d->err, TSL_EBAD_DESCR,
					  "two fields are named '%.60s'",
					  sorted[i]);
	free(sorted);
	return status;
}

/* A string, taken as a name and written to the output. */
static enum tsl_status
parse_name(struct descr *d, struct names *names)
{
	const struct npyio_text *s = &d->lit->string;

	if (d->lit->token != NPYIO_TOKEN_STRING)
		return npyio_literal_unexpected(d->lit, TSL_EBAD_DESCR,
						"a field's name", d->err);
	npyio_literal_repr(d->out, s->s, s->len);
	if (!add_name(names, s))
		return tsl_no_memory(d->err);
	return next(d);
}

/* name, or (title, name). */
static enum tsl_status
parse_names(struct descr *d, struct names *names)
{
	enum tsl_status status;

	if (!npyio_literal_is(d->lit, '('))
		return parse_name(d, names);
	npyio_text_puts(d->out, "(");
	status = next(d);
	if (!status)
		status = parse_name(d, names);
	npyio_text_puts(d->out, ", ");
	if (!status)
		status = npyio_literal_expect(d->lit, ',', d->err);
	if (!status)
		status = parse_name(d, names);
	npyio_text_puts(d->out, ")");
	if (!status)
		status = npyio_literal_expect(d->lit, ')', d->err);
	return status;
}

/* An array that is itself repeated is written as a pair, "(type, shape)". */
static void
enclose(struct npyio_text *out, size_t start)
{
	npyio_text_puts(out, "()");
	if (!npyio_text_ok(out))
		return;
	memmove(out->s + start + 1, out->s + start, out->len - start - 2);
	out->s[start] = '(';
}

/* The n-th size of a shape; of () nothing is written, as NumPy drops it. */
static void
write_size(struct descr *d, const struct type *type, int n, int64_t size)
{
	if (n == 0 && type->is_array)
		enclose(d->out, type->start);
	npyio_text_printf(d->out, n == 0 ? ", (%lld" : ", %lld",
			  (long long)size);
}

/* (2, 3) behind a type; multiplies the type's size. */
static enum tsl_status
parse_subshape(struct descr *d, struct type *type)
{
	struct npyio_literal *lit = d->lit;
	bool comma = true;
	int n = 0;
	enum tsl_status status = npyio_literal_expect(lit, '(', d->err);

	while (!status && !npyio_literal_is(lit, ')')) {
		if (!comma || lit->token != NPYIO_TOKEN_INT)
			return npyio_literal_unexpected(lit, TSL_EBAD_DESCR,
							"a tuple of sizes",
							d->err);
		if (!lit->fits || lit->value < 0 || n == MAX_SUBSHAPE ||
		    !tsl_mul(type->size, lit->value, &type->size) ||
		    type->size > MAX_SIZE)
			return tsl_fail(d->err, TSL_EBAD_DESCR,
					"a field's shape is too large");
		write_size(d, type, n++, lit->value);
		status = next(d);
		comma = !status && npyio_literal_is(lit, ',');
		if (comma)
			status = next(d);
	}
	if (status)
		return status;
	if (n == 1 && !comma)
		return npyio_literal_unexpected(lit, TSL_EBAD_DESCR, "','",
						d->err);
	if (n > 0) {
		npyio_text_puts(d->out, n == 1 ? ",)" : ")");
		type->is_array = true;
		type->plain_void = true; /* NumPy takes an array for a void */
	}
	return next(d);
}

/* The parts of a field: names, type and perhaps a shape. */
static enum tsl_status
parse_field_parts(struct descr *d, struct names *names, struct type *type)
{
	enum tsl_status status = parse_names(d, names);

	if (!status)
		status = npyio_literal_expect(d->lit, ',', d->err);
	npyio_text_puts(d->out, ", ");
	if (!status)
		status = parse_type(d, type);
	if (!status && npyio_literal_is(d->lit, ',')) {
		status = next(d);
		if (!status && npyio_literal_is(d->lit, '('))
			status = parse_subshape(d, type);
		if (!status && npyio_literal_is(d->lit, ','))
			status = next(d);
	}
	return status;
}

static void
write_padding(struct descr *d, int64_t *padding)
{
	if (*padding > 0)
		npyio_text_printf(d->out, "('', '|V%lld'), ",
				  (long long)*padding);
	*padding = 0;
}

/*
 * One field, written with ", " behind it.  A void without a name is padding:
 * what follows it decides where it is written, for NumPy writes what lies
 * between two fields as one.
 */
static enum tsl_status
parse_field(struct descr *d, struct names *names, int64_t *size,
	    int64_t *padding)
{
	char close = npyio_literal_is(d->lit, '[') ? ']' : ')';
	size_t nnames = names->n;
	size_t start = d->out->len;
	struct type type;
	enum tsl_status status;

	if (close == ')' && !npyio_literal_is(d->lit, '('))
		return npyio_literal_unexpected(d->lit, TSL_EBAD_DESCR,
						"a field", d->err);
	if (++d->nfields > NPYIO_MAX_FIELDS)
		return tsl_fail(d->err, TSL_EBAD_DESCR, "more than %d fields",
				NPYIO_MAX_FIELDS);
	write_padding(d, &(int64_t){ *padding });
	npyio_text_puts(d->out, "(");
	status = next(d);
	if (!status)
		status = parse_field_parts(d, names, &type);
	if (!status)
		status = npyio_literal_expect(d->lit, close, d->err);
	if (status)
		return status;
	npyio_text_puts(d->out, "), ");
	*size += type.size;
	if (*size > MAX_SIZE)
		return tsl_fail(d->err, TSL_EBAD_DESCR,
				"elements are larger than 2^31-1 bytes");
	if (type.plain_void && names->n == nnames + 1 &&
	    names->bytes.s[names->start[nnames]] == '\0') {
		names->n--;
		names->bytes.len--;
		npyio_text_cut(d->out, start);
		*padding += type.size;
	} else {
		*padding = 0;
	}
	return TSL_OK;
}

static enum tsl_status
parse_fields(struct descr *d, struct names *names, struct type *type)
{
	int64_t padding = 0;
	enum tsl_status status = next(d);

	npyio_text_puts(d->out, "[");
	while (!status && !npyio_literal_is(d->lit, ']')) {
		status = parse_field(d, names, &type->size, &padding);
		if (status)
			break;
		if (!npyio_literal_is(d->lit, ',')) {
			if (!npyio_literal_is(d->lit, ']'))
				status = npyio_literal_unexpected(
					d->lit, TSL_EBAD_HEADER, "',' or ']'",
					d->err);
			break;
		}
		status = next(d);
	}
	if (status)
		return status;
	write_padding(d, &padding);
	if (d->out->len >= 2 && d->out->s[d->out->len - 2] == ',')
		npyio_text_cut(d->out, d->out->len - 2);
	npyio_text_puts(d->out, "]");
	status = check_names(d, names);
	return status ? status : next(d);
}

static enum tsl_status
enter(struct descr *d)
{
	if (++d->depth > NPYIO_MAX_DEPTH)
		return tsl_fail(d->err, TSL_EBAD_DESCR,
				"types are nested deeper than %d",
				NPYIO_MAX_DEPTH);
	return TSL_OK;
}

static enum tsl_status
parse_struct(struct descr *d, struct type *type)
{
	struct names names = { .n = 0 };
	enum tsl_status status = enter(d);

	if (!status)
		status = parse_fields(d, &names, type);
	d->depth--;
	npyio_text_free(&names.bytes);
	free(names.start);
	return status;
}

/* (type, shape): an array within each element of an array. */
static enum tsl_status
parse_pair(struct descr *d, struct type *type)
{
	enum tsl_status status = enter(d);

	if (!status)
		status = next(d);
	if (!status)
		status = parse_type(d, type);
	if (!status)
		status = npyio_literal_expect(d->lit, ',', d->err);
	if (!status)
		status = parse_subshape(d, type);
	if (!status && npyio_literal_is(d->lit, ','))
		status = next(d);
	if (!status)
		status = npyio_literal_expect(d->lit, ')', d->err);
	d->depth--;
	return status;
}

static enum tsl_status
parse_type(struct descr *d, struct type *type)
{
	struct tsl_dtype dtype;
	enum tsl_status status;

	*type = (struct type){ .start = d->out->len };
	if (npyio_literal_is(d->lit, '['))
		return parse_struct(d, type);
	if (npyio_literal_is(d->lit, '('))
		return parse_pair(d, type);
	if (d->lit->token != NPYIO_TOKEN_STRING)
		return npyio_literal_unexpected(d->lit, TSL_EBAD_DESCR,
						"an element type", d->err);
	status = parse_type_string(d, &dtype);
	if (status)
		return status;
	type->size = dtype.size;
	type->plain_void = dtype.kind == 'V';
	return next(d);
}

enum tsl_status
npyio_descr_parse(struct npyio_literal *lit, struct tsl_dtype *dtype,
		  struct npyio_text *canonical, struct tsl_error *err)
{
	struct descr d = { .lit = lit, .out = canonical, .err = err };
	struct type type = { .size = 0 };
	enum tsl_status status;

	if (lit->token == NPYIO_TOKEN_STRING) {
		status = parse_type_string(&d, dtype);
		if (!status)
			status = next(&d);
	} else if (npyio_literal_is(lit, '[')) {
		status = parse_type(&d, &type);
		*dtype = (struct tsl_dtype){ .kind = 'V',
					     .order = '|',
					     .size = type.size };
	} else {
		/* A pair, too: it would be more dimensions, not a type. */
		status = npyio_literal_unexpected(lit, TSL_EBAD_DESCR,
						  "an element type", err);
	}
	if (!status && !npyio_text_ok(canonical))
		status = tsl_no_memory(err);
	return status;
}

enum tsl_status
npyio_descr_parse_name(struct tsl_dtype *dtype, struct npyio_text *canonical,
		       const char *s, size_t len, struct tsl_error *err)
{
	enum tsl_minifloat number = tsl_minifloat_named(s, len);
	struct npyio_literal lit = { .token = NPYIO_TOKEN_STRING };
	enum tsl_status status;

	if (number) {
		s = number == TSL_BFLOAT16 ? "V2" : "V1";
		len = strlen(s);
	}
	npyio_text_puts(&lit.string, "");
	npyio_type_code(&lit.string, s, len);
	status = npyio_text_ok(&lit.string)
			 ? npyio_descr_parse(&lit, dtype, canonical, err)
			 : tsl_no_memory(err);
	dtype->number = number;
	npyio_text_free(&lit.string);
	return status;
}
