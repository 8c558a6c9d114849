/*
 * test_cuda.c - slices that a GPU makes
 */
#ifdef TSL_HAVE_CUDA

#include "check.h"

#include "cuda/plan.h"
#include "lib/view/cut.h"
#include "tests/cuda/compare.h"

/* ---- slices -------------------------------------------------------------- */

/* More of the input than is needed may be handed over, from anywhere on. */
static void
check_view(const struct tsl_job *job, const struct tsl_view *view,
	   const char *in)
{
	int64_t nbytes = tsl_array_extent(&job->in);
	struct tsl_block block = { .view = view };
	struct part part = { .elsewhere = between(0, 1) };
	int64_t stride[TSL_MAX_DIMS + 1];
	char *want;

	block.n = tsl_view_count(view) * view->width;
	want = malloc((size_t)block.n);
	tsl_view_dense(view, stride);
	tsl_view_fill(view, stride, in, 0, want);
	tsl_view_span(view, &part.lo, &part.hi);
	part.lo -= min(part.lo, between(0, 40));
	part.hi += min(nbytes - part.hi, between(0, 40));
	check_block(job, &block, &part, 1, in, want);
	free(want);
}

static void
check_slice(const struct tsl_array *a, const struct tsl_selection *sel,
	    enum tsl_order order, const char *in, int boxes)
{
	struct tsl_job job;

	tsl_slice_job_init(&job, a, sel, NULL, order);
	if (job.nbytes == 0)
		return;
	check_view(&job, &job.view, in);
	for (int i = 0; i < boxes; i++) {
		struct tsl_cut_limits limits = {
			.out = between(1, job.nbytes),
			.in = between(1, 2 * tsl_array_extent(a)),
			.run = between(1, 2000),
			.in_order = between(0, 1),
		};
		struct tsl_box box;
		struct tsl_cut c;

		tsl_cut_init(&c, &job.view, &limits);
		tsl_cut_box(&c, between(0, c.count - 1), &box);
		check_view(&job, &box.view, in);
	}
}

static struct tsl_axis
draw_axis(int source, int64_t n, int64_t max_step)
{
	struct tsl_axis x = { .source = source, .step = 1, .count = 1 };
	int64_t last = between(0, n - 1), extent;

	x.begin = between(0, n - 1);
	x.shrunk = between(0, 6) == 0;
	if (x.shrunk)
		return x;
	if (between(0, 1)) { /* all of it */
		x.begin = between(0, 1) ? 0 : n - 1;
		last = n - 1 - x.begin;
	}
	extent = last > x.begin ? last - x.begin : x.begin - last;
	x.step = between(0, 1) ? 1 : between(1, max_step);
	x.count = extent / x.step + 1;
	if (last < x.begin)
		x.step = -x.step;
	return x;
}

static void
draw_selection(struct tsl_selection *sel, const struct tsl_array *a)
{
	*sel = (struct tsl_selection){ .known_rank = true };
	for (int i = 0; i < a->ndim; i++) {
		if (between(0, 8) == 0)
			sel->axis[sel->naxes++] = (struct tsl_axis){
				.source = -1, .count = 1, .step = 1
			};
		sel->axis[sel->naxes++] =
			draw_axis(i, a->dim[i], between(0, 3) ? 4 : 9);
	}
}

static void
slices_of(int count, int max_ndim, int64_t max_dim)
{
	for (int i = 0; i < count; i++) {
		struct tsl_array a;
		struct tsl_selection sel;
		char *in;

		draw_array(&a, max_ndim, max_dim);
		draw_selection(&sel, &a);
		in = random_bytes(tsl_array_nbytes(&a));
		check_slice(&a, &sel, (enum tsl_order)between(0, 2), in, 3);
		free(in);
	}
}

static void
test_slices_of_many_dims(void)
{
	slices_of(600, 6, 5);
}

static void
test_slices_of_long_rows(void)
{
	slices_of(200, 2, 300);
}

/*
 * Rows of output of more than 512 bytes that end within a vector, and more of
 * them than a block makes at once.
 */
static void
check_steps(int64_t width, int64_t step, bool backward)
{
	struct tsl_array a = { .ndim = 2 };
	struct tsl_selection sel = { .known_rank = true, .naxes = 2 };
	int64_t count = between(560, 700) / width;
	char *in;

	a.dtype = (struct tsl_dtype){
		.kind = 'V', .order = '|', .size = width, .descr = "'|V'"
	};
	a.dim[0] = between(14, 24);
	a.dim[1] = (count + 1) * step;
	sel.axis[0] = (struct tsl_axis){ .count = a.dim[0], .step = 1 };
	sel.axis[1] =
		(struct tsl_axis){ .source = 1, .count = count, .step = step };
	if (backward) {
		sel.axis[1].begin = a.dim[1] - 1;
		sel.axis[1].step = -step;
	}
	in = random_bytes(tsl_array_nbytes(&a));
	check_slice(&a, &sel, TSL_ORDER_C, in, 0);
	free(in);
}

