/*
 * test_header.c - .npy headers, both ways
 */
#include "check.h"

#include "npyio/format/descr.h"
#include "npyio/format/foreign_format.h"
#include "npyio/format/header.h"

/* Parses 'text' as a version 1 header; the result as text. */
static void
parse(const char *text, char *result, size_t size)
{
	struct tsl_array a;
	struct tsl_error err;
	char *descr;

	if (npyio_header_parse(&a, &descr, 1, text, strlen(text), &err))
		snprintf(result, size, "! %s", tsl_status_kind(err.code));
	else
		snprintf(result, size, "%s %d %lld", a.dtype.descr, a.ndim,
			 (long long)tsl_array_nbytes(&a));
	free(descr);
}

static void
check_header(const char *text, const char *want)
{
	char got[256];

	parse(text, got, sizeof(got));
	CHECK(strcmp(got, want) == 0, "%s: got %s, want %s", text, got, want);
}

static void
check_descr(const char *descr, const char *want)
{
	char text[512], result[256];

	snprintf(text, sizeof(text),
		 "{'descr': %s, 'fortran_order': False, 'shape': (), }", descr);
	parse(text, result, sizeof(result));
	CHECK(strcmp(result, want) == 0, "%s: got %s, want %s", descr, result,
	      want);
}

static void
test_spellings_of_other_writers(void)
{
	check_header("{'descr':'<f8','fortran_order':False,'shape':(3,)}",
		     "'<f8' 1 24");
	check_header("{\"shape\": (2L, 3L,), \"fortran_order\": True, "
		     "u'descr': u'|b1'}\n \r\n",
		     "'|b1' 2 6");
	check_header("{'descr': '<f8', 'fortran_order': False, 'shape': ()",
		     "! bad_header");
	check_header("{'descr': '<f8', 'fortran_order': False, 'shape': (3)}",
		     "! bad_shape");
	check_header("{'descr': '<f8', 'fortran_order': False, 'shape': (3,), "
		     "'descr': '<f4'}",
		     "! bad_header");
	check_header("{'descr': '<f8', 'fortran_order': 0, 'shape': (3,)}",
		     "! bad_header");
}

/* What is not said is the machine's order. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define NATIVE "<"
#else
#define NATIVE ">"
#endif

static void
test_types_are_named_as_numpy_names_them(void)
{
	check_descr("'>u1'", "'|u1' 0 1");
	check_descr("'f4'", "'" NATIVE "f4' 0 4");
	check_descr("'=i2'", "'" NATIVE "i2' 0 2");
	check_descr("'>U3'", "'>U3' 0 12");
	check_descr("'<V2'", "'|V2' 0 2");
	check_descr("'<M8[1ns]'", "'<M8[ns]' 0 8");
	check_descr("'<m8[25s]'", "'<m8[25s]' 0 8");
	check_descr("[('a', 'u1'), ('', 'V3'), ('', 'V4'), ('b', '<f4', (2,))]",
		    "[('a', '|u1'), ('', '|V7'), ('b', '<f4', (2,))] 0 16");
	check_descr("[(('t', \"it's\"), '<i2', ()), ('', '|V2')]",
		    "[(('t', \"it's\"), '<i2'), ('', '|V2')] 0 4");
	check_descr("[]", "[] 0 0");
}

static void
test_arrays_of_arrays_in_fields(void)
{
	check_descr("[('a', ('<f4', (3,)), (2, 3))]",
		    "[('a', ('<f4', (3,)), (2, 3))] 0 72");
	check_descr("[('a', ( ('f4',(3,),) , (2,) ),(4,)), ('b', 'i1')]",
		    "[('a', (('<f4', (3,)), (2,)), (4,)), ('b', '|i1')] 0 97");
	check_descr("[('a', ([('x', '>i2'), ('', 'V1')], (1,)), (2,))]",
		    "[('a', ([('x', '>i2'), ('', '|V1')], (1,)), (2,))] 0 6");
	/* What NumPy keeps of the shapes that say nothing. */
	check_descr("[('a', ('<f4', (3,)))]", "[('a', '<f4', (3,))] 0 12");
	check_descr("[('a', ('<f4', (3,)), ())]", "[('a', '<f4', (3,))] 0 12");
	check_descr("[('a', ('<f4', ()), (3,))]", "[('a', '<f4', (3,))] 0 12");
	check_descr("[('a', ('<f4', ()))]", "[('a', '<f4')] 0 4");
	/* Padding without a name, and what is none. */
	check_descr("[('', ('V4', (2,)), (2,)), ('b', 'i1')]",
		    "[('', '|V16'), ('b', '|i1')] 0 17");
	check_descr("[('', ([('x', 'i1')], ())), ('b', 'i1')]",
		    "[('', [('x', '|i1')]), ('b', '|i1')] 0 2");
}

