/*
 * cell.c - one plain element as a cell of a table
 */
#include "cell.h"

#include "digits.h"
#include "lib/base/minmax.h"
#include "lib/base/utf8.h"
#include "npyio/format/text.h"

#include <math.h>
#include <string.h>

/* ---- numbers ------------------------------------------------------------- */

/* A number of up to 8 bytes, in this machine's order. */
static uint64_t
load_bits(const struct tsl_dtype *t, const char *bytes, int nbytes)
{
	uint64_t bits = 0;
	uint32_t word;
	uint16_t half;

	if (t->number)
		return element_minifloat(t, bytes);
	switch (nbytes) {
	case 2:
		memcpy(&half, bytes, 2);
		return tsl_dtype_is_swapped(t) ? __builtin_bswap16(half) : half;
	case 4:
		memcpy(&word, bytes, 4);
		return tsl_dtype_is_swapped(t) ? __builtin_bswap32(word) : word;
	default:
		memcpy(&bits, bytes, 8);
		return tsl_dtype_is_swapped(t) ? __builtin_bswap64(bits) : bits;
	}
}

/* The notation is that of the shortest digits, whatever is left of them. */
static char *
put_rounded(char *s, long double v, const struct real_type *type, int precision)
{
	struct decimal d;
	bool is_fixed;

	real_shortest(&d, v, type);
	is_fixed = v == 0 || (d.point >= -3 && d.point <= 16);
	if (precision >= 0 &&
	    (is_fixed ? d.ndigits - d.point : d.ndigits - 1) > precision)
		real_round(&d, v, type, precision, is_fixed);
	if (signbit(v))
		*s++ = '-';
	return digits_decimal(s, &d);
}

char *
cell_put_real(char *s, const struct cell_style *style,
	      const struct tsl_dtype *t, const char *bytes, int nbytes)
{
	const struct real_type *type = real_type_of(t, nbytes);
	long double v;

	if (nbytes <= 8 && style->precision < 0)
		return digits_real(s, load_bits(t, bytes, nbytes), type);
	v = element_real(t, bytes, nbytes);
	if (isfinite(v))
		return put_rounded(s, v, type, style->precision);
	if (!isnan(v) && signbit(v))
		*s++ = '-';
	memcpy(s, isnan(v) ? "nan" : "inf", 3);
	return s + 3;
}

/* 1.5-2.0j */
static char *
put_complex(char *s, const struct cell_style *style, const struct tsl_dtype *t,
	    const char *bytes)
{
	int nbytes = (int)t->size / 2;
	char *sign;

	s = cell_put_real(s, style, t, bytes, nbytes);
	*s = '+';
	sign = s + 1;
	s = cell_put_real(sign, style, t, bytes + nbytes, nbytes);
	if (*sign == '-') {
		memmove(sign - 1, sign, (size_t)(s - sign));
		s--;
	}
	*s++ = 'j';
	return s;
}

char *
cell_put_word(char *s, const char *word)
{
	size_t n = strlen(word);

	memcpy(s, word, n);
	return s + n;
}

static char *
put_time(char *s, const struct cell_notation *notation,
	 const struct element_format *f, const char *bytes)
{
	int64_t value = element_int(&f->dtype, bytes);
	char text[CALENDAR_TEXT];

	if (value == ELEMENT_NAT)
		return cell_put_word(s, notation->not_a_time);
	if (f->dtype.kind == 'm')
		return digits_signed(s, value);
	datetime_date(text, f->step, value);
	s = cell_put_word(s, notation->quote);
	s = cell_put_word(s, text);
	return cell_put_word(s, notation->quote);
}

/* ---- strings ------------------------------------------------------------- */

/* The characters of a string, whatever it is made of. */
struct string {
	const struct tsl_dtype *dtype; /* NULL: UTF-8 */
	const char *bytes;
	size_t len; /* characters; of UTF-8, bytes */
};

#define NO_CHAR 0xFFFD /* what is no character is replaced by this one */

