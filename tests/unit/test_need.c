/*
 * test_need.c - the bytes that a view is made of, as ranges
 *
 * Random slices of random arrays, against a mark on each of their bytes.
 */
#include "check.h"

#include "lib/view/need.h"

#include <string.h>

#define ROUNDS 4000
#define MAX_NBYTES 4096

static uint64_t state = 20261122;

static int64_t
draw(int64_t lo, int64_t hi)
{
	return check_between(&state, lo, hi);
}

/* A slice of a dense array, its axes in any order. */
static void
draw_view(struct tsl_view *v)
{
	int64_t stride;

	*v = (struct tsl_view){ .ndim = (int)draw(0, 4), .width = draw(1, 3) };
	stride = v->width;
	for (int i = 0; i < v->ndim; i++) {
		int64_t size = draw(1, 6), step = draw(1, 3);

		v->dim[i] = (size - 1) / step + 1;
		v->stride[i] = step * stride;
		stride *= size;
		if (draw(0, 2) == 0) {
			v->offset += (v->dim[i] - 1) * v->stride[i];
			v->stride[i] *= -1;
		}
	}
	for (int i = 1; i < v->ndim; i++)
		tsl_view_swap_dims(v, i, (int)draw(0, i));
}

static void
mark(const struct tsl_view *v, char used[])
{
	int64_t count = tsl_view_count(v);

	memset(used, 0, MAX_NBYTES);
	for (int64_t i = 0; i < count; i++) {
		int64_t at = v->offset, rest = i;

		for (int d = 0; d < v->ndim; d++) {
			at += rest % v->dim[d] * v->stride[d];
			rest /= v->dim[d];
		}
		memset(used + at, 1, (size_t)v->width);
	}
}

/* The next range from 'at' on, gaps of fewer than 'gap' bytes closed. */
static bool
expect(const char used[], int64_t gap, int64_t at, int64_t *lo, int64_t *hi)
{
	while (at < MAX_NBYTES && !used[at])
		at++;
	*lo = *hi = at;
	for (; at < MAX_NBYTES && at - *hi < gap; at++)
		if (used[at])
			*hi = at + 1;
	return *lo < MAX_NBYTES;
}

static void
test_ranges_are_the_bytes_and_the_small_gaps(void)
{
	int wrong = 0;

	for (int round = 0; round < ROUNDS; round++) {
		int64_t gap = draw(1, 40), at = 0, lo, hi, want_lo, want_hi;
		char used[MAX_NBYTES];
		struct tsl_need need;
		struct tsl_view v;

		draw_view(&v);
		mark(&v, used);
		tsl_need_init(&need, &v, gap);
		while (expect(used, gap, at, &want_lo, &want_hi)) {
			wrong += !tsl_need_next(&need, &lo, &hi) ||
				 lo != want_lo || hi != want_hi;
			at = want_hi;
		}
		wrong += tsl_need_next(&need, &lo, &hi);
	}
	CHECK_EQ(wrong, 0);
}

static void
test_what_is_repeated_is_needed_once(void)
{
	const struct tsl_view v = {
		.width = 4, .ndim = 2, .dim = { 3, 2 }, .stride = { 0, 1000 }
	};
	struct tsl_need need;
	int64_t lo, hi;

	tsl_need_init(&need, &v, 10);
	CHECK(tsl_need_next(&need, &lo, &hi) && lo == 0 && hi == 4,
	      "wrong range");
	CHECK(tsl_need_next(&need, &lo, &hi) && lo == 1000 && hi == 1004,
	      "wrong range");
	CHECK(!tsl_need_next(&need, &lo, &hi), "wrong range");
}

static void
test_nothing_needs_nothing(void)
{
	const struct tsl_view v = { .width = 4, .ndim = 1, .stride = { 4 } };
	struct tsl_need need;
	int64_t lo, hi;

	tsl_need_init(&need, &v, 10);
	CHECK(!tsl_need_next(&need, &lo, &hi), "wrong range");
}

int
main(void)
{
	RUN(test_ranges_are_the_bytes_and_the_small_gaps);
	RUN(test_what_is_repeated_is_needed_once);
	RUN(test_nothing_needs_nothing);
	return check_done();
}
