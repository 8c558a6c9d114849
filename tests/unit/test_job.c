/*
 * test_job.c - views, kernels, and jobs that produce any range of output
 *
 * A model walks the selection element by element.  A box is handed exactly the
 * input bytes that it spans, in memory of exactly that size, so that a
 * sanitizer sees it look at one more.
 */
#include "check.h"

#include "lib/kernel/kernel.h"
#include "lib/tslice.h"
#include "lib/view/cut.h"
#include "lib/view/walk.h"

static void
test_coalesce_merges_neighbours(void)
{
	struct tsl_view v = {
		.ndim = 4,
		.width = 4,
		.dim = { 8, 1, 4, 16 },
		.stride = { -256, 0, 64, 4 },
	};

	tsl_view_coalesce(&v);
	CHECK_EQ(v.ndim, 2);
	CHECK_EQ(v.dim[0], 8);
	CHECK_EQ(v.dim[1], 64);
	CHECK_EQ(v.stride[0], -256);
	CHECK_EQ(v.stride[1], 4);
}

static void
test_coalesce_makes_bytes_of_odd_widths(void)
{
	struct tsl_view v = {
		.ndim = 2, .width = 3, .dim = { 5, 7 }, .stride = { 42, 3 }
	};

	tsl_view_coalesce(&v);
	CHECK_EQ(v.width, 1);
	CHECK_EQ(v.ndim, 2);
	CHECK_EQ(v.dim[1], 21);
	CHECK_EQ(v.stride[1], 1);
}

/* One row of n elements against a loop over bytes. */
static void
check_kernel(int width, int64_t step, int64_t n, char *src, int64_t nbytes)
{
	int64_t first = step < 0 ? -step * (n - 1) : 0;
	char *got = malloc((size_t)(n * width) + 1);
	bool same = true;

	if (first + width + (step > 0 ? step * (n - 1) : 0) > nbytes)
		abort();
	got[n * width] = 'x';
	tsl_kernel_for(width, step, 0, n)(got, src + first, 1, 0, n, step);
	for (int64_t i = 0; i < n; i++)
		same = same && memcmp(got + i * width, src + first + i * step,
				      (size_t)width) == 0;
	CHECK(same && got[n * width] == 'x', "width %d, step %lld, n %lld",
	      width, (long long)step, (long long)n);
	free(got);
}

static void
test_kernels_of_every_width_and_step(void)
{
	static const int widths[] = { 1, 2, 4, 8, 16 };
	static const int lengths[] = { 1, 2, 3, 7, 8, 9, 31, 33, 100 };
	int64_t nbytes = 100 * 16 * 9;
	char *src = malloc((size_t)nbytes + 1);
	uint64_t seed = 7;

	for (int64_t i = 0; i <= nbytes; i++)
		src[i] = (char)check_random(&seed);
	for (int w = 0; w < 5; w++)
		for (int64_t k = -8; k <= 8; k++)
			for (int l = 0; l < 9; l++)
				if (k != 0)
					/* src + 1: at an odd address */
					check_kernel(widths[w], k * widths[w],
						     lengths[l], src + 1,
						     nbytes);
	free(src);
}

/* A transposed matrix, elements at an odd address. */
static void
check_tiles(int width, int64_t rows, int64_t n, const char *src)
{
	int64_t step = (rows + 3) * width;
	char *got = malloc((size_t)(rows * n * width) + 1);
	bool same = true;

	got[rows * n * width] = 'x';
	tsl_tile_kernel_for(width)(got, n * width, src, rows, width, n, step);
	for (int64_t r = 0; r < rows; r++)
		for (int64_t i = 0; i < n; i++)
			same = same && memcmp(got + (r * n + i) * width,
					      src + r * width + i * step,
					      (size_t)width) == 0;
	CHECK(same && got[rows * n * width] == 'x', "width %d, %lld x %lld",
	      width, (long long)rows, (long long)n);
	free(got);
}

static void
test_tiles_of_every_width_and_edge(void)
{
	static const int64_t sides[] = { 1, 2, 31, 32, 33, 63, 64, 65, 130 };
	int64_t nbytes = 133 * 130 * 16;
	char *src = malloc((size_t)nbytes + 1);
	uint64_t seed = 9;

	for (int64_t i = 0; i <= nbytes; i++)
		src[i] = (char)check_random(&seed);
	for (int width = 1; width <= 16; width *= 2)
		for (int r = 0; r < 9; r++)
			for (int c = 0; c < 9; c++)
				check_tiles(width, sides[r], sides[c], src + 1);
	free(src);
}

