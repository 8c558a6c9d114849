/*
 * test_field.c - fields of structured types, and types in other byte orders
 */
#include "check.h"

#include "lib/base/byte_order.h"
#include "lib/base/dtype_order.h"
#include "npyio/format/field.h"

#include <stdlib.h>

#define RECORDS                                                              \
	"[('a', '<i4'), (('a title', 'b'), [('c', '>f8', (2, 3)), "          \
	"('d.e', '<U2')], (4,)), ('', '|V3'), ('x.y', '|u1'), "              \
	"('x', [('y', '|S5'), ('z', [('y', '<c16')])]), (\"it's\", '|b1'), " \
	"('p', (('<i2', (5,)), (6,)))]"

/* What a name stands for: offset, text, dims and strides. */
static void
check_field(const char *name, int64_t offset, const char *text,
	    const char *layout)
{
	const struct tsl_dtype records = { 'V', '|', 0, RECORDS, 0 };
	struct tsl_field f;
	struct tsl_error err;
	char got[200] = "";
	char *descr;
	enum tsl_status status =
		npyio_field_find(&f, &descr, &records, name, &err);

	CHECK(status == TSL_OK, "'%s': %s", name, err.msg);
	if (status)
		return;
	for (int i = 0; i < f.ndim; i++)
		snprintf(got + strlen(got), sizeof(got) - strlen(got),
			 "%lld/%lld ", (long long)f.dim[i],
			 (long long)f.stride[i]);
	CHECK_EQ(f.offset, offset);
	CHECK(strcmp(descr, text) == 0, "'%s': %s", name, descr);
	CHECK(strcmp(got, layout) == 0, "'%s': %s", name, got);
	free(descr);
}

static void
test_a_field_is_found_where_it_lies(void)
{
	check_field("a", 0, "'<i4'", "");
	check_field("b.c", 4, "'>f8'", "4/56 2/24 3/8 ");
	check_field("a title.d.e", 4 + 48, "'<U2'", "4/56 ");
	check_field("x.y", 4 + 224 + 3, "'|u1'", "");
	check_field("x", 232, "[('y', '|S5'), ('z', [('y', '<c16')])]", "");
	check_field("x.z.y", 237, "'<c16'", "");
	check_field("it's", 253, "'|b1'", "");
	check_field("p", 254, "'<i2'", "6/10 5/2 ");
}

static void
test_what_is_no_field_is_refused(void)
{
	static const char *const names[] = { "",     ".",     "A",   "b.",
					     ".a",   "a.b",   "d.e", "b.d",
					     "c",    "x.y.z", "p.0", "x.z.",
					     "title" };
	const struct tsl_dtype records = { 'V', '|', 0, RECORDS, 0 };
	const struct tsl_dtype plain = { 'f', '<', 4, "'<f4'", 0 };
	struct tsl_field f;
	struct tsl_error err;
	char *descr;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		CHECK(npyio_field_find(&f, &descr, &records, names[i], &err) ==
			      TSL_ENO_FIELD,
		      "'%s'", names[i]);
		CHECK(!descr, "'%s'", names[i]);
	}
	CHECK_EQ(npyio_field_find(&f, &descr, &plain, "f0", &err),
		 TSL_ENO_FIELD);
}

static void
test_every_field_gets_the_byte_order(void)
{
	char text[] = RECORDS;
	struct tsl_dtype dtype = { 'V', '|', 0, text, 0 };

	tsl_dtype_set_order(&dtype, text, '>');
	CHECK(strcmp(text,
		     "[('a', '>i4'), (('a title', 'b'), [('c', '>f8', (2, 3)), "
		     "('d.e', '>U2')], (4,)), ('', '|V3'), ('x.y', '|u1'), "
		     "('x', [('y', '|S5'), ('z', [('y', '>c16')])]), "
		     "(\"it's\", '|b1'), ('p', (('>i2', (5,)), (6,)))]") == 0,
	      "%s", text);
}

/* Two records of 'from' are turned, and back. */
static void
check_turned(const char *from, const char *to, const char *bytes,
	     const char *want, int64_t size)
{
	const struct tsl_dtype a = { 'V', '|', size, from, 0 };
	const struct tsl_dtype b = { 'V', '|', size, to, 0 };
	char got[64];

	memcpy(got, bytes, (size_t)(2 * size));
	CHECK_EQ(tsl_byte_order_convert(got, 2, &a, &b, NULL), TSL_OK);
	CHECK(memcmp(got, want, (size_t)(2 * size)) == 0, "%s: %.*s", from,
	      (int)(2 * size), got);
	CHECK_EQ(tsl_byte_order_convert(got, 2, &b, &a, NULL), TSL_OK);
	CHECK(memcmp(got, bytes, (size_t)(2 * size)) == 0, "%s: %.*s", to,
	      (int)(2 * size), got);
}

static void
test_records_are_turned_field_by_field(void)
{
	check_turned("'<i4'", "'>i4'", "abcdefgh", "dcbahgfe", 4);
	check_turned("'<U2'", "'>U2'", "abcdefghABCDEFGH", "dcbahgfeDCBAHGFE",
		     8);
	check_turned("'<c8'", "'>c8'", "abcdefghABCDEFGH", "dcbahgfeDCBAHGFE",
		     8);
	check_turned("[('a', '<i2'), ('b', '|V1'), ('c', '>i4')]",
		     "[('a', '>i2'), ('b', '|V1'), ('c', '<i4')]",
		     "abcdefgABCDEFG", "bacgfedBACGFED", 7);
	check_turned("[('a', '<i2', (2,)), ('b', '|S1')]",
		     "[('a', '>i2', (2,)), ('b', '|S1')]", "abcdeABCDE",
		     "badceBADCE", 5);
	check_turned(
		"[('a', [('x', '<i2'), ('y', '|u1')], (2,)), ('b', '<i2')]",
		"[('a', [('x', '>i2'), ('y', '|u1')], (2,)), ('b', '>i2')]",
		"abcdefghABCDEFGH", "bacedfhgBACEDFHG", 8);
}

int
main(void)
{
	RUN(test_a_field_is_found_where_it_lies);
	RUN(test_what_is_no_field_is_refused);
	RUN(test_every_field_gets_the_byte_order);
	RUN(test_records_are_turned_field_by_field);
	return check_done();
}
