/*
 * test_shape.c - the algebra of shapes, as in java-ndarray's ShapeTest
 */
#include "check.h"

#include "lib/base/shape.h"

static struct tsl_shape
shape(const char *text)
{
	struct tsl_shape s = { .ndim = 0 };

	CHECK(tsl_shape_parse(&s, text, strlen(text), NULL) == TSL_OK, "%s",
	      text);
	return s;
}

static void
check_list(const char *text, const char *want)
{
	struct tsl_shape s = shape(text);
	char got[TSL_SHAPE_TEXT];

	tsl_shape_format_list(&s, got);
	CHECK_STR(got, want);
}

static void
test_to_string(void)
{
	check_list("unknown", "null");
	check_list("(5,)", "[5]");
	check_list("(?, 4)", "[-1, 4]");
	check_list("()", "[]");
	check_list("(2, 3)", "[2, 3]");
}

static void
test_as_array(void)
{
	struct tsl_shape s = shape("(5, 4, 5)");

	CHECK_EQ(s.ndim, 3);
	CHECK_EQ(s.dim[0], 5);
	CHECK_EQ(s.dim[1], 4);
	CHECK_EQ(s.dim[2], 5);
	CHECK_EQ(shape("unknown").ndim, TSL_UNKNOWN);
}

static void
test_compatible_sizes(void)
{
	CHECK(tsl_dim_is_compatible(3, 3), "equal");
	CHECK(tsl_dim_is_compatible(0, 0), "equal");
	CHECK(tsl_dim_is_compatible(-1, 4), "unknown");
	CHECK(tsl_dim_is_compatible(0, -1), "unknown");
	CHECK(tsl_dim_is_compatible(-1, -1), "both unknown");
	CHECK(!tsl_dim_is_compatible(3, 4), "different");
	CHECK(!tsl_dim_is_compatible(0, 1), "no broadcasting");
}

static void
check_pair(const char *a, const char *b, bool compatible, bool equal)
{
	struct tsl_shape x = shape(a), y = shape(b);

	CHECK(tsl_shape_is_compatible(&x, &y) == compatible, "%s, %s", a, b);
	CHECK(tsl_shape_is_compatible(&y, &x) == compatible, "%s, %s", b, a);
	CHECK(tsl_shape_equals(&x, &y) == equal, "%s, %s", a, b);
}

static void
test_compatible_and_equal_shapes(void)
{
	check_pair("(2, 3)", "(2, 3)", true, true);
	check_pair("()", "()", true, true);
	check_pair("(2, 3)", "(?, 3)", true, false);
	check_pair("(?,)", "(?,)", true, false);
	check_pair("unknown", "unknown", true, false);
	check_pair("unknown", "(2, 3)", true, false);
	check_pair("(2, 3)", "(2, 3, 1)", false, false);
	check_pair("(1, 3)", "(2, 3)", false, false);
}

static void
check_size(const char *text, int64_t want)
{
	struct tsl_shape s = shape(text);
	int64_t size;

	CHECK_EQ(tsl_shape_size(&s, &size, NULL), TSL_OK);
	CHECK(size == want, "%s: %lld", text, (long long)size);
}

static void
test_sizes(void)
{
	struct tsl_shape s = shape("(4294967296, 4294967296)");
	int64_t size;

	check_size("()", 1);
	check_size("(2, 3)", 6);
	check_size("(0, ?)", TSL_UNKNOWN);
	check_size("unknown", TSL_UNKNOWN);
	check_size("(4294967296, 0, 4294967296)", 0);
	CHECK_EQ(tsl_shape_size(&s, &size, NULL), TSL_EOVERFLOW);
}

static void
test_parts_fail_by_name(void)
{
	struct tsl_shape s = shape("(2, 4, 6)");
	struct tsl_shape unknown = shape("unknown");
	struct tsl_shape scalar = shape("()");
	struct tsl_shape out;

	CHECK_EQ(tsl_shape_sub(&out, &s, 0, 4, NULL), TSL_EINDEX_OUT_OF_BOUNDS);
	CHECK_EQ(tsl_shape_sub(&out, &s, -1, 2, NULL),
		 TSL_EINDEX_OUT_OF_BOUNDS);
	CHECK_EQ(tsl_shape_sub(&out, &s, 2, 1, NULL), TSL_ENEGATIVE_SIZE);
	CHECK_EQ(tsl_shape_sub(&out, &s, 3, 3, NULL), TSL_OK);
	CHECK_EQ(out.ndim, 0);
	CHECK_EQ(tsl_shape_take(&out, &unknown, 0, NULL), TSL_EUNKNOWN_RANK);
	CHECK_EQ(tsl_shape_take_last(&out, &s, 4, NULL),
		 TSL_EINDEX_OUT_OF_BOUNDS);
	CHECK_EQ(tsl_shape_take_last(&out, &s, -1, NULL), TSL_ENEGATIVE_SIZE);
	CHECK_EQ(tsl_shape_head(&out, &scalar, NULL), TSL_EINDEX_OUT_OF_BOUNDS);
	CHECK_EQ(tsl_shape_tail(&out, &scalar, NULL), TSL_OK);
	CHECK_EQ(tsl_shape_join(&out, &s, &unknown, NULL), TSL_EUNKNOWN_RANK);
}

static void
test_results_may_replace_their_argument(void)
{
	struct tsl_shape s = shape("(2, 4, 6)");
	char text[TSL_SHAPE_TEXT];

	CHECK_EQ(tsl_shape_tail(&s, &s, NULL), TSL_OK);
	CHECK_EQ(tsl_shape_join(&s, &s, &s, NULL), TSL_OK);
	tsl_shape_format(&s, text);
	CHECK_STR(text, "(4, 6, 4, 6)");
}

int
main(void)
{
	RUN(test_to_string);
	RUN(test_as_array);
	RUN(test_compatible_sizes);
	RUN(test_compatible_and_equal_shapes);
	RUN(test_sizes);
	RUN(test_parts_fail_by_name);
	RUN(test_results_may_replace_their_argument);
	return check_done();
}
