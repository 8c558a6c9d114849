/*
 * element.c - one element of an array as text, as NumPy shows it
 */
#include "element.h"

#include "lib/base/minmax.h"
#include "npyio/format/literal.h"
#include "real.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_INT 24 /* characters of an integer, with its NUL */

/* ---- bytes to numbers ---------------------------------------------------- */

/* Copies a number of 'n' bytes in this machine's order. */
static void
load(const struct tsl_dtype *t, const char *bytes, int n, void *value)
{
	char *v = value;

	for (int i = 0; i < n; i++)
		v[i] = bytes[tsl_dtype_is_swapped(t) ? n - 1 - i : i];
}

/* They are little-endian on all machines. */
unsigned
element_minifloat(const struct tsl_dtype *t, const char *bytes)
{
	const unsigned char *u = (const unsigned char *)bytes;

	return t->size == 1 ? u[0] : u[0] | (unsigned)u[1] << 8;
}

long double
element_real(const struct tsl_dtype *t, const char *bytes, int nbytes)
{
	union {
		uint16_t half;
		float single;
		double twice;
		long double extended;
	} v = { .extended = 0 };

	if (t->number)
		return tsl_minifloat_value(t->number,
					   element_minifloat(t, bytes));
	load(t, bytes, nbytes, &v);
	switch (nbytes) {
	case 2:
		return tsl_minifloat_value(TSL_FLOAT16, v.half);
	case 4:
		return v.single;
	case 8:
		return v.twice;
	default:
		return v.extended;
	}
}

int64_t
element_int(const struct tsl_dtype *t, const char *bytes)
{
	int64_t value;

	tsl_dtype_load_ints(t, bytes, 1, &value);
	return value;
}

uint32_t
element_char(const struct tsl_dtype *t, const char *bytes, size_t i)
{
	uint32_t c;

	load(t, bytes + 4 * i, 4, &c);
	return c;
}

/* NULs at the end of a string are padding. */
size_t
element_len(const struct tsl_dtype *t, const char *bytes)
{
	size_t n = (size_t)t->size;

	while (n > 0 && bytes[n - 1] == '\0')
		n--;
	return t->kind == 'U' ? (n + 3) / 4 : n;
}

/* ---- numbers ------------------------------------------------------------- */

/* Python leaves out a real part of 0, and then the brackets. */
static void
write_complex_alone(const struct element_format *f, long double re,
		    long double im, struct npyio_text *out)
{
	struct numpy_float imaginary = f->part[1];
	bool both = re != 0 || signbit(re);

	if (both) {
		npyio_text_puts(out, "(");
		numpy_float_write_alone(&f->part[0], re, "", out);
	}
	imaginary.always_sign = both;
	numpy_float_write_alone(&imaginary, im, "", out);
	npyio_text_puts(out, both ? "j)" : "j");
}

static void
write_complex(const struct element_format *f, const char *bytes,
	      struct npyio_text *out)
{
	int nbytes = f->part[0].type->nbytes;
	long double re = element_real(&f->dtype, bytes, nbytes);
	long double im = element_real(&f->dtype, bytes + nbytes, nbytes);

	if (f->place == ELEMENT_ALONE) {
		write_complex_alone(f, re, im, out);
		return;
	}
	numpy_float_write(&f->part[0], re, "", out);
	numpy_float_write(&f->part[1], im, "j", out);
}

static void
write_real(const struct element_format *f, const char *bytes,
	   struct npyio_text *out)
{
	long double v = element_real(&f->dtype, bytes, f->part[0].type->nbytes);

	if (f->place == ELEMENT_IN_ARRAY)
		numpy_float_write(&f->part[0], v, "", out);
	else
		numpy_float_write_alone(&f->part[0], v, ".0", out);
}

static int
format_int(char text[MAX_INT], const struct tsl_dtype *t, int64_t value)
{
	return t->kind == 'u'
		       ? snprintf(text, MAX_INT, "%" PRIu64, (uint64_t)value)
		       : snprintf(text, MAX_INT, "%" PRId64, value);
}

static void
write_int(const struct element_format *f, const char *bytes,
	  struct npyio_text *out)
{
	char text[MAX_INT];

	format_int(text, &f->dtype, element_int(&f->dtype, bytes));
	npyio_text_printf(out, "%*s", f->width, text);
}

/* ---- dates and times ----------------------------------------------------- */