static void
test_steps_in_longer_rows(void)
{
	for (int64_t width = 1; width <= 16; width *= 2)
		for (int64_t step = 1; step <= 5; step++)
			for (int i = 0; i < 6; i++)
				check_steps(width, step, i % 3 == 2);
}

/* The orders of input and output differ: tiles, if large enough. */
static void
test_transposed_slices(void)
{
	for (int i = 0; i < 150; i++) {
		struct tsl_array a;
		struct tsl_selection sel;
		char *in;

		draw_array(&a, 0, 0);
		a.ndim = (int)between(2, 3);
		for (int d = 0; d < a.ndim; d++)
			a.dim[d] = between(1, a.ndim == 2 ? 270 : 50);
		draw_selection(&sel, &a);
		in = random_bytes(tsl_array_nbytes(&a));
		check_slice(&a, &sel,
			    a.fortran_order ? TSL_ORDER_C : TSL_ORDER_F, in, 2);
		free(in);
	}
}

/* Their elements lie anywhere in records of any size. */
static void
test_slices_of_fields(void)
{
	for (int i = 0; i < 400; i++) {
		struct tsl_array records, a;
		struct tsl_field field;
		struct tsl_selection sel;
		char *in;

		draw_array(&records, 3, i % 2 ? 7 : 40);
		draw_field(&field, &records);
		if (tsl_array_of_field(&a, &records, &field, NULL) != TSL_OK)
			abort();
		draw_selection(&sel, &a);
		in = random_bytes(tsl_array_extent(&a));
		check_slice(&a, &sel, (enum tsl_order)between(0, 2), in, 3);
		free(in);
	}
}

/* Rows of output that begin within a word, of input read from either end. */
static void
test_tiles_of_small_units(void)
{
	for (int i = 0; i < 60; i++) {
		struct tsl_array a = {
			.ndim = 3,
			.dtype = { 'V', '|', 1 + i % 2, "'|V'" },
			.dim = { between(9, 70), between(1, 5),
				 between(9, 140) },
		};
		struct tsl_selection sel = { .known_rank = true, .naxes = 3 };
		char *in = random_bytes(tsl_array_nbytes(&a));

		for (int d = 0; d < 3; d++) {
			int64_t skipped = between(0, a.dim[d] > 9);
			bool back = between(0, 1);

			sel.axis[d] = (struct tsl_axis){
				.source = d,
				.begin = back ? a.dim[d] - 1 : skipped,
				.step = back ? -1 : 1,
				.count = a.dim[d] - skipped
			};
		}
		check_slice(&a, &sel, TSL_ORDER_F, in, 1);
		free(in);
	}
}

/* Whatever is left of a GPU's 32 bits, none of it is an index. */
static void
test_divisions(void)
{
	static const int64_t edges[] = { 1,        2,     3,     7,
					 641,      65535, 65537, INT32_MAX - 1,
					 INT32_MAX };
	uint64_t x[] = { 0, 1, INT32_MAX - 1, INT32_MAX, 0 };

	for (int i = 0; i < 2000; i++) {
		int64_t count = i < 9 ? edges[i]
				      : between(1, INT32_MAX) >> between(0, 30);
		struct tsl_cuda_divisor by =
			tsl_cuda_divide_by(count ? count : 1);

		x[4] = (uint64_t)between(0, INT32_MAX);
		x[1] = x[4] - x[4] % (uint64_t)by.count;
		for (int k = 0; k < 5; k++)
			CHECK(x[k] * by.magic >> by.shift ==
				      x[k] / (uint64_t)by.count,
			      "%llu / %lld", (unsigned long long)x[k],
			      (long long)by.count);
	}
}

static void
test_every_kernel_ran(void)
{
	check_all_ran("slice");
	check_all_ran("transpose");
}

static void
test_says_what_it_is(void)
{
	CHECK(strncmp(tsl_cuda_built_in(), "CUDA", 4) == 0, "%s",
	      tsl_cuda_built_in());
	CHECK_STR(backend->name, "cuda:0");
	CHECK(backend->lanes > 0, "%d", backend->lanes);
	CHECK(strstr(tsl_cuda_describe(gpu), "compute capability") != NULL,
	      "%s", tsl_cuda_describe(gpu));
	CHECK(backend->memory > 0, "no memory");
}

int
main(void)
{
	open_gpu();
	RUN(test_says_what_it_is);
	RUN(test_slices_of_many_dims);
	RUN(test_slices_of_long_rows);
	RUN(test_steps_in_longer_rows);
	RUN(test_transposed_slices);
	RUN(test_slices_of_fields);
	RUN(test_tiles_of_small_units);
	RUN(test_divisions);
	RUN(test_every_kernel_ran);
	tsl_cuda_close(gpu);
	return check_done();
}

#else

#include <stdio.h>

int
main(void)
{
	puts("1..0 # SKIP this build has no CUDA");
	return 77;
}

#endif
