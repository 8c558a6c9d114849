/*
 * digits.c - numbers as text, fast
 */
#include "digits.h"

#include "shortest.h"

#include <stdbool.h>
#include <string.h>

/* Where Python goes over to powers of ten. */
#define LEAST_POINT (-3)
#define MOST_POINT 16

/* What may be copied of a number's digits, whatever is behind them. */
#define SPARE 24

/* The digits of 0 to 99, which are had two at a time. */
static const char pairs[] =
	"00010203040506070809101112131415161718192021222324"
	"25262728293031323334353637383940414243444546474849"
	"50515253545556575859606162636465666768697071727374"
	"75767778798081828384858687888990919293949596979899";

/* At most 16 of them. */
static char *
put_zeros(char *s, int n)
{
	memset(s, '0', 16);
	return s + n;
}

/* A copy of fixed size costs no call; there is room, and more may be read. */
static char *
put_some(char *s, const char *digits, int n)
{
	if (n <= SPARE)
		memcpy(s, digits, SPARE);
	else
		memcpy(s, digits, (size_t)n);
	return s + n;
}

/* Writes digits that end before 'end'; returns where they begin. */
static char *
put_before(char *end, uint64_t value)
{
	while (value >= 100) {
		end -= 2;
		memcpy(end, pairs + 2 * (value % 100), 2);
		value /= 100;
	}
	if (value < 10) {
		*--end = (char)('0' + value);
		return end;
	}
	end -= 2;
	memcpy(end, pairs + 2 * value, 2);
	return end;
}

char *
digits_unsigned(char *s, uint64_t value)
{
	char text[20 + SPARE];
	char *end = text + 20;
	char *first = put_before(end, value);

	return put_some(s, first, (int)(end - first));
}

char *
digits_signed(char *s, int64_t value)
{
	if (value >= 0)
		return digits_unsigned(s, (uint64_t)value);
	*s++ = '-';
	return digits_unsigned(s, -(uint64_t)value);
}

static char *
put_scientific(char *s, const char *digits, int n, int e)
{
	*s++ = digits[0];
	if (n > 1) {
		*s++ = '.';
		s = put_some(s, digits + 1, n - 1);
	}
	*s++ = 'e';
	*s++ = e < 0 ? '-' : '+';
	e = e < 0 ? -e : e;
	if (e < 10)
		*s++ = '0';
	return digits_unsigned(s, (uint64_t)e);
}

/* n digits, with the point before digits[point]. */
static char *
put_number(char *s, const char *digits, int n, int point)
{
	if (point < LEAST_POINT || point > MOST_POINT)
		return put_scientific(s, digits, n, point - 1);
	if (point <= 0) {
		*s++ = '0';
		*s++ = '.';
		s = put_zeros(s, -point);
		return put_some(s, digits, n);
	}
	if (n <= point) {
		s = put_some(s, digits, n);
		s = put_zeros(s, point - n);
		*s++ = '.';
		*s++ = '0';
		return s;
	}
	s = put_some(s, digits, point);
	*s++ = '.';
	return put_some(s, digits + point, n - point);
}

char *
digits_decimal(char *s, const struct decimal *d)
{
	bool is_zero = d->ndigits == 1 && d->digits[0] == '0';

	return put_number(s, d->digits, d->ndigits, is_zero ? 1 : d->point);
}

char *
digits_real(char *s, uint64_t bits, const struct real_type *type)
{
	uint64_t sign = UINT64_C(1) << (type->nexponent + type->nfraction);
	uint64_t infinity = sign - (UINT64_C(1) << type->nfraction);
	struct shortest number;
	char text[20 + SPARE];
	char *end = text + 20;
	char *first;

	if (type->is_finite)
		infinity = sign - 2;
	if ((bits & ~sign) > infinity) {
		memcpy(s, "nan", 3);
		return s + 3;
	}
	if (bits & sign)
		*s++ = '-';
	if ((bits & ~sign) == infinity && !type->is_finite) {
		memcpy(s, "inf", 3);
		return s + 3;
	}
	number = shortest_of(bits & ~sign, type);
	first = put_before(end, number.digits);
	return put_number(s, first, (int)(end - first),
			  (int)(end - first) + number.exponent);
}
