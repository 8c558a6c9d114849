/*
 * test_lib.c - integers, shapes, sizes, encodings and text
 */
#include "check.h"

#include "lib/base/integer.h"
#include "lib/base/utf8.h"
#include "lib/spec/lex.h"
#include "lib/tslice.h"

static enum tsl_status
parse_int(const char *text, int64_t *value)
{
	return tsl_parse_int64(text, strlen(text), value);
}

static void
test_integers_are_exact_over_int64(void)
{
	int64_t v;

	CHECK_EQ(parse_int("0", &v), TSL_OK);
	CHECK_EQ(v, 0);
	CHECK_EQ(parse_int("-0", &v), TSL_OK);
	CHECK_EQ(v, 0);
	CHECK_EQ(parse_int("9223372036854775807", &v), TSL_OK);
	CHECK_EQ(v, INT64_MAX);
	CHECK_EQ(parse_int("-9223372036854775808", &v), TSL_OK);
	CHECK_EQ(v, INT64_MIN);
	CHECK_EQ(parse_int("9223372036854775808", &v), TSL_EOVERFLOW);
	CHECK_EQ(v, INT64_MAX);
	CHECK_EQ(parse_int("-9223372036854775809", &v), TSL_EOVERFLOW);
	CHECK_EQ(v, INT64_MIN);
}

static void
test_other_spellings_of_integers_are_refused(void)
{
	static const char *const bad[] = { "",    "-",   "+1",  "01",
					   "1 ",  " 1",  "0x1", "1e3",
					   "1_0", "--1", "-01", "1L" };
	int64_t v;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK(parse_int(bad[i], &v) == TSL_ESYNTAX, "'%s'", bad[i]);
}

static void
check_shape(const char *text, const char *want)
{
	char got[TSL_SHAPE_TEXT];
	struct tsl_error err;
	struct tsl_shape s;

	if (tsl_shape_parse(&s, text, strlen(text), &err))
		snprintf(got, sizeof(got), "! %s", tsl_status_kind(err.code));
	else
		tsl_shape_format(&s, got);
	CHECK(strcmp(got, want) == 0, "'%s': got %s, want %s", text, got, want);
}

static void
test_shape_literals(void)
{
	check_shape("(2, 3, ?)", "(2, 3, ?)");
	check_shape("[2,3,-1]", "(2, 3, ?)");
	check_shape("2,3,?", "(2, 3, ?)");
	check_shape(" ( 7 , ) ", "(7,)");
	check_shape("7", "(7,)");
	check_shape("()", "()");
	check_shape("[ ]", "()");
	check_shape("unknown", "unknown");
	check_shape("", "! syntax");
	check_shape("(2", "! syntax");
	check_shape("(2,,3)", "! syntax");
	check_shape("(2, -2)", "! syntax");
	check_shape("9223372036854775808", "! overflow");
}

static void
test_sizes_are_checked_beside_a_zero(void)
{
	struct tsl_array a = { .ndim = 3, .dtype = { .size = 8 } };

	a.dim[0] = 0;
	a.dim[1] = INT64_C(1) << 40;
	a.dim[2] = INT64_C(1) << 20;
	CHECK_EQ(tsl_array_check(&a, NULL), TSL_ETOO_LARGE);
	a.dim[2] = (INT64_C(1) << 20) - 1;
	CHECK_EQ(tsl_array_check(&a, NULL), TSL_OK);
	CHECK_EQ(tsl_array_nbytes(&a), 0);
	a.dtype.size = 0; /* elements of no size still have to be counted */
	a.dim[0] = 8;
	a.dim[2] = INT64_C(1) << 20;
	CHECK_EQ(tsl_array_check(&a, NULL), TSL_ETOO_LARGE);
}

static enum tsl_status
encode_one(struct tsl_encoding *e, int64_t begin, int64_t end, int64_t stride,
	   uint32_t begin_mask, uint32_t shrink_mask)
{
	const struct tsl_vectors v = {
		.nbegin = 1,
		.nend = 1,
		.nstrides = 1,
		.begin = &begin,
		.end = &end,
		.strides = &stride,
		.begin_mask = begin_mask,
		.shrink_axis_mask = shrink_mask,
	};

	return tsl_encode_vectors(e, &v, NULL);
}

static void
test_what_is_not_looked_at_is_dropped(void)
{
	struct tsl_encoding e;

	CHECK_EQ(encode_one(&e, 5, 3, 2, 1, 0), TSL_OK);
	CHECK_EQ(e.begin[0], 0);
	CHECK_EQ(e.end[0], 3);
	CHECK_EQ(encode_one(&e, INT64_MAX, 0, 7, 0, 1), TSL_OK);
	CHECK_EQ(e.end[0], INT64_MAX);
	CHECK_EQ(e.strides[0], 1);
	CHECK_EQ(encode_one(&e, 0, 0, 0, 0, 1), TSL_EZERO_STRIDE);
	CHECK_EQ(encode_one(&e, 0, 0, INT64_MIN, 0, 1), TSL_EBAD_SHRINK_STRIDE);
}

static void
test_tokens_end_where_text_ends(void)
{
	struct tsl_lexer lex = { "1  2", 2, 0 };
	struct tsl_token token;

	CHECK_EQ(tsl_lex(&lex, &token, NULL), TSL_OK);
	CHECK_EQ(token.kind, TSL_TOKEN_INT);
	CHECK_EQ(tsl_lex(&lex, &token, NULL), TSL_OK);
	CHECK_EQ(token.kind, TSL_TOKEN_END);
	CHECK_EQ(token.pos, 2);
}

/* What begins with these bytes, of which 'len' are there. */
static void
check_code(const char *bytes, size_t len, uint32_t code, size_t used)
{
	size_t i = 0;

	CHECK_EQ(tsl_utf8_next(bytes, len, &i), code);
	CHECK_EQ(i, used);
}

static void
test_code_points_end_where_text_ends(void)
{
	static const char *const points[] = { "A", "\u00e9", "\u20ac",
					      "\U0001f600" };
	static const uint32_t codes[] = { 'A', 0xE9, 0x20AC, 0x1F600 };

	for (size_t n = 1; n <= 4; n++) {
		check_code(points[n - 1], n, codes[n - 1], n);
		/* The rest of it is there, but not to be read. */
		for (size_t len = 1; len < n; len++)
			check_code(points[n - 1], len, UINT32_MAX, 1);
	}
	check_code("\x80\x80", 2, UINT32_MAX, 1);
	check_code("\xc1\xbf", 2, UINT32_MAX, 1);
	check_code("\xed\xa0\x80", 3, UINT32_MAX, 1);
	check_code("\xf4\x90\x80\x80", 4, UINT32_MAX, 1);
	check_code("\xc3\xc3", 2, UINT32_MAX, 1);
}

int
main(void)
{
	RUN(test_integers_are_exact_over_int64);
	RUN(test_other_spellings_of_integers_are_refused);
	RUN(test_shape_literals);
	RUN(test_sizes_are_checked_beside_a_zero);
	RUN(test_what_is_not_looked_at_is_dropped);
	RUN(test_tokens_end_where_text_ends);
	RUN(test_code_points_end_where_text_ends);
	return check_done();
}
