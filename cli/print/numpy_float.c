/*
 * numpy_float.c - real numbers as text, aligned as NumPy does it
 */
#include "numpy_float.h"

#include "real.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SMALLEST_ALONE 1e-4L

#define MAX_REAL 128 /* characters of one number */

/* The digits to show of a finite number. */
static void
digits_of(const struct numpy_float *f, long double v, struct decimal *d)
{
	int behind;

	real_shortest(d, v, f->type);
	behind = f->scientific ? d->ndigits - 1 : d->ndigits - d->point;
	if (behind > f->precision)
		real_round(d, v, f->type, f->precision, !f->scientific);
	/* Before the point NumPy shows the value's own digits, not zeros. */
	else if (!f->scientific && d->ndigits < d->point)
		real_round(d, v, f->type, 0, true);
}

static int
behind_point(const struct numpy_float *f, const struct decimal *d)
{
	int n = f->scientific ? d->ndigits - 1 : d->ndigits - d->point;

	if (d->ndigits == 1 && d->digits[0] == '0')
		return 0;
	return n > 0 ? n : 0;
}

static int
before_point(const struct numpy_float *f, const struct decimal *d)
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
sign_width(const struct numpy_float *f, long double v)
{
	return f->always_sign || signbit(v);
}

/*
 * NumPy compares in the type's own precision: these are 0.0001, and what is
 * more than 1000 times as much.  From as many digits as the type is sure to
 * have, but 8 at the most, a number is scientific.
 */
static bool
is_scientific(const struct numpy_float *f)
{
	/* What NumPy has not is as any number is. */
	switch (f->type->mini == TSL_FLOAT16 || !f->type->mini ? f->type->nbytes
							       : 0) {
	case 2:
		return f->largest >= 1e3L || f->smallest < 0x1.a38p-14L ||
		       (float)f->largest / (float)f->smallest > 1000.25F;
	case 4:
		return f->largest >= 1e6L || f->smallest < 0.0001F ||
		       (float)f->largest / (float)f->smallest > 1000.F;
	case 8:
		return f->largest >= 1e8L || f->smallest < 0.0001 ||
		       (double)f->largest / (double)f->smallest > 1000.;
	default:
		return f->largest >= 1e8L || f->smallest < 0.0001 ||
		       f->largest / f->smallest > 1000.L;
	}
}

/* First pass: the range of magnitudes decides the notation. */
static void
measure_range(struct numpy_float *f, long double v)
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
	f->scientific = is_scientific(f);
}

/* Second pass: the widths of all numbers in that notation. */
static void
measure_width(struct numpy_float *f, long double v)
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
put_sign(char *s, const struct numpy_float *f, long double v)
{
	if (signbit(v))
		*s++ = '-';
	else if (f->always_sign)
		*s++ = '+';
	return s;
}

static void
put_scientific(char *s, const struct numpy_float *f, const struct decimal *d)
{
	int e = exponent_of(d);

	s = put_digits(s, d, 0, 1);
	*s++ = '.';
	s = put_digits(s, d, 1, 1 + f->right);
	sprintf(s, "e%c%0*d", e < 0 ? '-' : '+', f->exponent, e < 0 ? -e : e);
}

static void
put_fixed(char *s, const struct numpy_float *f, const struct decimal *d)
{
	s = put_digits(s, d, d->point - before_point(f, d), d->point);
	*s++ = '.';
	s = put_digits(s, d, d->point, d->point + behind_point(f, d));
	*s = '\0';
}

static int
total_width(const struct numpy_float *f)
{
	int behind = f->right + (f->scientific ? f->exponent + 2 : 0);
	int n = f->any_finite ? f->left + 1 + behind : 0;

	return max(n, f->special);
}

static void
format_special(char text[MAX_REAL], const struct numpy_float *f, long double v)
{
	const char *word = isnan(v)         ? (f->always_sign ? "+nan" : "nan")
			   : signbit(v)     ? "-inf"
			   : f->always_sign ? "+inf"
					    : "inf";

	snprintf(text, MAX_REAL, "%*s", total_width(f), word);
}

/* Writes 'v' aligned on the point, without padding behind it. */
static void
format_finite(char text[MAX_REAL], const struct numpy_float *f, long double v)
{
	struct decimal d;
	char *s;
	int pad;

	if (f->scientific) {
		/* NumPy fills up with digits of the value, not with zeros. */
		real_shortest(&d, v, f->type);
		real_round(&d, v, f->type, f->right, false);
	} else {
		digits_of(f, v, &d);
	}
	pad = total_width(f) - f->right - 1 -
	      (f->scientific ? f->exponent + 2 : 0) - before_point(f, &d) -
	      sign_width(f, v);
	pad = max(pad, 0);
	memset(text, ' ', (size_t)pad);
	s = put_sign(text + pad, f, v);
	if (f->scientific)
		put_scientific(s, f, &d);
	else
		put_fixed(s, f, &d);
}

/* From here on, alone, a number is scientific. */
static long double
largest_alone(const struct numpy_float *f)
{
	return f->type->mini == TSL_FLOAT16 ? 1e3L
	       : f->type->nbytes == 4       ? 1e6L
					    : 1e16L;
}

static void
format_alone(char text[MAX_REAL], const struct numpy_float *f, long double v,
	     const char *whole)
{
	struct numpy_float alone = *f;
	struct decimal d;
	char *s = put_sign(text, f, isnan(v) ? 0 : v);

	if (!isfinite(v)) {
		strcpy(s, isnan(v) ? "nan" : "inf");
		return;
	}
	real_shortest(&d, v, f->type);
	v = fabsl(v);
	alone.scientific =
		v != 0 && (v >= largest_alone(f) || v < SMALLEST_ALONE);
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

/* It may not be the number that was measured: a file may change. */
static void
format_real(char text[MAX_REAL], const struct numpy_float *f, long double v)
{
	if (!isfinite(v))
		format_special(text, f, v);
	else if (!f->scientific && fabsl(v) >= 1e16L)
		format_alone(text, f, v, "");
	else
		format_finite(text, f, v);
}

void
numpy_float_measure(struct numpy_float *f, int pass, long double v)
{
	if (pass == 0)
		measure_range(f, v);
	else
		measure_width(f, v);
}

void
numpy_float_write(const struct numpy_float *f, long double v, const char *unit,
		  struct npyio_text *out)
{
	char text[MAX_REAL];

	format_real(text, f, v);
	npyio_text_printf(out, "%s%s%*s", text, unit,
			  max(total_width(f) - (int)strlen(text), 0), "");
}

void
numpy_float_write_alone(const struct numpy_float *f, long double v,
			const char *whole, struct npyio_text *out)
{
	char text[MAX_REAL];

	format_alone(text, f, v, whole);
	npyio_text_puts(out, text);
}
