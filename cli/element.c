/*
 * element.c - the elements of an array as text, aligned as NumPy does it
 */
#include "element.h"

#include "lib/base/utf8.h"
#include "npyio/format/literal.h"
#include "real.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* NumPy's print options. */
#define PRECISION 8
#define LARGEST_FIXED 1e8L
#define SMALLEST_FIXED 1e-4L
#define LARGEST_RATIO 1000.L
#define LARGEST_SCALAR 1e16L

#define MAX_REAL 96 /* characters of one number */

/* ---- bytes to numbers ---------------------------------------------------- */

/* Copies a number of 'n' bytes in this machine's order. */
static void
load(const struct tsl_dtype *t, const char *bytes, int n, void *value)
{
	char *v = value;

	for (int i = 0; i < n; i++)
		v[i] = bytes[tsl_dtype_is_swapped(t) ? n - 1 - i : i];
}

static long double
load_real(const struct tsl_dtype *t, const char *bytes, int nbytes)
{
	union {
		uint16_t half;
		float single;
		double twice;
		long double extended;
	} v = { .extended = 0 };

	load(t, bytes, nbytes, &v);
	switch (nbytes) {
	case 2:
		return real_half(v.half);
	case 4:
		return v.single;
	case 8:
		return v.twice;
	default:
		return v.extended;
	}
}

/* ---- real numbers -------------------------------------------------------- */

/* The digits to show of a finite number. */
static void
digits_of(const struct real_format *f, long double v, struct decimal *d)
{
	int behind;

	real_shortest(d, v, f->nbytes);
	behind = f->scientific ? d->ndigits - 1 : d->ndigits - d->point;
	if (behind > PRECISION)
		real_round(d, v, PRECISION, !f->scientific);
	/* Before the point NumPy shows the value's own digits, not zeros. */
	else if (!f->scientific && d->ndigits < d->point)
		real_round(d, v, 0, true);
}

static int
behind_point(const struct real_format *f, const struct decimal *d)
{
	int n = f->scientific ? d->ndigits - 1 : d->ndigits - d->point;

	if (d->ndigits == 1 && d->digits[0] == '0')
		return 0;
	return n > 0 ? n : 0;
}

static int
before_point(const struct real_format *f, const struct decimal *d)
{
	return f->scientific || d->point < 1 ? 1 : d->point;
}

static int
exponent_of(const struct decimal *d)
{
	return d->digits[0] == '0' ? 0 : d->point - 1;
}

static int
max(int a, int b)
{
	return a > b ? a : b;
}

static int
sign_width(const struct real_format *f, long double v)
{
	return f->always_sign || signbit(v);
}

/* First pass: the range of magnitudes decides the notation. */
static void
measure_range(struct real_format *f, long double v)
{
	if (!isfinite(v)) {
		int n = isnan(v) ? 3 + f->always_sign : 3 + sign_width(f, v);

		f->any_special = true;
		f->special = max(f->special, n);
		return;
	}
	f->any_finite = true;
	v = fabsl(v);
	if (v == 0)
		return;
	if (f->largest == 0 || v < f->smallest)
		f->smallest = v;
	if (v > f->largest)
		f->largest = v;
	f->scientific = f->largest >= LARGEST_FIXED ||
			f->smallest < SMALLEST_FIXED ||
			f->largest / f->smallest > LARGEST_RATIO;
}

/* Second pass: the widths of all numbers in that notation. */
static void
measure_width(struct real_format *f, long double v)
{
	struct decimal d;

	if (!isfinite(v))
		return;
	digits_of(f, v, &d);
	f->left = max(f->left, before_point(f, &d) + sign_width(f, v));
	f->right = max(f->right, behind_point(f, &d));
	if (f->scientific) {
		int e = exponent_of(&d);

		f->exponent = max(f->exponent, e > 99 || e < -99 ? 3 : 2);
		if (e > 999 || e < -999)
			f->exponent = 4;
	}
}

/* Digits [from, to) of a number, zeros where it has none. */
static char *
put_digits(char *s, const struct decimal *d, int from, int to)
{
	for (int i = from; i < to; i++)
		*s++ = i >= 0 && i < d->ndigits ? d->digits[i] : '0';
	return s;
}

static char *
put_sign(char *s, const struct real_format *f, long double v)
{
	if (signbit(v))
		*s++ = '-';
	else if (f->always_sign)
		*s++ = '+';
	return s;
}

static void
put_scientific(char *s, const struct real_format *f, const struct decimal *d)
{
	int e = exponent_of(d);

	s = put_digits(s, d, 0, 1);
	*s++ = '.';
	s = put_digits(s, d, 1, 1 + f->right);
	sprintf(s, "e%c%0*d", e < 0 ? '-' : '+', f->exponent, e < 0 ? -e : e);
}

