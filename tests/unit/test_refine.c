/*
 * test_refine.c - a view cut up so that another shape fits it
 *
 * Random views against a list of where their elements are.
 */
#include "check.h"

#include "lib/view/refine.h"

#define ROUNDS 20000
#define MAX_COUNT 4096

static uint64_t seed = 20261122;

static int64_t
draw(int64_t lo, int64_t hi)
{
	return check_between(&seed, lo, hi);
}

/* A part of a dense array, its dims in any order and direction. */
static void
draw_view(struct tsl_view *v)
{
	int64_t nbytes = 2;

	*v = (struct tsl_view){ .width = 2, .ndim = (int)draw(0, 5) };
	for (int i = 0; i < v->ndim; i++) {
		int64_t step = draw(0, 3) == 0 ? draw(2, 3) : 1;

		v->dim[i] = draw(1, 6);
		v->stride[i] = step * nbytes;
		nbytes *= step * v->dim[i];
		if (draw(0, 3) == 0) {
			v->offset += (v->dim[i] - 1) * v->stride[i];
			v->stride[i] = -v->stride[i];
		}
	}
	for (int i = v->ndim - 1; i > 0; i--) {
		int axis[5] = { 0, 1, 2, 3, 4 }, j = (int)draw(0, i);

		axis[i] = j;
		axis[j] = i;
		tsl_view_permute(v, axis);
	}
}

/* Another shape: neighbours joined, sizes cut, some of 1 put in. */
static void
draw_shape(struct tsl_shape *s, const struct tsl_view *v)
{
	int64_t count = tsl_view_count(v);

	s->ndim = 0;
	while (count > 1) {
		int64_t n = draw(1, 12);

		if (s->ndim > 20)
			n = count;
		if (count % n != 0)
			continue;
		s->dim[s->ndim++] = n;
		count /= n;
	}
}

/* Where each element is, in C order; returns how many there are. */
static int
list(const struct tsl_view *v, int64_t where[])
{
	int64_t index[TSL_MAX_DIMS + 1] = { 0 };
	int64_t at = v->offset;
	int n = 0, d;

	do {
		where[n++] = at;
		for (d = v->ndim - 1; d >= 0; d--) {
			at += v->stride[d];
			if (++index[d] < v->dim[d])
				break;
			at -= v->dim[d] * v->stride[d];
			index[d] = 0;
		}
	} while (d >= 0 && n < MAX_COUNT);
	return n;
}

static bool
is_same(const struct tsl_view *a, const struct tsl_view *b)
{
	static int64_t at[MAX_COUNT], bt[MAX_COUNT];
	int n = list(a, at);

	return list(b, bt) == n &&
	       memcmp(at, bt, (size_t)n * sizeof(at[0])) == 0;
}

/* Does each size hold so many dims, which make it? */
static bool
are_groups(const struct tsl_view *v, const struct tsl_shape *s,
	   const int count[])
{
	int d = 0;

	for (int i = 0; i < s->ndim; i++) {
		int64_t n = 1;

		for (int k = 0; k < count[i]; k++)
			n *= v->dim[d++];
		if (n != s->dim[i])
			return false;
	}
	return d == v->ndim;
}

static void
test_the_elements_and_their_order_stay(void)
{
	int done = 0, refused = 0;

	for (int i = 0; i < ROUNDS; i++) {
		int count[TSL_MAX_DIMS];
		struct tsl_view v, before;
		struct tsl_shape s;

		draw_view(&v);
		draw_shape(&s, &v);
		before = v;
		if (tsl_view_refine(&v, &s, count)) {
			CHECK(are_groups(&v, &s, count), "round %d", i);
			done++;
		} else {
			refused++;
		}
		CHECK(is_same(&v, &before), "round %d", i);
	}
	CHECK(done > ROUNDS / 4 && refused > ROUNDS / 20, "%d done, %d not",
	      done, refused);
}

static void
test_groups_are_reversed(void)
{
	const int count[] = { 2, 0, 1, 3 };
	const int64_t want[] = { 4, 5, 6, 3, 1, 2 };
	struct tsl_view v = { .ndim = 6, .dim = { 1, 2, 3, 4, 5, 6 } };

	tsl_view_reverse_groups(&v, 4, count);
	for (int i = 0; i < v.ndim; i++)
		CHECK_EQ(v.dim[i], want[i]);
}

/* The dims that refine() makes of two of 4 and 6 for sizes a and b, or "". */
static const char *
refined(int64_t a, int64_t b, int64_t gap)
{
	static char text[100];
	struct tsl_view v = {
		.width = 1, .ndim = 2, .dim = { 4, 6 }, .stride = { 6 + gap, 1 }
	};
	struct tsl_shape s = { .ndim = 2, .dim = { a, b } };
	int count[2], len = 0;

	text[0] = '\0';
	if (tsl_view_refine(&v, &s, count))
		for (int i = 0; i < v.ndim; i++)
			len += sprintf(text + len, "%lld/%lld ",
				       (long long)v.dim[i],
				       (long long)v.stride[i]);
	return text;
}

static void
test_overlaps_are_told_from_what_fits(void)
{
	CHECK_STR(refined(3, 8, 0), "3/8 8/1 ");
	CHECK_STR(refined(3, 8, 1), "");
	CHECK_STR(refined(8, 3, 1), "4/7 2/3 3/1 ");
	CHECK_STR(refined(2, 12, 1), "2/14 2/7 6/1 ");
	CHECK_STR(refined(24, 1, 1), "4/7 6/1 ");
}

/* As far apart as bytes can be: no product may overflow. */
static void
test_the_largest_strides(void)
{
	struct tsl_view v = { .width = 1,
			      .ndim = 2,
			      .dim = { 2, 2 },
			      .stride = { 1, INT64_MAX / 2 + 1 } };
	struct tsl_shape s = { .ndim = 1, .dim = { 4 } };
	int count[1];

	CHECK(tsl_view_refine(&v, &s, count), "two dims make a size of 4");
	CHECK_EQ(count[0], 2);
	CHECK_EQ(v.stride[1], INT64_MAX / 2 + 1);
}

int
main(void)
{
	RUN(test_the_elements_and_their_order_stay);
	RUN(test_groups_are_reversed);
	RUN(test_overlaps_are_told_from_what_fits);
	RUN(test_the_largest_strides);
	return check_done();
}
