/*
 * test_range.c - ranges of a view as boxes, and who makes which of them
 *
 * Random views and files, against loops over each element and byte.
 */
#include "check.h"

#include "lib/view/range.h"
#include "npyio/file/share.h"

#define ROUNDS 4000
#define PAGE 65536

static uint64_t state = 20261122;

static int64_t
draw(int64_t lo, int64_t hi)
{
	return check_between(&state, lo, hi);
}

static void
draw_view(struct tsl_view *v, int ndim)
{
	*v = (struct tsl_view){ .ndim = ndim, .width = 1 };
	for (int i = 0; i < ndim; i++) {
		v->dim[i] = draw(1, 6);
		v->stride[i] = draw(-50, 50);
	}
	v->offset = draw(0, 1000);
}

/* Where element i of the view is. */
static int64_t
offset_of(const struct tsl_view *v, int64_t i)
{
	int64_t offset = v->offset;

	for (int d = v->ndim - 1; d >= 0; d--) {
		offset += i % v->dim[d] * v->stride[d];
		i /= v->dim[d];
	}
	return offset;
}

static void
test_boxes_of_a_range_are_its_elements_in_order(void)
{
	for (int round = 0; round < ROUNDS; round++) {
		struct tsl_view v, box;
		struct tsl_range r = { .view = &v };
		int64_t at, next;
		int boxes = 0, wrong = 0;

		draw_view(&v, (int)draw(0, 5));
		r.at = next = draw(0, tsl_view_count(&v));
		r.end = draw(r.at, tsl_view_count(&v));
		while (tsl_range_next(&r, &box, &at)) {
			wrong += at != next;
			for (int64_t i = 0; i < tsl_view_count(&box); i++)
				wrong += offset_of(&box, i) !=
					 offset_of(&v, next++);
			boxes++;
		}
		CHECK(wrong == 0 && next == r.end, "round %d", round);
		CHECK(boxes <= 1 || boxes <= 2 * v.ndim - 1,
		      "round %d: %d boxes of %d dims", round, boxes, v.ndim);
	}
}

static void
test_a_whole_view_is_one_box(void)
{
	struct tsl_view box, v = { .ndim = 3,
				   .width = 4,
				   .dim = { 3, 4, 5 },
				   .stride = { 400, -40, 8 } };
	struct tsl_range r = { &v, 0, 60 };
	int64_t at;

	CHECK(tsl_range_next(&r, &box, &at), "none");
	CHECK_EQ(at, 0);
	CHECK_EQ(box.ndim, 3);
	CHECK_EQ(box.dim[0], 3);
	CHECK(!tsl_range_next(&r, &box, &at), "another");
}

static void
test_a_box_of_one_row_has_one_dim(void)
{
	struct tsl_view box, v = {
		.ndim = 2, .width = 1, .dim = { 4, 5 }, .stride = { 1, 4 }
	};
	struct tsl_range r = { &v, 3, 17 };
	int64_t at;

	CHECK(tsl_range_next(&r, &box, &at), "no first");
	CHECK_EQ(box.ndim, 1);
	CHECK_EQ(box.dim[0], 2);
	CHECK_EQ(box.offset, 12);
	CHECK(tsl_range_next(&r, &box, &at), "no second");
	CHECK_EQ(box.ndim, 2);
	CHECK_EQ(at, 5);
	CHECK(tsl_range_next(&r, &box, &at), "no third");
	CHECK_EQ(at, 15);
	CHECK_EQ(box.dim[0], 2);
	CHECK(!tsl_range_next(&r, &box, &at), "a fourth");
}

/* ---- shares -------------------------------------------------------------- */

/* Small files, large ones, and headers longer than a page. */
static void
draw_file(int64_t *header, int64_t *nbytes)
{
	*header = draw(0, 3) ? 64 * draw(1, 4) : draw(0, 3 * PAGE);
	*nbytes = draw(0, 3) == 0   ? draw(0, 2 * PAGE)
		  : draw(0, 2) == 0 ? draw(0, INT64_C(1) << 40)
				    : draw(0, INT64_C(1) << 25);
}

static void
init_share(struct npyio_share *s, int64_t header, int64_t nbytes, int index,
	   int count, int deal)
{
	npyio_share_init(s, header, nbytes, index, count,
			 deal ? NPYIO_DEAL_CHUNKS : NPYIO_DEAL_BLOCKS);
}