/* As it stands in an array; returns how long it is. */
static int
format_time(char text[CALENDAR_TEXT + 2], const struct element_format *f,
	    int64_t value)
{
	if (f->dtype.kind == 'm')
		return format_int(text, &f->dtype, value);
	text[0] = '\'';
	datetime_date(text + 1, f->step, value);
	strcat(text, "'");
	return (int)strlen(text);
}

static void
write_time(const struct element_format *f, const char *bytes,
	   struct npyio_text *out)
{
	int64_t value = element_int(&f->dtype, bytes);
	bool is_alone = f->place == ELEMENT_ALONE;
	char text[CALENDAR_TEXT + 2];

	if (value == ELEMENT_NAT)
		strcpy(text, is_alone ? "NaT" : "'NaT'");
	else if (!is_alone)
		format_time(text, f, value);
	else if (f->dtype.kind == 'm')
		datetime_span(text, f->step, value);
	else
		datetime_date(text, f->step, value);
	npyio_text_printf(out, "%*s", f->width, text);
}

/* ---- strings ------------------------------------------------------------- */

/* Bytes as Python shows them: b'a\x00b'. */
static void
write_bytes(const char *bytes, size_t n, struct npyio_text *out)
{
	char quote =
		memchr(bytes, '\'', n) && !memchr(bytes, '"', n) ? '"' : '\'';

	npyio_text_printf(out, "b%c", quote);
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)bytes[i];

		if (c == '\n' || c == '\r' || c == '\t')
			npyio_text_puts(out, c == '\n'   ? "\\n"
					     : c == '\r' ? "\\r"
							 : "\\t");
		else if (c == '\\' || c == (unsigned char)quote)
			npyio_text_printf(out, "\\%c", c);
		else if (c < 0x20 || c >= 0x7F)
			npyio_text_printf(out, "\\x%02x", c);
		else
			npyio_text_add(out, &bytes[i], 1);
	}
	npyio_text_add(out, &quote, 1);
}

/* Every byte by its number. */
static void
write_void(const char *bytes, int64_t n, struct npyio_text *out)
{
	npyio_text_puts(out, "b'");
	for (int64_t i = 0; i < n; i++)
		npyio_text_printf(out, "\\x%02X", (unsigned char)bytes[i]);
	npyio_text_puts(out, "'");
}

/* What cannot be in UTF-8, too, is shown by its number. */
static void
write_escaped(struct npyio_text *out, uint32_t c)
{
	npyio_text_printf(out,
			  c < 0x100     ? "\\x%02x"
			  : c < 0x10000 ? "\\u%04x"
					: "\\U%08x",
			  (unsigned)c);
}

static bool
is_code_point(uint32_t c)
{
	return c <= 0x10FFFF && c >> 11 != 0x1B;
}

/* Without quotes; what is not safe does not get through to a terminal. */
static void
write_unquoted(const struct tsl_dtype *t, const char *bytes,
	       struct npyio_text *out)
{
	size_t n = element_len(t, bytes);

	for (size_t i = 0; i < n; i++) {
		uint32_t c = element_char(t, bytes, i);

		if (is_code_point(c) && npyio_utf8_is_safe(c))
			npyio_text_utf8(out, c);
		else
			write_escaped(out, c);
	}
}

/* The quotes are those that Python takes for all of the string. */
static char
quote_for(const struct tsl_dtype *t, const char *bytes, size_t n)
{
	char quote = '\'';

	for (size_t i = 0; i < n; i++) {
		uint32_t c = element_char(t, bytes, i);

		if (c == '"')
			return '\'';
		if (c == '\'')
			quote = '"';
	}
	return quote;
}

static void
write_quoted(const struct tsl_dtype *t, const char *bytes,
	     struct npyio_text *out)
{
	size_t n = element_len(t, bytes);
	char quote = quote_for(t, bytes, n);

	npyio_text_add(out, &quote, 1);
	for (size_t i = 0; i < n; i++) {
		uint32_t c = element_char(t, bytes, i);

		if (is_code_point(c))
			npyio_literal_repr_char(out, c, quote);
		else
			write_escaped(out, c);
	}
	npyio_text_add(out, &quote, 1);
}

static void
write_string(const struct element_format *f, const char *bytes,
	     struct npyio_text *out)
{
	const struct tsl_dtype *t = &f->dtype;
	bool is_alone = f->place == ELEMENT_ALONE;