/* Position in the input of each element of the output, in C order. */
static void
model(const struct tsl_array *in, const struct tsl_selection *sel, int axis,
      int64_t offset, int64_t **next)
{
	int64_t stride[TSL_MAX_DIMS];
	const struct tsl_axis *a = &sel->axis[axis];

	if (axis == sel->naxes) {
		*(*next)++ = offset;
		return;
	}
	tsl_array_strides(in, stride);
	for (int64_t i = 0; i < a->count; i++)
		model(in, sel, axis + 1,
		      a->source < 0 ? offset
				    : offset + (a->begin + i * a->step) *
						       stride[a->source],
		      next);
}

static void
draw_array(struct tsl_array *a, uint64_t *seed)
{
	static const int sizes[] = { 1, 2, 3, 4, 5, 8, 16, 24 };

	*a = (struct tsl_array){
		.ndim = (int)check_between(seed, 0, 4),
		.dtype.size = sizes[check_between(seed, 0, 7)],
		.fortran_order = check_between(seed, 0, 1),
	};
	for (int i = 0; i < a->ndim; i++)
		a->dim[i] = check_between(seed, 1, 6);
}

static void
draw_selection(struct tsl_selection *sel, const struct tsl_array *a,
	       uint64_t *seed)
{
	*sel = (struct tsl_selection){ .known_rank = true };
	for (int i = 0; i < a->ndim; i++) {
		struct tsl_axis *x = &sel->axis[sel->naxes++];
		int64_t n = a->dim[i];
		int64_t last;

		*x = (struct tsl_axis){ .source = i, .step = 1, .count = 1 };
		x->begin = check_between(seed, 0, n - 1);
		x->shrunk = check_between(seed, 0, 4) == 0;
		if (x->shrunk)
			continue;
		last = check_between(seed, 0, n - 1);
		x->step = check_between(seed, 1, 3);
		x->count =
			(last > x->begin ? last - x->begin : x->begin - last) /
				x->step +
			1;
		if (last < x->begin)
			x->step = -x->step;
	}
}

/* A box made from a copy of just the bytes that it says it spans. */
static void
fill_view(const struct tsl_job *job, const struct tsl_view *box,
	  const int64_t stride[], const char *in, char *got)
{
	int64_t lo, hi;
	char *part;

	tsl_view_span(box, &lo, &hi);
	CHECK(lo >= 0 && lo < hi && hi <= tsl_array_nbytes(&job->in),
	      "the span is outside the input");
	part = malloc((size_t)(hi - lo));
	memcpy(part, in + lo, (size_t)(hi - lo));
	tsl_view_fill(box, stride, part, lo, got);
	free(part);
}

/* Elements [first, first + n) of the view, head by head. */
static void
check_range(const struct tsl_job *job, const char *in, const char *want,
	    int64_t first, int64_t n)
{
	int64_t stride[TSL_MAX_DIMS + 1];
	const struct tsl_view *v = &job->view;

	while (n > 0) {
		struct tsl_view box;
		int64_t done = tsl_view_head(v, first, n, &box);
		char *got = malloc((size_t)(done * v->width));

		CHECK(done > 0 && done <= n && tsl_view_count(&box) == done,
		      "a head of %lld", (long long)done);
		tsl_view_dense(&box, stride);
		fill_view(job, &box, stride, in, got);
		CHECK(memcmp(got, want + first * v->width,
			     (size_t)(done * v->width)) == 0,
		      "elements [%lld, +%lld) differ", (long long)first,
		      (long long)done);
		free(got);
		first += done;
		n -= done;
	}
}

/* All boxes of a cut, each run of them put where it is said to belong. */
static void
check_cut(const struct tsl_job *job, const char *in, const char *want,
	  const struct tsl_cut_limits *limits)
{
	char *out = calloc(1, (size_t)job->nbytes);
	int64_t written = 0;
	struct tsl_cut cut;

	tsl_cut_init(&cut, &job->view, limits);
	for (int64_t i = 0; i < cut.count; i++) {
		char *got = malloc((size_t)tsl_cut_nbytes(&cut));
		int64_t stride[TSL_MAX_DIMS + 1];
		int64_t nbytes = 0;
		struct tsl_box box;
		struct tsl_run run;

		tsl_cut_box(&cut, i, &box);
		tsl_box_stride(&box, stride);
		fill_view(job, &box.view, stride, in, got);
		tsl_box_first_run(&box, &run);
		CHECK(!limits->in_order || (run.first == written &&
					    tsl_box_is_one_run(&box)),
		      "box %lld is not in order", (long long)i);
		do {
			CHECK(run.at + run.nbytes <= tsl_cut_nbytes(&cut),
			      "a run outside of its box");
			memcpy(out + run.first, got + run.at,
			       (size_t)run.nbytes);
			nbytes += run.nbytes;
		} while (tsl_box_next_run(&box, &run));
		CHECK(nbytes <= limits->out || nbytes == box.view.width,
		      "a box of %lld bytes", (long long)nbytes);
		written += nbytes;
		free(got);
	}
	CHECK_EQ(written, job->nbytes);
	CHECK(memcmp(out, want, (size_t)job->nbytes) == 0, "a cut differs");
	free(out);
}

