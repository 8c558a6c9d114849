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

/* ---- many real numbers --------------------------------------------------- */

/*
 * What is done with a number is done with a block of them before the next step:
 * none of them has to wait for the one before it.
 */
#define BLOCK 64

/* The digits of a number, below 10^17, zeros in front of them. */
#define FIELD 32

struct block {
	uint64_t bits[BLOCK]; /* without the sign */
	struct shortest number[BLOCK];
	char text[BLOCK * FIELD + SPARE];
};

/* How many digits a number below 10^17 has, 0 one. */
static int
count_digits(uint64_t value)
{
	static const uint64_t power[] = {
		1,
		10,
		100,
		1000,
		10000,
		100000,
		1000000,
		10000000,
		100000000,
		1000000000,
		10000000000,
		100000000000,
		1000000000000,
		10000000000000,
		100000000000000,
		1000000000000000,
		10000000000000000,
		100000000000000000,
	};
	int nbits = 64 - __builtin_clzll(value | 1);
	int n = nbits * 1233 >> 12; /* of the logarithm, or one more */

	return n + (n == 0 || value >= power[n]);
}

/*
 * A number below 10^8 as eight digits.  Halves of it lie side by side in one
 * word, and are divided together, by multiplication: by 100, then by 10.
 */
static inline void
put_eight(char *s, uint32_t value)
{
	uint64_t word = value / 10000 | (uint64_t)(value % 10000) << 32;
	uint64_t high = (word * 10486 >> 20) & UINT64_C(0x7F0000007F);

	word = high + ((word - high * 100) << 16);
	high = (word * 103 >> 10) & UINT64_C(0x000F000F000F000F);
	word = high + ((word - high * 10) << 8);
	word |= UINT64_C(0x3030303030303030);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	memcpy(s, &word, 8);
}

static inline void
put_field(char field[FIELD], uint64_t value, bool is_long)
{
	uint64_t high = value / 100000000;
	char *end = field + FIELD;

	memset(field, '0', FIELD);
	put_eight(end - 8, (uint32_t)(value % 100000000));
	if (is_long) {
		put_eight(end - 16, (uint32_t)(high % 100000000));
		high /= 100000000;
		end -= 8;
	}
	end[-9] = (char)('0' + high);
}

/*
 * Of a number below 1 zeros in front of its digits are some of them.  Copies of
 * fixed size go beyond what is wanted: that is written over.
 */
static char *
put_field_number(char *s, const char field[FIELD], struct shortest number)
{
	int n = count_digits(number.digits);
	int point = n + number.exponent;
	const char *first;
	int zeros;

	if (point < LEAST_POINT || point > MOST_POINT || number.exponent > 0)
		return put_number(s, field + FIELD - n, n, point);
	zeros = (1 - point) & -(point <= 0); /* no branch: see shortest.c */
	n += zeros;
	point += zeros;
	first = field + FIELD - n;
	memcpy(s, first, SPARE);
	s[point] = '.';
	if (n == point) {
		s[point + 1] = '0';
		return s + point + 2;
	}
	memcpy(s + point + 1, first + point, SPARE);
	return s + n + 1;
}

static char *
put_special(char *s, bool is_nan, bool is_negative)
{
	if (is_negative && !is_nan)
		*s++ = '-';
	memcpy(s, is_nan ? "nan" : "inf", 3);
	return s + 3;
}

static char *
put_block(char *s, struct block *b, const uint64_t bits[], int n,
	  const struct real_type *type, const char behind[])
{
	uint64_t sign = UINT64_C(1) << (type->nexponent + type->nfraction);
	uint64_t infinity = sign - (UINT64_C(1) << type->nfraction);
	uint64_t special = type->is_finite ? sign - 1 : infinity;

	for (int i = 0; i < n; i++)
		b->bits[i] = bits[i] & ~sign;
	shortest_of_each(b->number, b->bits, n, type);
	for (int i = 0; i < n; i++)
		put_field(b->text + i * FIELD, b->number[i].digits,
			  type->nbytes == 8);
	for (int i = 0; i < n; i++) {
		bool is_negative = (bits[i] & sign) != 0;

		if (b->bits[i] >= special) {
			s = put_special(s, b->bits[i] > infinity, is_negative);
		} else {
			*s = '-';
			s = put_field_number(s + is_negative,
					     b->text + i * FIELD, b->number[i]);
		}
		*s++ = behind[i];
	}
	return s;
}

char *
digits_reals(char *s, const uint64_t bits[], int n,
	     const struct real_type *type, const char behind[])
{
	struct block b;

	for (int i = 0; i < n; i += BLOCK)
		s = put_block(s, &b, bits + i, n - i < BLOCK ? n - i : BLOCK,
			      type, behind + i);
	return s;
}

char *
digits_real(char *s, uint64_t bits, const struct real_type *type)
{
	return digits_reals(s, &bits, 1, type, " ") - 1;
}
