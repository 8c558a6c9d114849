/*
 * test_job.c - views, kernels, and jobs that produce any range of output
 *
 * A model walks the selection element by element.  The job is handed exactly
 * the input bytes that it said it needs, in memory of exactly that size, so
 * that a sanitizer sees it look at one more.
 */
#include "check.h"

#include "lib/kernel.h"
#include "lib/tslice.h"

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
	tsl_kernel_for(width, step, 0)(got, src + first, 1, 0, n, step);
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
	tsl_kernel_for(width, step, width)(got, src, rows, width, n, step);
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

/* Output bytes [first, first + n) from a copy of what the job needs. */
static void
check_range(const struct tsl_job *job, const char *in, const char *want,
	    int64_t first, int64_t n)
{
	int64_t lo, hi;
	char *part, *got;

	job->op->need(job, first, n, &lo, &hi);
	CHECK(lo >= 0 && lo < hi && hi <= tsl_array_nbytes(&job->in),
	      "need is outside the input");
	part = malloc((size_t)(hi - lo));
	got = malloc((size_t)n);
	memcpy(part, in + lo, (size_t)(hi - lo));
	job->op->fill(job, first, n, part, lo, got);
	CHECK(memcmp(got, want + first, (size_t)n) == 0,
	      "bytes [%lld, +%lld) differ", (long long)first, (long long)n);
	free(part);
	free(got);
}

static void
check_job(const struct tsl_array *a, const struct tsl_selection *sel,
	  const char *in, uint64_t *seed)
{
	int64_t size = a->dtype.size;
	int64_t offsets[6 * 6 * 6 * 6];
	int64_t *end = offsets;
	struct tsl_slice_job slice;
	char *want;

	tsl_slice_job_init(&slice, a, sel, TSL_ORDER_C);
	model(a, sel, 0, 0, &end);
	CHECK_EQ(slice.job.nbytes, (end - offsets) * size);
	want = malloc((size_t)slice.job.nbytes);
	for (int64_t i = 0; i < end - offsets; i++)
		memcpy(want + i * size, in + offsets[i], (size_t)size);
	check_range(&slice.job, in, want, 0, slice.job.nbytes);
	for (int k = 0; k < 4; k++) {
		int64_t first = check_between(seed, 0, end - offsets - 1);
		int64_t n = check_between(seed, 1, end - offsets - first);

		check_range(&slice.job, in, want, first * size, n * size);
	}
	free(want);
}

static void
test_any_range_of_a_job_from_what_it_needs(void)
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

int
main(void)
{
	RUN(test_coalesce_merges_neighbours);
	RUN(test_coalesce_makes_bytes_of_odd_widths);
	RUN(test_kernels_of_every_width_and_step);
	RUN(test_tiles_of_every_width_and_edge);
	RUN(test_any_range_of_a_job_from_what_it_needs);
	return check_done();
}
