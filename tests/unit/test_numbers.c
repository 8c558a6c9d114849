/*
 * test_numbers.c - rows of numbers in text, many at once, against a plain loop
 */
#include "check.h"

#include "cli/parse/numbers.h"
#include "cli/parse/short_integers.h"
#include "lib/kernel/types.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>

#define MOST_COLUMNS 40
#define MOST_TEXT 40000

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define NATIVE '<'
#else
#define NATIVE '>'
#endif

static uint64_t seed = 1;
static struct tsl_powers powers;

/* A text, and what its rows are to be. */
struct text {
	char s[MOST_TEXT + 1];
	int len;
	char delimiter;
	int64_t columns;
	int strange; /* one cell in so many; 0: none */
	int64_t most; /* of integers */
	bool below; /* integers may be */
};

/* ---- texts --------------------------------------------------------------- */

static void __attribute__((format(printf, 2, 3)))
add(struct text *t, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	t->len += vsnprintf(t->s + t->len, sizeof(t->s) - (size_t)t->len,
			    format, ap);
	va_end(ap);
}

/* What is no plain cell, or more than one, or none. */
static void
add_strange(struct text *t)
{
	static const char *const strange[] = {
		"",       "+5",   "x",
		"\"5\"",  "5 ",   " 5",
		"  7",    "\t3",  "-",
		"1-2",    "--4",  "9\r",
		"# no",   "-0",   "007",
		"123456", "5#",   "1234567890123456789012",
		"256",    "-129", "\n",
		"- 1",    "1.5",  "x5",
		"\r",
	};
	int n = (int)(sizeof(strange) / sizeof(strange[0]));

	add(t, "%s", strange[check_between(&seed, 0, n - 1)]);
}

static void
add_integer(struct text *t)
{
	add(t, "%s%lld", t->below && check_between(&seed, 0, 2) == 0 ? "-" : "",
	    (long long)check_between(&seed, 0, t->most));
}

static void
add_real(struct text *t)
{
	double v = (double)(int64_t)check_random(&seed) / 0x1p62;
	int digits = (int)check_between(&seed, 0, 19);

	switch (check_between(&seed, 0, 5)) {
	case 0:
		add(t, "%d", (int)(v * 1e6));
		break;
	case 1:
		add(t, "%.*e", digits, v);
		break;
	case 2:
		add(t, "%.*f", digits, v * 1e5);
		break;
	default:
		add(t, "%.17g", v);
	}
}

static void
add_row(struct text *t, bool is_real)
{
	for (int64_t i = 0; i < t->columns; i++) {
		if (i > 0)
			add(t, "%c", t->delimiter);
		if (t->strange && check_between(&seed, 1, t->strange) == 1)
			add_strange(t);
		else if (is_real)
			add_real(t);
		else
			add_integer(t);
	}
	if (t->strange && check_between(&seed, 1, t->strange) == 1)
		add(t, "%c", t->delimiter);
	add(t, "%s",
	    check_between(&seed, 0, 20) || !t->strange ? "\n" : "\r\n");
}

static void
draw_text(struct text *t, bool is_real)
{
	static const int strange[] = { 0, 30, 1000 };
	static const int64_t most[] = {
		9, 99, 128, 256, 999, 9999, 10010, 99999,
	};
	int64_t rows = check_between(&seed, 1, 100);

	t->len = 0;
	t->delimiter = " ,;"[check_between(&seed, 0, 2)];
	t->columns = check_between(&seed, 1, MOST_COLUMNS);
	t->strange = strange[check_between(&seed, 0, 2)];
	t->most = most[check_between(&seed, 0, 7)];
	t->below = check_between(&seed, 0, 1);
	while (rows-- > 0 && t->len < MOST_TEXT / 2)
		add_row(t, is_real);
}

/* ---- the plain loop ------------------------------------------------------ */

/* Bits of the number at 's', and its bytes; 0: it is none, or does not fit. */
static size_t
read_integer(const char *s, const struct tsl_dtype *type, uint64_t *bits)
{
	int nbits = (int)type->size * 8 - (type->kind == 'i');
	uint64_t most = UINT64_MAX >> (64 - nbits), v;
	bool minus = *s == '-';
	char *end;

	if (!isdigit((unsigned char)s[minus || *s == '+']))
		return 0;
	v = strtoull(s + (minus || *s == '+'), &end, 10);
	if (minus)
		most = type->kind == 'i' ? most + 1 : 0;
	*bits = minus ? -v : v;
	/* The only one with as many digits. */
	return v > most || end - s > 20 ? 0 : (size_t)(end - s);
}

static size_t
read_real(const char *s, const struct tsl_dtype *type, uint64_t *bits)
{
	bool has_sign = *s == '-' || *s == '+';
	char *end;
	double twice = strtod(s, &end);
	float once = strtof(s, NULL);
	uint32_t word;

	/* No "0x", and no letters. */
	if (!isdigit((unsigned char)s[has_sign]))
		return 0;
	memcpy(bits, &twice, sizeof(twice));
	memcpy(&word, &once, sizeof(once));
	*bits = type->size == 4 ? word : *bits;
	return (size_t)(end - s);
}

