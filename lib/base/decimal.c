/*
 * decimal.c - floating-point numbers from decimal text, whatever the locale
 *
 * libc rounds right, but its point is that of the locale: so it is handed the
 * digits as an integer and all the rest as an exponent.
 */
#include "decimal.h"

#include "ascii.h"
#include "minifloat.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * More digits than any number has that lies in the middle between two long
 * doubles, of 64 or 113 bits: of those behind them only matters whether there
 * is one that is not 0.
 */
#define MAX_DIGITS 11600

/* With any digits, up to so many, infinite or 0. */
#define MAX_EXPONENT 100000

/* An integer and an exponent, as strtod() reads them. */
struct number {
	char text[MAX_DIGITS + sizeof("1e-100000")];
	size_t ndigits;
	int64_t exponent;
	bool dropped; /* a digit that is not 0 */
};

static size_t
sign_span(const char *text, size_t len)
{
	return len > 0 && (text[0] == '+' || text[0] == '-');
}

static size_t
digits_span(const char *text, size_t len)
{
	size_t n = 0;

	while (n < len && tsl_is_digit(text[n]))
		n++;
	return n;
}

/* 'word' is in small letters. */
static size_t
word_span(const char *text, size_t len, const char *word)
{
	size_t n = strlen(word);

	if (len < n)
		return 0;
	for (size_t i = 0; i < n; i++)
		if ((text[i] | 0x20) != word[i])
			return 0;
	return n;
}

static size_t
exponent_span(const char *text, size_t len)
{
	size_t sign, digits;

	if (len == 0 || (text[0] | 0x20) != 'e')
		return 0;
	sign = sign_span(text + 1, len - 1);
	digits = digits_span(text + 1 + sign, len - 1 - sign);
	return digits ? 1 + sign + digits : 0;
}

/* Without its sign. */
static size_t
finite_span(const char *text, size_t len)
{
	size_t whole = digits_span(text, len), n = whole, behind = 0;

	if (n < len && text[n] == '.') {
		behind = digits_span(text + n + 1, len - n - 1);
		n += 1 + behind;
	}
	if (whole + behind == 0)
		return 0;
	return n + exponent_span(text + n, len - n);
}

size_t
tsl_decimal_span(const char *text, size_t len)
{
	static const char *const words[] = { "infinity", "inf", "nan" };
	size_t sign = sign_span(text, len);
	size_t n = finite_span(text + sign, len - sign);

	for (size_t i = 0; n == 0 && i < sizeof(words) / sizeof(words[0]); i++)
		n = word_span(text + sign, len - sign, words[i]);
	return n ? sign + n : 0;
}

/* The exponent of "e-12", as far as it matters. */
static int64_t
read_exponent(const char *text, size_t len)
{
	bool minus = len > 1 && text[1] == '-';
	int64_t e = 0;

	for (size_t i = 1; i < len; i++)
		if (tsl_is_digit(text[i]) && e < INT64_MAX / 100)
			e = 10 * e + (text[i] - '0');
	return minus ? -e : e;
}

static void
add_digit(struct number *n, char c, bool behind_point)
{
	n->exponent -= behind_point;
	if (n->ndigits == 0 && c == '0')
		return;
	if (n->ndigits < MAX_DIGITS) {
		n->text[n->ndigits++] = c;
		return;
	}
	n->exponent++;
	n->dropped |= c != '0';
}

/* 'text' is finite and has no sign. */
static void
rewrite(struct number *n, const char *text, size_t len)
{
	bool behind = false;
	size_t i;

	n->ndigits = 0;
	n->exponent = 0;
	n->dropped = false;
	for (i = 0; i < len && (text[i] | 0x20) != 'e'; i++) {
		if (text[i] == '.')
			behind = true;
		else
			add_digit(n, text[i], behind);
	}
	n->exponent += read_exponent(text + i, len - i);
	if (n->dropped) {
		n->text[n->ndigits++] = '1';
		n->exponent--;
	}
	if (n->ndigits == 0)
		n->text[n->ndigits++] = '0';
	if (n->exponent > MAX_EXPONENT)
		n->exponent = MAX_EXPONENT;
	if (n->exponent < -MAX_EXPONENT)
		n->exponent = -MAX_EXPONENT;
	snprintf(n->text + n->ndigits, sizeof(n->text) - n->ndigits, "e%d",
		 (int)n->exponent);
}