/* The one at '*i', which moves on. */
static uint32_t
next_char(const struct string *s, size_t *i)
{
	uint32_t c;

	if (!s->dtype)
		c = tsl_utf8_next(s->bytes, s->len, i);
	else if (s->dtype->kind == 'S')
		return (unsigned char)s->bytes[(*i)++];
	else
		c = element_char(s->dtype, s->bytes, (*i)++);
	return c > 0x10FFFF || c >> 11 == 0x1B ? NO_CHAR : c;
}

/* An empty line would be no line at all to many. */
static bool
needs_quotes(const struct cell_style *style, const struct string *s)
{
	for (size_t i = 0; i < s->len;) {
		uint32_t c = next_char(s, &i);

		if (c == '"' || c == '\n' || c == '\r' ||
		    c == (unsigned char)style->separator ||
		    (style->form == PRINT_PLAIN && c == '\t'))
			return true;
	}
	return s->len == 0;
}

static void
put_escape(uint32_t c, struct text_out *out)
{
	static const char hex[] = "0123456789abcdef";
	int n = c < 0x100 ? 2 : c < 0x10000 ? 4 : 8;

	text_out_char(out, '\\');
	text_out_char(out, n == 2 ? 'x' : n == 4 ? 'u' : 'U');
	for (int i = n - 1; i >= 0; i--)
		text_out_char(out, hex[c >> 4 * i & 15]);
}

static void
put_char(const struct cell_style *style, const struct string *s, uint32_t c,
	 struct text_out *out)
{
	bool is_byte = s->dtype && s->dtype->kind == 'S';
	char text[NPYIO_UTF8_MAX];
	size_t n;

	if (style->is_safe &&
	    (!npyio_utf8_is_safe(c) || (is_byte && c >= 0x80))) {
		put_escape(c, out);
	} else if (is_byte) {
		text_out_char(out, (char)c);
	} else {
		n = npyio_utf8_encode(text, c);
		for (size_t i = 0; i < n; i++)
			text_out_char(out, text[i]);
	}
}

/* Quotes within quotes are doubled. */
static void
put_string(const struct cell_style *style, const struct string *s,
	   struct text_out *out)
{
	bool quoted = needs_quotes(style, s);

	if (quoted)
		text_out_char(out, '"');
	for (size_t i = 0; i < s->len;) {
		uint32_t c = next_char(s, &i);

		if (c == '"')
			text_out_char(out, '"');
		put_char(style, s, c, out);
	}
	if (quoted)
		text_out_char(out, '"');
}

void
cell_write_hex(const char *bytes, int64_t n, struct text_out *out)
{
	static const char hex[] = "0123456789abcdef";

	for (int64_t i = 0; i < n; i++) {
		text_out_char(out, hex[(unsigned char)bytes[i] >> 4]);
		text_out_char(out, hex[bytes[i] & 15]);
	}
}

/* ---- cells --------------------------------------------------------------- */

static void
put_bytes(const struct cell_style *style, const struct tsl_dtype *t,
	  const char *bytes, struct text_out *out)
{
	const struct string s = { t, bytes,
				  t->kind == 'V' ? 0 : element_len(t, bytes) };

	if (t->kind == 'V' && t->size > 0)
		cell_write_hex(bytes, t->size, out);
	else
		put_string(style, &s, out);
}

static const struct cell_notation table = {
	.boolean = { "False", "True" },
	.not_a_time = "NaT",
	.quote = "",
	.put_real = cell_put_real,
	.put_complex = put_complex,
	.put_bytes = put_bytes,
};

/* What counts lines in awk wants numbers. */
static const struct cell_notation plain = {
	.boolean = { "0", "1" },
	.not_a_time = "NaT",
	.quote = "",
	.put_real = cell_put_real,
	.put_complex = put_complex,
	.put_bytes = put_bytes,
};

static const struct cell_notation *
notation_of(const struct cell_style *style)
{
	if (style->notation)
		return style->notation;
	return style->form == PRINT_PLAIN ? &plain : &table;
}

static char *
put_cell(char *s, const struct cell_style *style,
	 const struct cell_notation *notation, const struct element_format *f,
	 const char *bytes)
{
	const struct tsl_dtype *t = &f->dtype;

	switch (t->kind) {
	case 'b':
		return cell_put_word(s, notation->boolean[bytes[0] != 0]);
	case 'm':
	case 'M':
		return put_time(s, notation, f, bytes);
	case 'f':
		return notation->put_real(s, style, t, bytes, (int)t->size);
	default:
		return notation->put_complex(s, style, t, bytes);
	}
}