/* A whole row at 's', as bits; what is behind it, or NULL: it is another. */
static const char *
read_row(const struct text *t, const char *s, const struct tsl_dtype *type,
	 uint64_t bits[MOST_COLUMNS])
{
	bool by_blanks = t->delimiter == ' ';
	int64_t n = 0;

	for (;;) {
		size_t len;
		uint64_t v;

		while (*s == ' ' || (*s == '\t' && by_blanks))
			s++;
		len = type->kind == 'f' ? read_real(s, type, &v)
					: read_integer(s, type, &v);
		s += len;
		if ((len == 0 && !by_blanks) || (len > 0 && n == t->columns))
			return NULL;
		if (len > 0)
			bits[n++] = v;
		if (len == 0 ||
		    !(*s == t->delimiter || (*s == '\t' && by_blanks)))
			break;
		s++;
	}
	s += *s == '\r' && s[1] == '\n';
	return *s == '\n' && n == t->columns ? s + 1 : NULL;
}

/* ---- checks -------------------------------------------------------------- */

static bool
is_element(const char *at, uint64_t bits, int64_t size)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return memcmp(at, &bits, (size_t)size) == 0;
#else
	return memcmp(at, (char *)&bits + 8 - size, (size_t)size) == 0;
#endif
}

/* The rows from 'first' on, as many as are alike; 'made' are the elements. */
static void
check_rows(const struct text *t, const struct numbers *n, const char *first,
	   const char *made)
{
	const struct tsl_dtype *type = &n->column->dtype;
	const char *s = first, *next = first;
	uint64_t bits[MOST_COLUMNS];
	int64_t count = 0;

	for (; s < n->end; s = next) {
		next = read_row(t, s, type, bits);
		/* What ends the last line is not its own. */
		if (!next || next > n->end || count >= n->count)
			break;
		for (int64_t i = 0; i < t->columns; i++, count++)
			CHECK(is_element(made + count * type->size, bits[i],
					 type->size),
			      "%c%d: cell %lld of '%.*s'", type->kind,
			      (int)type->size, (long long)i, (int)(next - s),
			      s);
	}
	CHECK_EQ(n->count, count);
	CHECK(n->at == s, "%c%d: at '%.30s', not '%.30s'", type->kind,
	      (int)type->size, n->at, s);
	CHECK(s == n->end || !next || next > n->end,
	      "%c%d: '%.60s' is one more row", type->kind, (int)type->size, s);
}

/* The text, and the elements, end where their memory does. */
static void
check_text(const struct text *t, const struct column *column)
{
	size_t len = (size_t)(t->len - (check_between(&seed, 0, 9) == 0));
	size_t room = len / 2 + NUMBERS_MORE;
	char *copy = malloc(len + 1), *first = copy;
	char *made = malloc(room * (size_t)column->dtype.size);
	struct numbers n = { .column = column,
			     .powers = &powers,
			     .delimiter = t->delimiter,
			     .by_blanks = t->delimiter == ' ',
			     .blank = ' ',
			     .columns = t->columns,
			     .text = copy,
			     .end = copy + len,
			     .to = made };

	memcpy(copy, t->s, len);
	copy[len] = '\n';
	if (check_between(&seed, 0, 3) > 0)
		first = (char *)memchr(copy, '\n', len + 1) + 1;
	n.at = first < n.end ? first : copy;
	first = (char *)n.at;
	numbers_take(&n);
	check_rows(t, &n, first, made);
	free(made);
	free(copy);
}

static void
check_kind(char kind, const int *sizes, int nsizes)
{
	static struct text t;
	struct column column = { .dtype = { .kind = kind, .order = NATIVE } };

	for (int i = 0; i < 300; i++) {
		draw_text(&t, kind == 'f');
		column.dtype.size = sizes[i % nsizes];
		tsl_plain_kernels = i / nsizes % 2;
		check_text(&t, &column);
	}
	tsl_plain_kernels = false;
}

/* As many cells as there can be, in blocks that end where the text does. */
static void
test_dense_rows(void)
{
	static struct text t = { .delimiter = ' ', .columns = 32 };
	struct column column = {
		.dtype = { .kind = 'i', .order = NATIVE, .size = 8 }
	};

	for (t.len = 0; t.len < 64 * 20;)
		add(&t, "%d%c", t.len % 10, t.len % 64 == 62 ? '\n' : ' ');
	for (int i = 0; i < 20; i++)
		check_text(&t, &column);
}

/* What they are is known from numbers_take(), by whichever way it went. */
static void
test_short_integers_go_by_blocks(void)
{
#ifdef __SSE2__
	static struct text t = { .delimiter = ',', .columns = 4 };
	static int64_t made[MOST_TEXT / 2 + NUMBERS_MORE];
	struct column column = {
		.dtype = { .kind = 'i', .order = NATIVE, .size = 8 }
	};
	struct numbers n = { .column = &column,
			     .delimiter = t.delimiter,
			     .blank = ' ',
			     .columns = t.columns,
			     .text = t.s,
			     .to = (char *)made };

	while (t.len < 1000)
		add(&t, "1,-22,333,-4444\n");
	n.at = t.s + 16;
	n.end = t.s + t.len;
	short_integers_take(&n);
	CHECK(n.end - n.at < 128, "%d bytes are left", (int)(n.end - n.at));
	CHECK_EQ(n.count, (n.at - t.s) / 16 * 4 - 4);
#endif
}

static void
test_rows_of_integers(void)
{
	static const int sizes[] = { 1, 2, 4, 8 };

	check_kind('i', sizes, 4);
	check_kind('u', sizes, 4);
}

static void
test_rows_of_reals(void)
{
	static const int sizes[] = { 4, 8 };

	check_kind('f', sizes, 2);
}

int
main(void)
{
	tsl_powers_init(&powers);
	RUN(test_dense_rows);
	RUN(test_short_integers_go_by_blocks);
	RUN(test_rows_of_integers);
	RUN(test_rows_of_reals);
	return check_done();
}
