/*
 * value.c - one element from the text of its cell
 */
#include "value.h"

#include "cli/print/element.h"
#include "date.h"
#include "lib/base/ascii.h"
#include "lib/base/decimal.h"
#include "lib/base/scalar.h"
#include "lib/base/utf8.h"
#include "numbers.h"

#include <string.h>

#define EXTENDED_SIZE 16

/* ---- numbers ------------------------------------------------------------- */

size_t
value_scan(const struct column *c, const struct tsl_powers *powers,
	   const char *text, size_t len, char *element)
{
	if (!numbers_has(c))
		return 0;
	return c->dtype.kind == 'f' ? numbers_real(c, powers, text, len,
						   c->dtype.size, element)
				    : numbers_integer(c, text, len, element);
}

bool
value_is_number(const char *text, size_t len)
{
	return len > 0 && tsl_decimal_span(text, len) == len;
}

/* "inf" and "nan" too, and what a scan does not do. */
static bool
parse_real(const struct column *c, const struct tsl_powers *powers,
	   const char *text, size_t len, int64_t size, char *element)
{
	struct column real = { .dtype = c->dtype };

	if (size < EXTENDED_SIZE &&
	    numbers_real(c, powers, text, len, size, element) == len && len > 0)
		return true;
	real.dtype.kind = 'f';
	real.dtype.size = size;
	real.dtype.descr = "''";
	return tsl_scalar_parse(&real.dtype, text, len, element, NULL) ==
	       TSL_OK;
}

/* "2j"; "j" and "-j" too, as Python has them. */
static bool
parse_imaginary(const struct column *c, const struct tsl_powers *powers,
		const char *text, size_t len, char *element)
{
	static const char *const ones[] = { "1", "-1" };
	bool minus = len > 0 && text[0] == '-';

	if (len == 0 || (text[len - 1] | 0x20) != 'j')
		return false;
	len--;
	if (len == 0 || (len == 1 && (minus || text[0] == '+'))) {
		text = ones[minus];
		len = strlen(text);
	}
	return parse_real(c, powers, text, len, c->dtype.size / 2, element);
}

/* 1, 2j, 1+2j */
static bool
parse_complex(const struct column *c, const struct tsl_powers *powers,
	      const char *text, size_t len, char *element)
{
	int64_t half = c->dtype.size / 2;
	size_t n = tsl_decimal_span(text, len);
	bool both = n > 0 && n < len && (text[n] == '+' || text[n] == '-');

	memset(element, 0, (size_t)c->dtype.size);
	if (n == len)
		return parse_real(c, powers, text, len, half, element);
	if (!both)
		return parse_imaginary(c, powers, text, len, element + half);
	return parse_real(c, powers, text, n, half, element) &&
	       parse_imaginary(c, powers, text + n, len - n, element + half);
}

/* ---- times --------------------------------------------------------------- */

static bool
is_nat(const char *text, size_t len)
{
	return len == 3 && (text[0] | 0x20) == 'n' && (text[1] | 0x20) == 'a' &&
	       (text[2] | 0x20) == 't';
}

static bool
parse_date(const struct column *c, const char *text, size_t len, char *element)
{
	int64_t value = ELEMENT_NAT;

	if (!is_nat(text, len) && !date_parse(text, len, c->step, &value))
		return false;
	numbers_store(c, (uint64_t)value, 8, element);
	return true;
}

/* The least integer is what is no time, and has a name. */
static bool
parse_span(const struct column *c, const char *text, size_t len, char *element)
{
	if (is_nat(text, len)) {
		numbers_store(c, (uint64_t)ELEMENT_NAT, 8, element);
		return true;
	}
	return len > 0 && numbers_integer(c, text, len, element) == len &&
	       element_int(&c->dtype, element) != ELEMENT_NAT;
}

/* ---- any ----------------------------------------------------------------- */

/* What a command line has for a value; there is no message to be made. */
static bool
parse_scalar(const struct column *c, const char *text, size_t len,
	     char *element)
{
	struct tsl_dtype dtype = c->dtype;

	dtype.descr = "''";
	return tsl_scalar_parse(&dtype, text, len, element, NULL) == TSL_OK;
}

bool
value_parse(const struct column *c, const struct tsl_powers *powers,
	    const char *text, size_t len, char *element)
{
	switch (c->dtype.kind) {
	case 'i':
	case 'u':
		return len > 0 && numbers_integer(c, text, len, element) == len;
	case 'f':
		return parse_real(c, powers, text, len, c->dtype.size, element);
	case 'c':
		return parse_complex(c, powers, text, len, element);
	case 'M':
		return parse_date(c, text, len, element);
	case 'm':
		return parse_span(c, text, len, element);
	default:
		return parse_scalar(c, text, len, element);
	}
}

int64_t
value_width(const struct column *c, const char *text, size_t len)
{
	int64_t width = 0;

	if (c->dtype.kind == 'S')
		return (int64_t)len;
	for (size_t i = 0; i < len; width++)
		if (tsl_utf8_next(text, len, &i) == UINT32_MAX)
			return -1;
	return width;
}