	if (t->kind == 'U' && is_alone) {
		write_unquoted(t, bytes, out);
	} else if (t->kind == 'U') {
		write_quoted(t, bytes, out);
	} else {
		/* Since NumPy 2 such a lone string names its type. */
		npyio_text_puts(out, is_alone ? "np.bytes_(" : "");
		write_bytes(bytes, element_len(t, bytes), out);
		npyio_text_puts(out, is_alone ? ")" : "");
	}
}

/* ---- one element --------------------------------------------------------- */

void
element_format_init(struct element_format *f, const struct tsl_dtype *dtype,
		    struct time_step step, enum element_place place,
		    int precision)
{
	*f = (struct element_format){ .dtype = *dtype,
				      .step = step,
				      .place = place };
	f->dtype.descr = NULL;
	f->dtype.kind = tsl_dtype_number_kind(dtype);
	for (int i = 0; i < 2; i++) {
		if (f->dtype.kind == 'f' || f->dtype.kind == 'c')
			f->part[i].type = real_type_of(
				dtype, (int)dtype->size /
					       (dtype->kind == 'c' ? 2 : 1));
		f->part[i].precision = precision;
	}
	f->part[1].always_sign = true;
}

/* NumPy looks at the least and the most alone, whichever is the longest. */
static void
measure_int(struct element_format *f, int64_t value)
{
	bool is_unsigned = f->dtype.kind == 'u';

	if (value == ELEMENT_NAT &&
	    (f->dtype.kind == 'M' || f->dtype.kind == 'm')) {
		f->any_nat = true;
	} else if (!f->any) {
		f->any = true;
		f->least = f->most = value;
	} else if (is_unsigned) {
		if ((uint64_t)value < (uint64_t)f->least)
			f->least = value;
		if ((uint64_t)value > (uint64_t)f->most)
			f->most = value;
	} else {
		f->least = tsl_min(f->least, value);
		f->most = tsl_max(f->most, value);
	}
}

/* When all have been looked at. */
static void
settle_width(struct element_format *f)
{
	char text[CALENDAR_TEXT + 2];
	bool is_int = f->dtype.kind == 'i' || f->dtype.kind == 'u';
	const int64_t ends[] = { f->least, f->most };

	for (int i = 0; i < 2 && f->any; i++) {
		int n = is_int ? format_int(text, &f->dtype, ends[i])
			       : format_time(text, f, ends[i]);

		f->width = n > f->width ? n : f->width;
	}
	/* "'NaT'" */
	if (f->any_nat && f->width < 5)
		f->width = 5;
}

void
element_measure(struct element_format *f, int pass, const char *bytes)
{
	int parts = f->dtype.kind == 'c' ? 2 : 1;

	if (f->place == ELEMENT_ALONE)
		return;
	switch (f->dtype.kind) {
	case 'i':
	case 'u':
	case 'm':
	case 'M':
		if (pass == 0)
			measure_int(f, element_int(&f->dtype, bytes));
		else if (f->width == 0)
			settle_width(f);
		break;
	case 'f':
	case 'c':
		for (int i = 0; i < parts; i++) {
			struct numpy_float *part = &f->part[i];

			numpy_float_measure(
				part, pass,
				element_real(&f->dtype,
					     bytes + i * part->type->nbytes,
					     part->type->nbytes));
		}
		break;
	default:
		break;
	}
}

static void
write_bool(const struct element_format *f, bool value, struct npyio_text *out)
{
	bool is_padded = f->place == ELEMENT_IN_ARRAY ||
			 f->place == ELEMENT_IN_RECORD_ARRAY;

	npyio_text_puts(out, !value ? "False" : is_padded ? " True" : "True");
}

void
element_write(const struct element_format *f, const char *bytes,
	      struct npyio_text *out)
{
	switch (f->dtype.kind) {
	case 'b':
		write_bool(f, bytes[0] != 0, out);
		break;
	case 'i':
	case 'u':
		write_int(f, bytes, out);
		break;
	case 'm':
	case 'M':
		write_time(f, bytes, out);
		break;
	case 'f':
		write_real(f, bytes, out);
		break;
	case 'c':
		write_complex(f, bytes, out);
		break;
	case 'S':
	case 'U':
		write_string(f, bytes, out);
		break;
	default:
		write_void(bytes, f->dtype.size, out);
		break;
	}
}