/* The words; false: it is a finite number. */
static bool
is_word(const char *text, size_t len, double *v)
{
	bool is_inf = word_span(text, len, "inf");

	*v = is_inf ? __builtin_inf() : __builtin_nan("");
	return is_inf || word_span(text, len, "nan");
}

double
tsl_decimal_double(const char *text, size_t len)
{
	size_t sign = sign_span(text, len);
	struct number n;
	double v;

	if (!is_word(text + sign, len - sign, &v)) {
		rewrite(&n, text + sign, len - sign);
		v = strtod(n.text, NULL);
	}
	return text[0] == '-' ? -v : v;
}

float
tsl_decimal_single(const char *text, size_t len)
{
	size_t sign = sign_span(text, len);
	struct number n;
	double word;
	float v;

	if (is_word(text + sign, len - sign, &word)) {
		v = (float)word;
	} else {
		rewrite(&n, text + sign, len - sign);
		v = strtof(n.text, NULL);
	}
	return text[0] == '-' ? -v : v;
}

long double
tsl_decimal_extended(const char *text, size_t len)
{
	size_t sign = sign_span(text, len);
	struct number n;
	long double v;

	/* NumPy, alone with this type, gives "-nan" no sign. */
	if (word_span(text + sign, len - sign, "nan"))
		return __builtin_nanl("");
	if (word_span(text + sign, len - sign, "inf")) {
		v = __builtin_infl();
	} else {
		rewrite(&n, text + sign, len - sign);
		v = strtold(n.text, NULL);
	}
	return text[0] == '-' ? -v : v;
}

/* A double has no more, in decimal, before zeros only. */
#define DOUBLE_DIGITS 767

/* All digits of v, not 0, that is. */
static void
expand(struct number *n, double v)
{
	char text[DOUBLE_DIGITS + 32];
	char *s = text;

	snprintf(text, sizeof(text), "%.*e", DOUBLE_DIGITS - 1,
		 __builtin_fabs(v));
	/* Behind the first digit is the point, whatever the locale has. */
	n->ndigits = 0;
	for (; *s && *s != 'e'; s++)
		if (tsl_is_digit(*s))
			n->text[n->ndigits++] = *s;
	n->exponent = strtol(s + 1, NULL, 10) - (int64_t)n->ndigits + 1;
}

static void
cut_zeros(struct number *n)
{
	while (n->ndigits > 1 && n->text[n->ndigits - 1] == '0') {
		n->ndigits--;
		n->exponent++;
	}
}

int
tsl_decimal_compare(const char *text, size_t len, double v)
{
	size_t sign = sign_span(text, len);
	struct number a, b;
	int64_t behind;
	int differ;

	rewrite(&a, text + sign, len - sign);
	if (v == 0)
		return a.text[0] != '0';
	if (a.text[0] == '0')
		return -1;
	expand(&b, v);
	cut_zeros(&a);
	cut_zeros(&b);
	behind = (a.exponent + (int64_t)a.ndigits) -
		 (b.exponent + (int64_t)b.ndigits);
	if (behind)
		return behind < 0 ? -1 : 1;
	differ = memcmp(a.text, b.text,
			a.ndigits < b.ndigits ? a.ndigits : b.ndigits);
	return differ ? differ
		      : (a.ndigits > b.ndigits) - (a.ndigits < b.ndigits);
}

uint16_t
tsl_half_bits(double v)
{
	return (uint16_t)tsl_minifloat_bits(TSL_FLOAT16, v, 0);
}