static void
put_fixed(char *s, const struct real_format *f, const struct decimal *d)
{
	s = put_digits(s, d, d->point - before_point(f, d), d->point);
	*s++ = '.';
	s = put_digits(s, d, d->point, d->point + behind_point(f, d));
	*s = '\0';
}

static int
total_width(const struct real_format *f)
{
	int behind = f->right + (f->scientific ? f->exponent + 2 : 0);
	int n = f->any_finite ? f->left + 1 + behind : 0;

	return max(n, f->special);
}

/* Writes 'v' aligned on the point, without padding behind it. */
static void
format_real(char text[MAX_REAL], const struct real_format *f, long double v)
{
	struct decimal d;
	char *s;
	int pad;

	if (!isfinite(v)) {
		snprintf(text, MAX_REAL, "%*s%s",
			 total_width(f) - 3 -
				 (isnan(v) ? f->always_sign : sign_width(f, v)),
			 "",
			 isnan(v)         ? (f->always_sign ? "+nan" : "nan")
			 : signbit(v)     ? "-inf"
			 : f->always_sign ? "+inf"
					  : "inf");
		return;
	}
	/* NumPy fills up with digits of the value, not with zeros. */
	if (f->scientific)
		real_round(&d, v, f->right, false);
	else
		digits_of(f, v, &d);
	pad = total_width(f) - f->right - 1 -
	      (f->scientific ? f->exponent + 2 : 0) - before_point(f, &d) -
	      sign_width(f, v);
	memset(text, ' ', (size_t)pad);
	s = put_sign(text + pad, f, v);
	if (f->scientific)
		put_scientific(s, f, &d);
	else
		put_fixed(s, f, &d);
}

/*
 * A number alone: the shortest text, scientific when very large or small, a
 * whole number as "1" + 'whole'.
 */
static void
format_scalar(char text[MAX_REAL], const struct real_format *f, long double v,
	      const char *whole)
{
	struct real_format alone = *f;
	struct decimal d;
	char *s = put_sign(text, f, isnan(v) ? 0 : v);

	if (!isfinite(v)) {
		strcpy(s, isnan(v) ? "nan" : "inf");
		return;
	}
	real_shortest(&d, v, f->nbytes);
	v = fabsl(v);
	alone.scientific =
		v != 0 && (v >= LARGEST_SCALAR || v < SMALLEST_FIXED);
	alone.right = alone.exponent = 0;
	measure_width(&alone, v);
	alone.right = behind_point(&alone, &d);
	if (!alone.scientific) {
		put_fixed(s, &alone, &d);
		if (alone.right == 0)
			strcpy(s + strlen(s) - 1, whole);
		return;
	}
	put_scientific(s, &alone, &d);
	/* Here, and only here, no point where nothing follows it. */
	if (alone.right == 0)
		memmove(s + 1, s + 2, strlen(s + 2) + 1);
}

static void
write_real(const struct element_format *f, int part, long double v,
	   struct npyio_text *out)
{
	const struct real_format *r = &f->part[part];
	char text[MAX_REAL];

	format_real(text, r, v);
	npyio_text_puts(out, text);
	if (f->dtype.kind == 'c' && part == 1)
		npyio_text_puts(out, "j");
	npyio_text_printf(out, "%*s", total_width(r) - (int)strlen(text), "");
}

/* Python leaves out a real part of 0, and then the brackets. */
static void
write_complex_scalar(const struct element_format *f, long double re,
		     long double im, struct npyio_text *out)
{
	struct real_format imaginary = f->part[1];
	bool both = re != 0 || signbit(re);
	char text[MAX_REAL];

	if (both) {
		format_scalar(text, &f->part[0], re, "");
		npyio_text_printf(out, "(%s", text);
	}
	imaginary.always_sign = both;
	format_scalar(text, &imaginary, im, "");
	npyio_text_printf(out, "%sj%s", text, both ? ")" : "");
}

static void
write_number(const struct element_format *f, const char *bytes,
	     struct npyio_text *out)
{
	int nbytes = f->part[0].nbytes;
	long double re = load_real(&f->dtype, bytes, nbytes);
	long double im = 0;
	char text[MAX_REAL];

