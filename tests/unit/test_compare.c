/*
 * test_compare.c - what comparing is made of: elements counted and made alike,
 * views merged together, places kept
 */
#include "check.h"
#include "lib/base/byte_order.h"
#include "lib/kernel/types.h"
#include "lib/view/view.h"
#include "npyio/transfer/compare/mismatches.h"

/* ---- counting ------------------------------------------------------------ */

static void
reverse_units(char *bytes, int64_t n, int64_t unit)
{
	for (int64_t i = 0; i + unit <= n; i += unit)
		for (int64_t a = i, b = i + unit - 1; a < b; a++, b--) {
			char t = bytes[a];

			bytes[a] = bytes[b];
			bytes[b] = t;
		}
}

/* n elements, of which every k-th differs in one byte. */
static void
check_count(int64_t width, int64_t unit, int64_t n, int64_t k)
{
	size_t size = (size_t)(n * width + 1);
	char *a = malloc(size), *b = malloc(size);
	int64_t want = 0;

	CHECK(a && b, "no memory");
	for (int64_t i = 0; i < n * width + 1; i++)
		a[i] = (char)(i * 7 + i / 251);
	memcpy(b, a, size);
	for (int64_t i = 0; k > 0 && i < n; i += k) {
		/* At any address: the first byte is no element's. */
		b[1 + i * width + i % width] ^= 1;
		want++;
	}
	if (unit > 1)
		reverse_units(b + 1, n * width, unit);
	CHECK(tsl_differ_for(width, unit)(a + 1, b + 1, n, width) == want,
	      "width %lld, unit %lld, %lld, every %lld", (long long)width,
	      (long long)unit, (long long)n, (long long)k);
	free(a);
	free(b);
}

static void
check_counts(void)
{
	static const int64_t counts[] = {
		0, 1, 2, 31, 64, 191, 193, 1000, 70000
	};
	static const int64_t units[][2] = { { 1, 0 },  { 2, 0 },  { 3, 0 },
					    { 4, 0 },  { 8, 0 },  { 16, 0 },
					    { 33, 0 }, { 2, 2 },  { 4, 4 },
					    { 8, 8 },  { 8, 4 },  { 16, 8 },
					    { 12, 4 }, { 400, 4 } };

	for (size_t u = 0; u < sizeof(units) / sizeof(*units); u++)
		for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
			for (int64_t k = 0; k < 4; k++)
				check_count(units[u][0], units[u][1],
					    units[u][0] > 64 && counts[i] > 1000
						    ? 1000
						    : counts[i],
					    k);
}

static void
test_elements_that_differ_are_counted(void)
{
	check_counts();
	tsl_plain_kernels = true;
	check_counts();
	tsl_plain_kernels = false;
}

/* ---- made alike ---------------------------------------------------------- */

#define GAPS "[('a', '|u1'), ('', '|V2'), ('b', '%ci2', (2,)), ('v', '|V1')]"

static void
check_turned(char from, char to, const char *bytes, const char *want)
{
	char text[2][80], got[8];
	struct tsl_dtype dtype[2] = {
		{ .kind = 'V', .order = '|', .size = 8 },
		{ .kind = 'V', .order = '|', .size = 8 }
	};
	struct tsl_turner t;

	snprintf(text[0], sizeof(text[0]), GAPS, from);
	snprintf(text[1], sizeof(text[1]), GAPS, to);
	dtype[0].descr = text[0];
	dtype[1].descr = text[1];
	CHECK_EQ(tsl_turner_init(&t, &dtype[0], &dtype[1], true, NULL), TSL_OK);
	CHECK_EQ(t.unit, 0);
	memcpy(got, bytes, sizeof(got));
	tsl_turner_run(&t, got, 1);
	CHECK(memcmp(got, want, sizeof(got)) == 0, "from %c to %c", from, to);
	tsl_turner_free(&t);
}

static void
test_padding_is_cleared_and_numbers_are_turned(void)
{
	check_turned('<', '<', "aXY\1\2\3\4v", "a\0\0\1\2\3\4v");
	check_turned('<', '>', "aXY\1\2\3\4v", "a\0\0\2\1\4\3v");
}

static void
check_unit(const char *from, const char *to, int64_t size, bool acts,
	   int64_t unit)
{
	struct tsl_dtype a = { 'f', '<', size, from, 0 };
	struct tsl_dtype b = { 'f', '>', size, to, 0 };
	struct tsl_turner t;

	CHECK_EQ(tsl_turner_init(&t, &a, &b, true, NULL), TSL_OK);
	CHECK_EQ(t.acts, acts);
	CHECK_EQ(t.unit, unit);
	tsl_turner_free(&t);
}

static void
test_plain_numbers_have_a_unit(void)
{
	check_unit("'<f4'", "'>f4'", 4, true, 4);
	check_unit("'<c16'", "'>c16'", 16, true, 8);
	check_unit("'<U5'", "'>U5'", 20, true, 4);
	check_unit("'<f4'", "'<f4'", 4, false, 0);
	check_unit("'|S5'", "'|S5'", 5, false, 0);
}

/* ---- merged together ----------------------------------------------------- */

static void
test_views_merge_where_all_can(void)
{
	struct tsl_view a = { .ndim = 4,
			      .width = 4,
			      .dim = { 2, 1, 3, 5 },
			      .stride = { 60, 7, 20, 4 } };
	struct tsl_view b = a;
	struct tsl_view *both[] = { &a, &b };

	b.stride[0] = 100;
	tsl_views_merge(both, 2);
	CHECK_EQ(a.ndim, 2);
	CHECK_EQ(b.ndim, 2);
	CHECK_EQ(a.dim[0], 2);
	CHECK_EQ(b.dim[1], 15);
	CHECK_EQ(a.stride[0], 60);
	CHECK_EQ(b.stride[0], 100);
	CHECK_EQ(b.stride[1], 4);
	tsl_view_merge(&a);
	CHECK_EQ(a.ndim, 1);
	CHECK_EQ(a.dim[0], 30);
}

/* ---- places -------------------------------------------------------------- */

static void
test_the_first_places_are_kept_in_order(void)
{
	static const int64_t numbers[] = { 9, 3, 7, 3, 100, 1, 8, 2 };
	static const int64_t want[] = { 1, 2, 3 };
	struct npyio_mismatches p;
	const char *a, *b;

	npyio_mismatches_init(&p, 3, 1);
	for (int i = 0; i < 8; i++) {
		char c = (char)numbers[i], d = (char)-numbers[i];

		CHECK_EQ(npyio_mismatches_add(&p, numbers[i], &c, &d, NULL),
			 TSL_OK);
	}
	CHECK_EQ(p.n, 3);
	for (int i = 0; i < 3; i++) {
		CHECK_EQ(npyio_mismatches_get(&p, i, &a, &b), want[i]);
		CHECK_EQ(*a, (char)want[i]);
		CHECK_EQ(*b, (char)-want[i]);
	}
	CHECK(npyio_mismatches_wants(&p, 2), "before the last");
	CHECK(!npyio_mismatches_wants(&p, 4), "behind the last");
	npyio_mismatches_free(&p);
	npyio_mismatches_init(&p, 0, 1);
	CHECK(!npyio_mismatches_wants(&p, 0), "none");
}

int
main(void)
{
	RUN(test_elements_that_differ_are_counted);
	RUN(test_padding_is_cleared_and_numbers_are_turned);
	RUN(test_plain_numbers_have_a_unit);
	RUN(test_views_merge_where_all_can);
	RUN(test_the_first_places_are_kept_in_order);
	return check_done();
}