/* So many at a time, as there is sure to be room for. */
#define BATCH 256

/* Most are integers and numbers, for which there are loops of their own. */
static char *
put_ints(char *s, const struct tsl_dtype *t, const char *bytes, int n,
	 const char behind[])
{
	int64_t value[BATCH];

	tsl_dtype_load_ints(t, bytes, n, value);
	for (int i = 0; i < n; i++) {
		s = t->kind == 'i' ? digits_signed(s, value[i])
				   : digits_unsigned(s, (uint64_t)value[i]);
		*s++ = behind[i];
	}
	return s;
}

/* Those of every day have a loop each. */
static void
load_each(uint64_t bits[], const struct tsl_dtype *t, const char *bytes, int n)
{
	int nbytes = (int)t->size;
	uint32_t word;

	if (nbytes == 8 && !tsl_dtype_is_swapped(t))
		memcpy(bits, bytes, (size_t)n * 8);
	else if (nbytes == 4 && !tsl_dtype_is_swapped(t))
		for (int i = 0; i < n; i++) {
			memcpy(&word, bytes + 4 * i, 4);
			bits[i] = word;
		}
	else
		for (int i = 0; i < n; i++)
			bits[i] = load_bits(t, bytes + i * nbytes, nbytes);
}

static char *
put_reals(char *s, const struct tsl_dtype *t, const char *bytes, int n,
	  const char behind[])
{
	uint64_t bits[BATCH];

	load_each(bits, t, bytes, n);
	return digits_reals(s, bits, n, real_type_of(t, (int)t->size), behind);
}

static void
write_batch(const struct cell_style *style, const struct element_format *f,
	    const char *bytes, int n, const char behind[], struct text_out *out)
{
	const struct cell_notation *notation = notation_of(style);
	const struct tsl_dtype *t = &f->dtype;
	char *s = text_out_room(out, BATCH * 3 * DIGITS_MAX);

	if (t->kind == 'i' || t->kind == 'u') {
		s = put_ints(s, t, bytes, n, behind);
	} else if (t->kind == 'f' && t->size <= 8 && style->precision < 0 &&
		   notation->put_real == cell_put_real) {
		s = put_reals(s, t, bytes, n, behind);
	} else {
		for (int i = 0; i < n; i++) {
			s = put_cell(s, style, notation, f,
				     bytes + i * t->size);
			*s++ = behind[i];
		}
	}
	/* Behind the last one stands what the caller wants. */
	text_out_upto(out, s - 1);
}

/* What stands behind elements, of which the first is number 'at' of its row. */
static void
separate(char behind[], int n, char separator, int64_t row, int64_t at)
{
	memset(behind, separator, (size_t)n);
	for (int64_t i = row - 1 - at; i < n; i += row)
		behind[i] = '\n';
}

/* A row may be short: a batch is of as many as it takes. */
void
cell_write_rows(const struct cell_style *style, const struct element_format *f,
		const char *bytes, int64_t n, int64_t row, int64_t at,
		struct text_out *out)
{
	bool is_number = strchr("biufcmM", f->dtype.kind);
	char behind[BATCH];
	int done;

	for (int64_t i = 0; i < n && !out->status; i += done) {
		const char *from = bytes + i * f->dtype.size;

		if (i > 0)
			text_out_char(out, behind[done - 1]);
		done = is_number ? (int)tsl_min(n - i, BATCH) : 1;
		separate(behind, done, style->separator, row, (at + i) % row);
		if (is_number)
			write_batch(style, f, from, done, behind, out);
		else
			notation_of(style)->put_bytes(style, &f->dtype, from,
						      out);
	}
}

void
cell_write(const struct cell_style *style, const struct element_format *f,
	   const char *bytes, int64_t n, struct text_out *out)
{
	cell_write_rows(style, f, bytes, n, n + 1, 0, out);
}

void
cell_write_name(const struct cell_style *style, const char *name, size_t len,
		struct text_out *out)
{
	const struct string s = { NULL, name, len };

	put_string(style, &s, out);
}
