/*
 * scalar.c - one element from text, as it stands on a command line
 */
#include "scalar.h"

#include "ascii.h"
#include "decimal.h"
#include "utf8.h"

#include <float.h>
#include <string.h>

/* Bytes of a long double that are its value; those behind them are padding. */
#define EXTENDED_VALUE (LDBL_MANT_DIG == 64 ? 10 : sizeof(long double))
#define EXTENDED_SIZE 16

/* A message shows no more of the text. */
#define MAX_SHOWN 60

static bool
is_text(const char *text, size_t len, const char *word)
{
	return len == strlen(word) && memcmp(text, word, len) == 0;
}

static bool
is_sign(char c)
{
	return c == '+' || c == '-';
}

/* Stores the last 'size' bytes of 'bits' in the type's order. */
static void
store_bits(const struct tsl_dtype *t, uint64_t bits, int64_t size, char *at)
{
	for (int64_t i = 0; i < size; i++, bits >>= 8)
		at[t->order == '>' ? size - 1 - i : i] = (char)bits;
}

/* ---- booleans and integers ----------------------------------------------- */

static bool
parse_bool(const char *text, size_t len, char *element)
{
	bool is_true = is_text(text, len, "true") ||
		       is_text(text, len, "True") || is_text(text, len, "1");

	*element = is_true;
	return is_true || is_text(text, len, "false") ||
	       is_text(text, len, "False") || is_text(text, len, "0");
}

/* Digits alone, as many as there are. */
static bool
parse_magnitude(const char *text, size_t len, uint64_t *magnitude)
{
	*magnitude = 0;
	for (size_t i = 0; i < len; i++) {
		uint64_t digit = (uint64_t)(text[i] - '0');

		if (!tsl_is_digit(text[i]) ||
		    __builtin_mul_overflow(*magnitude, 10, magnitude) ||
		    __builtin_add_overflow(*magnitude, digit, magnitude))
			return false;
	}
	return len > 0;
}

static bool
parse_integer(const struct tsl_dtype *t, const char *text, size_t len,
	      char *element)
{
	bool minus = len > 0 && text[0] == '-';
	size_t sign = len > 0 && is_sign(text[0]);
	int bits = (int)t->size * 8 - (t->kind == 'i');
	uint64_t most = UINT64_MAX >> (64 - bits), magnitude;

	if (minus)
		most = t->kind == 'i' ? most + 1 : 0;
	if (!parse_magnitude(text + sign, len - sign, &magnitude) ||
	    magnitude > most)
		return false;
	store_bits(t, minus ? -magnitude : magnitude, t->size, element);
	return true;
}

/* ---- floating-point numbers ---------------------------------------------- */

static void
store_extended(const struct tsl_dtype *t, long double v, char *at)
{
	char bytes[EXTENDED_SIZE] = { 0 };
	bool swapped = tsl_dtype_is_swapped(t);

	memcpy(bytes, &v, EXTENDED_VALUE);
	for (int i = 0; i < EXTENDED_SIZE; i++)
		at[i] = bytes[swapped ? EXTENDED_SIZE - 1 - i : i];
}

/* A number of 'size' bytes, rounded twice if that is less than a double. */
static void
store_double(const struct tsl_dtype *t, double v, int64_t size, char *at)
{
	float single = (float)v;
	uint64_t twice;
	uint32_t once;

	memcpy(&twice, &v, sizeof(twice));
	memcpy(&once, &single, sizeof(once));
	if (size == EXTENDED_SIZE)
		store_extended(t, v, at);
	else
		store_bits(t,
			   size == 2   ? tsl_half_bits(v)
			   : size == 4 ? once
				       : twice,
			   size, at);
}

static bool
is_number(const char *text, size_t len)
{
	return len > 0 && tsl_decimal_span(text, len) == len;
}

static bool
parse_real(const struct tsl_dtype *t, const char *text, size_t len,
	   char *element)
{
	if (!is_number(text, len))
		return false;
	if (t->size == EXTENDED_SIZE)
		store_extended(t, tsl_decimal_extended(text, len), element);
	else
		store_double(t, tsl_decimal_double(text, len), t->size,
			     element);
	return true;
}