	if (f->dtype.kind == 'c')
		im = load_real(&f->dtype, bytes + nbytes, nbytes);
	if (f->scalar && f->dtype.kind == 'c') {
		write_complex_scalar(f, re, im, out);
	} else if (f->scalar) {
		format_scalar(text, &f->part[0], re, ".0");
		npyio_text_puts(out, text);
	} else {
		write_real(f, 0, re, out);
		if (f->dtype.kind == 'c')
			write_real(f, 1, im, out);
	}
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

/* Void, and so far structured elements too: every byte by its number. */
static void
write_void(const char *bytes, int64_t n, struct npyio_text *out)
{
	npyio_text_puts(out, "b'");
	for (int64_t i = 0; i < n; i++)
		npyio_text_printf(out, "\\x%02X", (unsigned char)bytes[i]);
	npyio_text_puts(out, "'");
}

/* A string alone, without quotes; what is not safe does not get through. */
static void
write_plain(const char *s, size_t len, struct npyio_text *out)
{
	for (size_t i = 0; i < len;) {
		uint32_t c = tsl_utf8_next(s, len, &i);

		if (npyio_utf8_is_safe(c))
			npyio_text_utf8(out, c);
		else
			npyio_text_printf(out,
					  c < 0x100     ? "\\x%02x"
					  : c < 0x10000 ? "\\u%04x"
							: "\\U%08x",
					  (unsigned)c);
	}
}

/* NULs at the end of a string are padding. */
static size_t
unpadded(const char *bytes, size_t n)
{
	while (n > 0 && bytes[n - 1] == '\0')
		n--;
	return n;
}

static void
write_unicode(const struct element_format *f, const char *bytes,
	      struct npyio_text *out)
{
	struct npyio_text s = { 0 };
	size_t n = (unpadded(bytes, (size_t)f->dtype.size) + 3) / 4;

	if (tsl_dtype_is_swapped(&f->dtype))
		for (n = (size_t)f->dtype.size / 4; n > 0; n--)
			if (unpadded(bytes + 4 * (n - 1), 4) > 0)
				break;
	for (size_t i = 0; i < n; i++) {
		uint32_t c;

		load(&f->dtype, bytes + 4 * i, 4, &c);
		npyio_text_utf8(&s,
				c > 0x10FFFF || c >> 11 == 0x1B ? 0xFFFD : c);
	}
	if (f->scalar)
		write_plain(s.s ? s.s : "", s.len, out);
	else
		npyio_literal_repr(out, s.s ? s.s : "", s.len);
	out->failed |= s.failed;
	npyio_text_free(&s);
}

/* ---- one element --------------------------------------------------------- */

void
element_format_init(struct element_format *f, const struct tsl_dtype *dtype,
		    bool scalar)
{
	*f = (struct element_format){ .dtype = *dtype, .scalar = scalar };
	f->part[0].nbytes = (int)dtype->size / (dtype->kind == 'c' ? 2 : 1);
	f->part[1].nbytes = f->part[0].nbytes;
	f->part[1].always_sign = true;
}

static int64_t
load_int(const struct tsl_dtype *t, const char *bytes)
{
	int64_t value;

	tsl_dtype_load_ints(t, bytes, 1, &value);
	return value;
}

/* NumPy's not-a-time is the smallest integer. */
static int
format_int(char text[24], const struct tsl_dtype *t, const char *bytes)
{
	if (t->kind == 'u')
		return snprintf(text, 24, "%" PRIu64,
				(uint64_t)load_int(t, bytes));
	if (t->kind != 'i' && load_int(t, bytes) == INT64_MIN)
		return snprintf(text, 24, "NaT");
	return snprintf(text, 24, "%" PRId64, load_int(t, bytes));
}

void
element_measure(struct element_format *f, int pass, const char *bytes)
{
	int parts = f->dtype.kind == 'c' ? 2 : 1;
	char text[24];

	switch (f->dtype.kind) {
	case 'i':
	case 'u':
	case 'm':
	case 'M':
		if (pass == 0)
			f->width = max(f->width,
				       format_int(text, &f->dtype, bytes));
		break;
	case 'f':
	case 'c':
		for (int i = 0; i < parts; i++) {
			struct real_format *r = &f->part[i];
			long double v = load_real(
				&f->dtype, bytes + i * r->nbytes, r->nbytes);

			if (pass == 0)
				measure_range(r, v);
			else
				measure_width(r, v);
		}
		break;
	default:
		break;
	}
}

void
element_write(const struct element_format *f, const char *bytes,
	      struct npyio_text *out)
{
	const struct tsl_dtype *t = &f->dtype;
	char text[24];

	switch (t->kind) {
	case 'b':
		npyio_text_puts(out, !bytes[0]   ? "False"
				     : f->scalar ? "True"
						 : " True");
		break;
	case 'i':
	case 'u':
	case 'm':
	case 'M':
		format_int(text, t, bytes);
		npyio_text_printf(out, "%*s", f->scalar ? 0 : f->width, text);
		break;
	case 'f':
	case 'c':
		write_number(f, bytes, out);
		break;
	case 'S':
		write_bytes(bytes, unpadded(bytes, (size_t)t->size), out);
		break;
	case 'U':
		write_unicode(f, bytes, out);
		break;
	default:
		write_void(bytes, t->size, out);
		break;
	}
}