/* Going through the file, each run is the next one's who has one there. */
static void
test_each_byte_of_a_file_is_in_one_share(void)
{
	for (int round = 0; round < ROUNDS; round++) {
		int count = (int)draw(1, 9), deal = (int)draw(0, 1);
		int64_t header, nbytes, at = 0;
		int wrong = 0;

		draw_file(&header, &nbytes);
		for (int n = 0; at < header + nbytes && n < 1000; n++) {
			int64_t end = at;

			for (int k = 0; k < count; k++) {
				struct npyio_share s;
				int64_t lo, hi;

				init_share(&s, header, nbytes, k, count, deal);
				if (!npyio_share_next(&s, at, s.size, &lo,
						      &hi) ||
				    lo > at)
					continue;
				wrong += end != at; /* it has another owner */
				wrong += k > 0 && lo % PAGE != 0;
				end = hi;
			}
			if (end == at)
				break;
			at = end;
		}
		CHECK(wrong == 0 && at == header + nbytes,
		      "round %d: %lld of %lld + %lld", round, (long long)at,
		      (long long)header, (long long)nbytes);
	}
}

static void
test_ranges_are_the_data_of_the_share(void)
{
	for (int round = 0; round < ROUNDS; round++) {
		int count = (int)draw(1, 9), deal = (int)draw(0, 1);
		int64_t header, nbytes, sum = 0;
		int wrong = 0;

		draw_file(&header, &nbytes);
		for (int k = 0; k < count; k++) {
			struct npyio_share s;
			int64_t end = 0;

			init_share(&s, header, nbytes, k, count, deal);
			for (int64_t i = 0; i < npyio_share_ranges(&s); i++) {
				int64_t lo, hi, from, to;

				npyio_share_range(&s, i, &lo, &hi);
				wrong += lo < end || hi <= lo || hi > nbytes;
				wrong += !npyio_share_next(&s, header + lo,
							   header + hi, &from,
							   &to) ||
					 from != header + lo ||
					 to != header + hi;
				end = hi;
			}
			sum += npyio_share_nbytes(&s);
		}
		CHECK(wrong == 0 && sum == nbytes, "round %d", round);
	}
}

static void
test_the_header_is_the_first_ones(void)
{
	struct npyio_share first, second;
	int64_t lo, hi;

	init_share(&first, 200000, 0, 0, 2, 1);
	init_share(&second, 200000, 0, 1, 2, 1);
	CHECK(npyio_share_next(&first, 0, 200000, &lo, &hi), "none");
	CHECK_EQ(hi, 200000);
	CHECK(!npyio_share_next(&second, 0, 200000, &lo, &hi), "the second's");
	CHECK_EQ(npyio_share_ranges(&first), 0);
}

/* All are busy: nobody has more than another by more than a chunk. */
static void
test_shares_of_large_files_are_alike(void)
{
	for (int deal = 0; deal < 2; deal++) {
		int64_t least = INT64_MAX, most = 0;

		for (int k = 0; k < 7; k++) {
			struct npyio_share s;
			int64_t n;

			init_share(&s, 128, INT64_C(10) << 30, k, 7, deal);
			n = npyio_share_nbytes(&s);
			least = n < least ? n : least;
			most = n > most ? n : most;
		}
		CHECK(most - least < INT64_C(128) << 20, "%lld and %lld",
		      (long long)least, (long long)most);
	}
}

static void
test_the_largest_file_can_be_shared(void)
{
	struct npyio_share s;
	int64_t lo, hi;

	for (int count = 1; count < 4; count++) {
		init_share(&s, 128, INT64_MAX - 128, count - 1, count, 0);
		CHECK(npyio_share_next(&s, 0, INT64_MAX, &lo, &hi), "none");
		CHECK_EQ(hi, INT64_MAX);
	}
}

int
main(void)
{
	RUN(test_boxes_of_a_range_are_its_elements_in_order);
	RUN(test_a_whole_view_is_one_box);
	RUN(test_a_box_of_one_row_has_one_dim);
	RUN(test_each_byte_of_a_file_is_in_one_share);
	RUN(test_ranges_are_the_data_of_the_share);
	RUN(test_the_header_is_the_first_ones);
	RUN(test_shares_of_large_files_are_alike);
	RUN(test_the_largest_file_can_be_shared);
	return check_done();
}