/* Rounded once: to a double first, and by what is lost there. */
static bool
parse_minifloat(const struct tsl_dtype *t, const char *text, size_t len,
		char *element)
{
	bool is_finite;
	double v;

	if (!is_number(text, len))
		return false;
	v = tsl_decimal_double(text, len);
	is_finite = v - v == 0;
	store_bits(t,
		   tsl_minifloat_bits(
			   t->number, v,
			   is_finite ? tsl_decimal_compare(text, len, v) : 0),
		   t->size, element);
	return true;
}

static bool
parse_double(const char *text, size_t len, double *v)
{
	if (!is_number(text, len))
		return false;
	*v = tsl_decimal_double(text, len);
	return true;
}

/* "2j"; "j" and "-j" too, as Python has them. */
static bool
parse_imaginary(const char *text, size_t len, double *v)
{
	if (len == 0 || (text[len - 1] | 0x20) != 'j')
		return false;
	len--;
	if (len == 0 || (len == 1 && is_sign(text[0]))) {
		*v = text[0] == '-' ? -1 : 1;
		return true;
	}
	return parse_double(text, len, v);
}

/* Both parts are doubles first, those of long doubles too: so NumPy has it. */
static bool
parse_complex(const struct tsl_dtype *t, const char *text, size_t len,
	      char *element)
{
	size_t n = tsl_decimal_span(text, len);
	int64_t half = t->size / 2;
	double re = 0, im = 0;

	if (!parse_double(text, len, &re) && !parse_imaginary(text, len, &im) &&
	    !(n > 0 && n < len && is_sign(text[n]) &&
	      parse_double(text, n, &re) &&
	      parse_imaginary(text + n, len - n, &im)))
		return false;
	store_double(t, re, half, element);
	store_double(t, im, half, element + half);
	return true;
}

/* ---- text ---------------------------------------------------------------- */

static bool
parse_bytes(const struct tsl_dtype *t, const char *text, size_t len,
	    char *element)
{
	if (len > (size_t)t->size)
		return false;
	memcpy(element, text, len);
	memset(element + len, 0, (size_t)t->size - len);
	return true;
}

static bool
parse_unicode(const struct tsl_dtype *t, const char *text, size_t len,
	      char *element)
{
	int64_t at = 0;

	for (size_t i = 0; i < len; at += 4) {
		uint32_t c = tsl_utf8_next(text, len, &i);

		if (c == UINT32_MAX || at == t->size)
			return false;
		store_bits(t, c, 4, element + at);
	}
	memset(element + at, 0, (size_t)(t->size - at));
	return true;
}

/* ---- any type ------------------------------------------------------------ */

static bool
parse(const struct tsl_dtype *t, const char *text, size_t len, char *element)
{
	if (t->number)
		return parse_minifloat(t, text, len, element);
	switch (t->kind) {
	case 'b':
		return parse_bool(text, len, element);
	case 'i':
	case 'u':
		return parse_integer(t, text, len, element);
	case 'f':
		return parse_real(t, text, len, element);
	case 'c':
		return parse_complex(t, text, len, element);
	case 'S':
		return parse_bytes(t, text, len, element);
	case 'U':
		return parse_unicode(t, text, len, element);
	default:
		return false;
	}
}

/* How much of the text a message shows: whole characters. */
static int
shown_length(const char *text, size_t len)
{
	size_t n = MAX_SHOWN;

	if (len <= MAX_SHOWN)
		return (int)len;
	while (n > 0 && ((unsigned char)text[n] & 0xC0) == 0x80)
		n--;
	return (int)n;
}

enum tsl_status
tsl_scalar_parse(const struct tsl_dtype *dtype, const char *text, size_t len,
		 char *element, struct tsl_error *err)
{
	int shown = shown_length(text, len), name_len;
	const char *name = tsl_dtype_name(dtype, &name_len);

	if (parse(dtype, text, len, element))
		return TSL_OK;
	if (!strchr("biufcSU", dtype->kind) && !dtype->number)
		return tsl_fail(err, TSL_EBAD_VALUE,
				"no element of type %.*s can be given as text",
				name_len, name);
	return tsl_fail(err, TSL_EBAD_VALUE,
			"'%.*s%s' is not a value of type %.*s", shown, text,
			len > MAX_SHOWN ? "..." : "", name_len, name);
}