/* Whether fields of these types are one another's but for byte orders. */
static void
check_equal(const char *type, const char *other, bool want)
{
	const char *const types[] = { type, other };
	struct tsl_array a[2];
	char *descr[2];

	for (int i = 0; i < 2; i++) {
		char text[256];

		snprintf(text, sizeof(text),
			 "{'descr': [('a', 'i1'), ('b', %s)], "
			 "'fortran_order': False, 'shape': ()}",
			 types[i]);
		CHECK_EQ(npyio_header_parse(&a[i], &descr[i], 1, text,
					    strlen(text), NULL),
			 TSL_OK);
	}
	CHECK(tsl_dtype_equal(&a[0].dtype, &a[1].dtype) == want, "%s and %s",
	      type, other);
	free(descr[0]);
	free(descr[1]);
}

static void
test_fields_are_compared_without_their_byte_orders(void)
{
	check_equal("'<f4'", "'>f4'", true);
	check_equal("'<f4'", "'<i4'", false);
	check_equal("'<f4', (2,)", "'>f4', (2,)", true);
	check_equal("'<f4', (2,)", "'<f4', (3,)", false);
	check_equal("('<f4', (3,)), (2, 3)", "('>f4', (3,)), (2, 3)", true);
	check_equal("('<f4', (3,)), (2, 3)", "('<f4', (3,)), (2, 4)", false);
	check_equal("('<f4', (3,)), (2, 3)", "('<f4', (4,)), (2, 3)", false);
	check_equal("(('<f4', (3,)), (2,)), (4,)",
		    "(('>f4', (3,)), (2,)), (4,)", true);
	check_equal("[('x', '<i2')], (2,)", "[('x', '>i2')], (2,)", true);
	check_equal("[('x', '<i2')], (2,)", "[('y', '<i2')], (2,)", false);
}

/* 'n' pairs around a type, in a field. */
static void
check_depth(int n, const char *want)
{
	struct npyio_text descr = { 0 };

	npyio_text_puts(&descr, "[('a', ");
	for (int i = 0; i < n; i++)
		npyio_text_puts(&descr, "(");
	npyio_text_puts(&descr, "'i1'");
	for (int i = 0; i < n; i++)
		npyio_text_puts(&descr, ", ())");
	npyio_text_puts(&descr, ")]");
	check_descr(descr.s, want);
	npyio_text_free(&descr);
}

static void
test_pairs_nest_as_deep_as_lists(void)
{
	check_depth(NPYIO_MAX_DEPTH - 1, "[('a', '|i1')] 0 1");
	check_depth(NPYIO_MAX_DEPTH, "! bad_descr");
}