/* What is_forward says, seen from outside. */
static void
check_forward(const struct tsl_job *job, const struct tsl_cut_limits *limits)
{
	int64_t before = 0;
	struct tsl_cut cut;

	tsl_cut_init(&cut, &job->view, limits);
	if (!tsl_cut_is_forward(&cut, limits->in))
		return;
	for (int64_t i = 0; i < cut.count; i++) {
		struct tsl_box box;
		int64_t lo, hi;

		tsl_cut_box(&cut, i, &box);
		tsl_view_span(&box.view, &lo, &hi);
		CHECK(lo >= before && hi - lo <= limits->in,
		      "box %lld does not go forward", (long long)i);
		before = lo;
	}
}

static void
check_job(const struct tsl_array *a, const struct tsl_selection *sel,
	  const char *in, uint64_t *seed)
{
	int64_t size = a->dtype.size;
	int64_t offsets[6 * 6 * 6 * 6];
	int64_t *end = offsets;
	struct tsl_job job;
	int64_t total;
	char *want;

	tsl_slice_job_init(&job, a, sel, NULL, TSL_ORDER_C);
	model(a, sel, 0, 0, &end);
	CHECK_EQ(job.nbytes, (end - offsets) * size);
	want = malloc((size_t)job.nbytes);
	for (int64_t i = 0; i < end - offsets; i++)
		memcpy(want + i * size, in + offsets[i], (size_t)size);
	total = tsl_view_count(&job.view);
	check_range(&job, in, want, 0, total);
	for (int k = 0; k < 4; k++) {
		int64_t first = check_between(seed, 0, total - 1);
		struct tsl_cut_limits limits = {
			.out = check_between(seed, 1, job.nbytes + 10),
			.in = check_between(seed, 1, 2000),
			.run = check_between(seed, 1, 200),
			.in_order = check_between(seed, 0, 1),
		};

		check_range(&job, in, want, first,
			    check_between(seed, 1, total - first));
		check_cut(&job, in, want, &limits);
		check_forward(&job, &limits);
	}
	free(want);
}

static void
test_any_part_of_a_job_from_what_it_spans(void)
{
	char *in = malloc(6 * 6 * 6 * 6 * 24);
	uint64_t seed = 42;

	for (int i = 0; i < 6 * 6 * 6 * 6 * 24; i++)
		in[i] = (char)check_random(&seed);
	for (int i = 0; i < 2000; i++) {
		struct tsl_array a;
		struct tsl_selection sel;

		draw_array(&a, &seed);
		draw_selection(&sel, &a, &seed);
		check_job(&a, &sel, in, &seed);
	}
	free(in);
}

/*
 * Nine bytes that lie together are one element: what counts is how far apart
 * those are, and a box of them is as large as if they were eight.
 */
static void
test_elements_of_any_width_are_cut_alike(void)
{
	for (int64_t size = 8; size <= 9; size++) {
		struct tsl_array a = {
			.dtype = { .size = size },
			.ndim = 3,
			.dim = { 2, 100000, 20 },
		};
		struct tsl_cut_limits limits = { .out = 256 * 1024,
						 .in = 256 * 1024,
						 .run = 1024 };
		struct tsl_cut cut;
		struct tsl_job job;

		tsl_slice_all_init(&job, &a, TSL_ORDER_F);
		for (int in_order = 0; in_order < 2; in_order++) {
			limits.in_order = in_order == 1;
			tsl_cut_init(&cut, &job.view, &limits);
			CHECK(cut.count < 300, "%lld boxes for width %lld",
			      (long long)cut.count, (long long)size);
		}
	}
}

int
main(void)
{
	RUN(test_coalesce_merges_neighbours);
	RUN(test_coalesce_makes_bytes_of_odd_widths);
	RUN(test_kernels_of_every_width_and_step);
	RUN(test_tiles_of_every_width_and_edge);
	RUN(test_any_part_of_a_job_from_what_it_spans);
	RUN(test_elements_of_any_width_are_cut_alike);
	return check_done();
}
