/*
 * numbers.c - the cells that most texts are made of: numbers in a row
 *
 * The loop is there once for each kind and size, which are constants in it.
 */
#include "numbers.h"

#include "lib/base/ascii.h"
#include "lib/base/eight_digits.h"
#include "lib/base/number.h"
#include "lib/base/short_number.h"
#include "short_integers.h"

#include <string.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Bytes that are gone through cell by cell, where a row is no short one's. */
#define LEAST_STRETCH ((int64_t)256)

/* ---- one number ---------------------------------------------------------- */

/* What is the same for all of a column. */
struct type {
	bool is_swapped;
	uint64_t most, most_below; /* magnitudes of integers, above 0 and below
				    */
	const struct tsl_powers *powers;
};

static struct type
type_of(const struct column *c, const struct tsl_powers *powers)
{
	bool is_signed = c->dtype.kind != 'u';
	int64_t size = c->dtype.size < 8 ? c->dtype.size : 8;
	uint64_t most = UINT64_MAX >> (64 - 8 * size + is_signed);

	return (struct type){ .is_swapped = tsl_dtype_is_swapped(&c->dtype),
			      .most = most,
			      .most_below = is_signed ? most + 1 : 0,
			      .powers = powers };
}

ALWAYS_INLINE void
store(bool is_swapped, uint64_t bits, int64_t size, char *at)
{
	if (is_swapped)
		bits = __builtin_bswap64(bits) >> (64 - 8 * size);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	memcpy(at, &bits, (size_t)size);
#else
	memcpy(at, (char *)&bits + 8 - size, (size_t)size);
#endif
}

/* Digits alone; returns how many, 0 if they do not fit. */
static size_t
scan_magnitude(const char *text, size_t len, uint64_t *magnitude)
{
	uint64_t value = 0;
	size_t n = 0;

	for (; n < len && tsl_is_digit(text[n]); n++) {
		uint64_t digit = (uint64_t)(text[n] - '0');

		if (n < TSL_MAX_DIGITS)
			value = 10 * value + digit;
		else if (__builtin_mul_overflow(value, 10, &value) ||
			 __builtin_add_overflow(value, digit, &value))
			return 0;
	}
	*magnitude = value;
	return n;
}

/* Of all that is not short, and has no sign. */
static size_t
read_any_integer(const struct type *t, const char *text, size_t len,
		 int64_t size, char *element)
{
	bool minus = len > 0 && text[0] == '-';
	size_t sign = minus || (len > 0 && text[0] == '+');
	uint64_t magnitude;
	size_t n = scan_magnitude(text + sign, len - sign, &magnitude);

	if (n == 0 || magnitude > (minus ? t->most_below : t->most))
		return 0;
	store(t->is_swapped, minus ? -magnitude : magnitude, size, element);
	return sign + n;
}

/* Most have a few digits, and nothing in front of them. */
ALWAYS_INLINE size_t
read_integer(const struct type *t, const char *text, size_t len, int64_t size,
	     char *element)
{
	uint64_t v, magnitude;
	int n;

	if (len < 8)
		return read_any_integer(t, text, len, size, element);
	v = tsl_eight_load(text);
	n = tsl_eight_count(v);
	if (n == 0 || n == 8)
		return read_any_integer(t, text, len, size, element);
	magnitude = tsl_eight_value(tsl_eight_first(v, n));
	if (magnitude > t->most)
		return 0;
	store(t->is_swapped, magnitude, size, element);
	return (size_t)n;
}

ALWAYS_INLINE size_t
read_real(const struct type *t, const char *text, size_t len, int64_t size,
	  char *element)
{
	uint64_t bits;
	size_t n = 0;

	if (size >= 4 && len >= TSL_SHORT_NUMBER)
		n = tsl_short_number(text, t->powers, (int)size, &bits);
	if (n == 0)
		n = tsl_number_read(text, len, t->powers, (int)size, &bits);

	if (n > 0)
		store(t->is_swapped, bits, size, element);
	return n;
}

size_t
numbers_integer(const struct column *c, const char *text, size_t len,
		char *element)
{
	const struct type t = type_of(c, NULL);

	return read_integer(&t, text, len, c->dtype.size, element);
}

size_t
numbers_real(const struct column *c, const struct tsl_powers *powers,
	     const char *text, size_t len, int64_t size, char *element)
{
	const struct type t = type_of(c, powers);

	return read_real(&t, text, len, size, element);
}

void
numbers_store(const struct column *c, uint64_t bits, int64_t size,
	      char *element)
{
	store(tsl_dtype_is_swapped(&c->dtype), bits, size, element);
}