static void
test_types_that_are_refused(void)
{
	static const char *const bad[] = {
		"'<f3'",
		"'<i16'",
		"'b2'",
		"'<U536870912'",
		"'|S2147483648'",
		"'S-1'",
		"'<M8[s/7]'",
		"'<M8[0s]'",
		"'<f08'",
		"''",
		"'<'",
		"(2,)",
		"[('a', 'i1'), ('a', 'i1')]",
		"[('a', 'V2000000000'), ('b', 'V2000000000')]",
		"('<f4', (3,))",
		"('<f4', ())",
		"[('a', ('<f4', (3)))]",
		"[('a', ('<f4', (-3,)))]",
		"[('a', ('<f4', (32768,)), (32768,))]",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		check_descr(bad[i], "! bad_descr");
	check_descr("[('a', ('<f4', (3,), (3,)))]", "! bad_header");
	check_descr("'|O'", "! object_dtype");
	check_descr("[('a', [('b', '|O')])]", "! object_dtype");
	check_descr("[('a', ('|O', (2,)), (2,))]", "! object_dtype");
}

static void
test_prefixes(void)
{
	static const unsigned char v2[] = { 0x93, 'N', 'U', 'M', 'P',  'Y',
					    2,    0,   1,   0,   0xFF, 0xFF };
	struct npyio_prefix p;

	CHECK_EQ(npyio_prefix_parse(&p, v2, 0, NULL), TSL_EEMPTY_FILE);
	CHECK_EQ(npyio_prefix_parse(&p, v2, 5, NULL), TSL_EBAD_MAGIC);
	CHECK_EQ(npyio_prefix_parse(&p, v2, 11, NULL), TSL_ETRUNCATED_HEADER);
	CHECK_EQ(npyio_prefix_parse(&p, v2, 12, NULL), TSL_EBAD_HEADER);
	CHECK_EQ(npyio_prefix_parse(&p, (const unsigned char *)"PK\3\4", 4,
				    NULL),
		 TSL_EBAD_MAGIC);
}

/* A field's name of n characters 'c'; the version that is chosen for it. */
static int
version_for(size_t n, const char *c)
{
	struct npyio_text descr = { 0 }, out = { 0 };
	struct tsl_array a = { .ndim = 0 };
	int version;

	npyio_text_puts(&descr, "[('");
	for (size_t i = 0; i < n; i++)
		npyio_text_puts(&descr, c);
	npyio_text_puts(&descr, "', '<f4')]");
	a.dtype.descr = descr.s;
	CHECK_EQ(npyio_header_format(&out, &a, NULL), TSL_OK);
	CHECK_EQ(out.len % 64, 0);
	version = out.s[6];
	npyio_text_free(&descr);
	npyio_text_free(&out);
	return version;
}

static void
test_version_follows_length_and_letters(void)
{
	CHECK_EQ(version_for(10, "x"), 1);
	CHECK_EQ(version_for(10, "\xC3\xA9"), 1); /* e acute: Latin-1 */
	CHECK_EQ(version_for(65400, "x"), 1);
	CHECK_EQ(version_for(65536, "x"), 2);
	CHECK_EQ(version_for(1, "\xCE\xB1"), 3); /* alpha */
}

/* A header of version 1 with this text says that an axis has that size. */
static void
check_put(const char *text, int axis, int64_t dim, const char *want)
{
	char header[512];
	struct tsl_error err;
	size_t len = strlen(text);
	enum tsl_status status;

	memcpy(header, "\x93NUMPY\1\0\0\0", 10);
	strcpy(header + 10, text);
	status = npyio_header_put_dim(header, 10 + len, axis, dim, &err);
	if (status)
		snprintf(header + 10, 100, "! %s", tsl_status_kind(err.code));
	CHECK(strcmp(header + 10, want) == 0, "%s: got %s, want %s", text,
	      header + 10, want);
}

static void
test_one_size_changes_and_nothing_else(void)
{
	/* A field of that name, and a value that is. */
	check_put("{'descr': [('shape', '<i4')], 'fortran_order': False, "
		  "'shape': (9, 3), }  \n",
		  0, 10,
		  "{'descr': [('shape', '<i4')], 'fortran_order': False, "
		  "'shape': (10, 3), } \n");
	check_put("{'shape':(3L,9L), 'descr':'shape'}   ", 1, 1000,
		  "{'shape':(3L,1000L), 'descr':'shape'}");
	check_put("{'shape': (1000,)}\n", 0, 7, "{'shape': (7,)}   \n");
	check_put("{'shape': (9,)}\n", 0, 10, "! bad_header");
	check_put("{'shape': (9,)} \n", 0, 100, "! bad_header");
	check_put("{'shape': (9,)} \n", 0, INT64_MAX, "! bad_header");
}

static void
test_nothing_is_of_no_kind(void)
{
	CHECK(!npyio_foreign_format((const unsigned char *)"", 0), "of a kind");
	CHECK(npyio_foreign_format((const unsigned char *)"1", 1) != NULL,
	      "of none");
}

int
main(void)
{
	RUN(test_spellings_of_other_writers);
	RUN(test_types_are_named_as_numpy_names_them);
	RUN(test_arrays_of_arrays_in_fields);
	RUN(test_fields_are_compared_without_their_byte_orders);
	RUN(test_pairs_nest_as_deep_as_lists);
	RUN(test_types_that_are_refused);
	RUN(test_prefixes);
	RUN(test_version_follows_length_and_letters);
	RUN(test_one_size_changes_and_nothing_else);
	RUN(test_nothing_is_of_no_kind);
	return check_done();
}