/* ---- many ---------------------------------------------------------------- */

ALWAYS_INLINE bool
divides(const struct numbers *n, char c)
{
	return c == n->delimiter || (n->by_blanks && c == '\t');
}

/* A carriage return counts in front of a newline alone. */
ALWAYS_INLINE const char *
skip_return(const char *s)
{
	return *s == '\r' && s[1] == '\n' ? s + 1 : s;
}

ALWAYS_INLINE size_t
read_number(const struct type *t, const char *text, const char *end,
	    bool is_real, int64_t size, char *element)
{
	size_t len = (size_t)(end - text);

	return is_real ? read_real(t, text, len, size, element)
		       : read_integer(t, text, len, size, element);
}

ALWAYS_INLINE const char *
skip_blanks(const struct numbers *n, char blank, const char *s)
{
	while (*s == blank || (*s == '\t' && n->by_blanks))
		s++;
	return s;
}

/* To the end of a row. */
ALWAYS_INLINE void
take_row(struct numbers *n, const struct type *t, bool is_real, int64_t size)
{
	const char *at = n->at, *behind;
	const char blank = n->blank;
	char *to = n->to;

	for (;;) {
		size_t len;

		at = skip_blanks(n, blank, at);
		len = read_number(t, at, n->end, is_real, size, to);
		if (len == 0)
			break;
		if (divides(n, at[len])) {
			at += len + 1;
			to += size;
			continue;
		}
		behind = skip_return(at + len);
		n->row_ends = *behind == '\n' || *behind == '#';
		at = n->row_ends ? behind : at;
		break;
	}
	n->count = (to - n->to) / size + n->row_ends;
	n->at = at;
}

/* Rows that are all alike, up to the first that begins at 'stop' or behind. */
ALWAYS_INLINE void
take_rows(struct numbers *n, const struct type *t, bool is_real, int64_t size,
	  const char *stop)
{
	const char *at = n->at;
	const char blank = n->blank;
	int64_t row = n->columns * size;
	char *to = n->to + n->count * size, *row_end = to + row;

	for (;;) {
		size_t len;

		at = skip_blanks(n, blank, at);
		len = read_number(t, at, n->end, is_real, size, to);
		if (len == 0 && !n->by_blanks)
			break;
		to += len > 0 ? size : 0;
		at += len;
		if (len > 0 && divides(n, *at)) {
			at++;
			continue;
		}
		at = skip_return(at);
		if (to != row_end || *at != '\n' || at == n->end)
			break;
		row_end += row;
		n->at = ++at;
		if (at >= stop)
			break;
	}
	n->count = (row_end - row - n->to) / size;
}

/* Between those that are short there may be others. */
ALWAYS_INLINE void
take_integer_rows(struct numbers *n, const struct type *t, int64_t size)
{
	int64_t stretch = LEAST_STRETCH;
	const char *stop;

	do {
		const char *from = n->at;

		short_integers_take(n);
		stretch = n->at - from > stretch ? LEAST_STRETCH : 2 * stretch;
		stop = n->end - n->at > stretch ? n->at + stretch : n->end;
		take_rows(n, t, false, size, stop);
	} while (n->at >= stop && n->at < n->end);
}

ALWAYS_INLINE void
take(struct numbers *n, bool is_real, int64_t size)
{
	const struct type t = type_of(n->column, n->powers);

	if (n->columns == 0)
		take_row(n, &t, is_real, size);
	else if (is_real)
		take_rows(n, &t, is_real, size, n->end);
	else
		take_integer_rows(n, &t, size);
}

static void
take_integers(struct numbers *n)
{
	switch (n->column->dtype.size) {
	case 1:
		take(n, false, 1);
		break;
	case 2:
		take(n, false, 2);
		break;
	case 4:
		take(n, false, 4);
		break;
	default:
		take(n, false, 8);
	}
}

static void
take_reals(struct numbers *n)
{
	switch (n->column->dtype.size) {
	case 2:
		take(n, true, 2);
		break;
	case 4:
		take(n, true, 4);
		break;
	default:
		take(n, true, 8);
	}
}

bool
numbers_has(const struct column *c)
{
	char kind = c->dtype.kind;

	return kind == 'i' || kind == 'u' ||
	       (kind == 'f' && c->dtype.size <= 8);
}

void
numbers_take(struct numbers *n)
{
	n->count = 0;
	n->row_ends = false;
	if (n->column->dtype.kind == 'f')
		take_reals(n);
	else
		take_integers(n);
}
