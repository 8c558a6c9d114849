/*
 * test_kernel.c - every kernel, at every width and edge, against a plain loop
 *
 * Everything is done twice, with and without the kernels for one kind of
 * processor.
 */
#include "kernels.h"
#include "lib/kernel/types.h"
#include "lib/view/walk.h"

/* ---- rows ---------------------------------------------------------------- */

struct rows {
	int64_t width, step, stride, rows, n;
};

/* What a kernel or, with gaps between the rows, a tile kernel should do. */
static void
model(char *dst, int64_t dst_stride, const char *src, const struct rows *r)
{
	for (int64_t j = 0; j < r->rows; j++)
		for (int64_t i = 0; i < r->n; i++)
			memcpy(dst + j * dst_stride + i * r->width,
			       src + (j * r->stride + i * r->step),
			       (size_t)r->width);
}

static int64_t
reach(int64_t count, int64_t stride)
{
	return count > 0 ? (count - 1) * stride : 0;
}

/* The bytes that are read; *first is the first element, in them. */
static struct source
source_of(const struct rows *r, const char **first)
{
	int64_t down = reach(r->rows, r->stride);
	int64_t along = reach(r->n, r->step);
	int64_t below = (down < 0 ? -down : 0) + (along < 0 ? -along : 0);
	int64_t above = (down > 0 ? down : 0) + (along > 0 ? along : 0);
	bool empty = r->rows == 0 || r->n == 0;
	struct source s = source_new(empty ? 0 : below + above + r->width);

	*first = s.bytes + (empty ? 0 : below);
	return s;
}

static void
check_kernel(tsl_kernel *kernel, const struct rows *r)
{
	int64_t nbytes = r->rows * r->n * r->width;
	struct target got = target_new(nbytes), want = target_new(nbytes);
	const char *src;
	struct source s = source_of(r, &src);

	model(want.bytes, r->n * r->width, src, r);
	kernel(got.bytes, src, r->rows, r->stride, r->n, r->step);
	CHECK(target_is(&got, &want),
	      "width %lld, step %lld, row_stride %lld, %lld x %lld",
	      (long long)r->width, (long long)r->step, (long long)r->stride,
	      (long long)r->rows, (long long)r->n);
	free(got.block);
	free(want.block);
	free(s.block);
}

/* The rows, a part of one as at the ends of a range, and longer ones. */
static void
check_rows(struct rows r)
{
	tsl_kernel *kernel = tsl_kernel_for(r.width, r.step, r.stride, r.n);
	int64_t n = r.n;

	check_kernel(kernel, &r);
	r.rows = 1;
	r.n = check_between(&seed, 0, n);
	check_kernel(kernel, &r);
	r.rows = 2;
	r.n = n + check_between(&seed, 1, 20);
	check_kernel(kernel, &r);
}

static const int64_t lengths[] = { 0,  1,  2,  3,  4,  5,  6,  7,  8,
				   9,  10, 11, 12, 13, 14, 15, 16, 17,
				   31, 32, 33, 47, 63, 64, 65, 100 };
static const int64_t counts[] = { 0, 1, 2, 3, 4, 5, 7, 16, 33, 130 };

#define LEN(array) ((int)(sizeof(array) / sizeof((array)[0])))

static void
check_step(int64_t width, int64_t step)
{
	int64_t apart = step < 0 ? -step : step;

	for (int i = 0; i < LEN(lengths); i++)
		for (int j = 0; j < LEN(counts); j++) {
			int64_t n = lengths[i], dense = n * apart;
			struct rows r = { width, step, dense, counts[j], n };

			if (n * counts[j] * width > 20000)
				continue;
			check_rows(r);
			r.stride = -dense;
			check_rows(r);
			r.stride = dense + check_between(&seed, 1, 5) * width;
			check_rows(r);
			r.stride = -r.stride;
			check_rows(r);
		}
}

static void
check_steps(void)
{
	for (int64_t width = 1; width <= 16; width *= 2) {
		for (int64_t k = -4; k <= 5; k++)
			if (k != 0)
				check_step(width, k * width);
		check_step(width, 17 * width);
		check_step(width, 3 * width + 1);
	}
}

/* Elements of other widths are rows of bytes. */
static void
check_odd_widths(void)
{
	for (int64_t width = 1; width <= 140; width++)
		for (int k = -3; k <= 3; k++) {
			struct rows r = { 1, 1, k * width, 50, width };

			if (k != 0)
				check_rows(r);
		}
}

/* ---- tiles --------------------------------------------------------------- */

static void
check_tile(const struct rows *r, int64_t pitch)
{
	int64_t nbytes = r->n * r->width;
	struct target got = target_new(r->rows * pitch);
	struct target want = target_new(r->rows * pitch);
	const char *src;
	struct source s = source_of(r, &src);

	model(want.bytes, pitch, src, r);
	tsl_tile_kernel_for(r->width)(got.bytes, pitch, src, r->rows, r->stride,
				      r->n, r->step);
	CHECK(target_is(&got, &want),
	      "width %lld, step %lld, row_stride %lld, %lld x %lld, %lld wide",
	      (long long)r->width, (long long)r->step, (long long)r->stride,
	      (long long)r->rows, (long long)r->n, (long long)nbytes);
	free(got.block);
	free(want.block);
	free(s.block);
}

static void
check_tile_size(int64_t width, int64_t rows, int64_t n)
{
	/* A column may be all that is there: then one begins at the other. */
	int64_t steps[] = { rows * width, (rows + 3) * width, 4096,
			    -rows * width };

	for (int i = 0; i < LEN(steps); i++) {
		struct rows r = { width, steps[i], width, rows, n };

		if (rows * width > 4096 && steps[i] == 4096)
			continue;
		check_tile(&r, n * width);
		check_tile(&r, n * width + check_between(&seed, 1, 40));
		check_rows(r);
		r.stride = -width;
		check_tile(&r, n * width);
		check_tile(&r, n * width + check_between(&seed, 1, 40));
		check_rows(r);
	}
}

static void
check_tiles(void)
{
	static const int64_t sides[] = { 0,  1,  2,  3,  4,  7,  8,  9,  15,
					 16, 17, 31, 32, 33, 63, 64, 65, 130 };

	for (int64_t width = 1; width <= 16; width *= 2)
		for (int i = 0; i < LEN(sides); i++)
			for (int j = 0; j < LEN(sides); j++)
				if (sides[i] * sides[j] * width <= 80000)
					check_tile_size(width, sides[i],
							sides[j]);
}

/* ---- views, in any order of their axes ----------------------------------- */

/* Dims with gaps or none, and any of them the closest one. */
static void
draw_view(struct tsl_view *v, int64_t *nbytes)
{
	int64_t order[5];
	int64_t span;

	*v = (struct tsl_view){
		.ndim = (int)check_between(&seed, 1, 5),
		.width = INT64_C(1) << check_between(&seed, 0, 4),
	};
	span = v->width;
	shuffle(order, v->ndim);
	for (int i = 0; i < v->ndim; i++) {
		int64_t d = order[i];
		int64_t most = v->ndim <= 3 || d == v->ndim - 1 ? 40 : 8;
		int64_t gap = check_between(&seed, 0, 3) ? 0 : 2 * v->width;

		v->dim[d] = check_between(&seed, 1, most);
		v->stride[d] = span + gap;
		span += v->stride[d] * (v->dim[d] - 1);
		if (check_between(&seed, 0, 1)) {
			v->offset += v->stride[d] * (v->dim[d] - 1);
			v->stride[d] = -v->stride[d];
		}
	}
	*nbytes = span;
}

static void
view_model(const struct tsl_view *v, const char *in, const int64_t dst_stride[],
	   char *dst)
{
	int64_t count = tsl_view_count(v);

	for (int64_t e = 0; e < count; e++) {
		int64_t offset = v->offset;
		int64_t to = 0;
		int64_t rest = e;

		for (int i = v->ndim - 1; i >= 0; i--) {
			offset += rest % v->dim[i] * v->stride[i];
			to += rest % v->dim[i] * dst_stride[i];
			rest /= v->dim[i];
		}
		memcpy(dst + to, in + offset, (size_t)v->width);
	}
}

/* All of a view, to rows that are 'gap' bytes apart in each dim but one. */
static void
check_fill(const struct tsl_view *v, const char *in, int64_t gap)
{
	int64_t stride[TSL_MAX_DIMS + 1];
	struct target got, want;
	struct source s;
	int64_t lo, hi;
	int64_t nbytes = v->width;

	for (int i = v->ndim - 1; i >= 0; i--) {
		stride[i] = nbytes;
		nbytes = nbytes * v->dim[i] + gap;
	}
	got = target_new(nbytes);
	want = target_new(nbytes);
	view_model(v, in, stride, want.bytes);
	tsl_view_span(v, &lo, &hi);
	s = source_new(hi - lo);
	memcpy(s.bytes, in + lo, (size_t)(hi - lo));
	tsl_view_fill(v, stride, s.bytes, lo, got.bytes);
	CHECK(target_is(&got, &want), "%d dims, gaps of %lld", v->ndim,
	      (long long)gap);
	free(s.block);
	free(got.block);
	free(want.block);
}

static void
check_views(void)
{
	for (int i = 0; i < 300; i++) {
		struct tsl_view v;
		struct source s;
		int64_t nbytes;

		draw_view(&v, &nbytes);
		if (check_between(&seed, 0, 1))
			tsl_view_coalesce(&v);
		s = source_new(nbytes);
		check_fill(&v, s.bytes, 0);
		check_fill(&v, s.bytes, check_between(&seed, 1, 100));
		free(s.block);
	}
}

/* ---- rows of several sources --------------------------------------------- */

static void
check_weave(int64_t width, int n, int64_t rows)
{
	struct target got = target_new(n * rows * width);
	struct target want = target_new(n * rows * width);
	struct source s[4];
	const char *source[4];

	for (int k = 0; k < n; k++) {
		s[k] = source_new(rows * width);
		source[k] = s[k].bytes;
		for (int64_t r = 0; r < rows; r++)
			memcpy(want.bytes + (r * n + k) * width,
			       source[k] + r * width, (size_t)width);
	}
	tsl_interleave_for(width, n)(got.bytes, source, rows);
	CHECK(target_is(&got, &want), "%lld rows of %d, %lld bytes each",
	      (long long)rows, n, (long long)width);
	for (int k = 0; k < n; k++)
		free(s[k].block);
	free(got.block);
	free(want.block);
}

static void
check_weaves(void)
{
	for (int64_t width = 1; width <= 8; width *= 2)
		for (int n = 2; n <= 4; n++)
			for (int64_t rows = 0; rows <= 130; rows++)
				check_weave(width, n, rows);
}

/* What lies between the columns stays as it is. */
static void
check_columns(int64_t width)
{
	int64_t rows = check_between(&seed, 1, 20);
	int64_t step = width + check_between(&seed, 0, 9);
	struct source s = source_new(rows * width);
	struct target got = target_new((rows - 1) * step + width);
	struct target want = target_new((rows - 1) * step + width);

	for (int64_t r = 0; r < rows; r++)
		memcpy(want.bytes + r * step, s.bytes + r * width,
		       (size_t)width);
	tsl_put_columns(got.bytes, step, s.bytes, (size_t)width, rows);
	CHECK(target_is(&got, &want), "columns of %lld bytes",
	      (long long)width);
	free(s.block);
	free(got.block);
	free(want.block);
}

static void
test_columns_of_every_width(void)
{
	for (int64_t width = 1; width <= 40; width++)
		for (int i = 0; i < 8; i++)
			check_columns(width);
}

/* ---- */

static void
on_any_processor(void (*check)(void))
{
	check();
	tsl_plain_kernels = true;
	check();
	tsl_plain_kernels = false;
}

static void
test_steps_of_every_width(void)
{
	on_any_processor(check_steps);
}

static void
test_rows_of_odd_widths(void)
{
	on_any_processor(check_odd_widths);
}

static void
test_tiles_of_every_width_and_edge(void)
{
	on_any_processor(check_tiles);
}

static void
test_views_in_any_order_of_axes(void)
{
	on_any_processor(check_views);
}

static void
test_sources_woven(void)
{
	on_any_processor(check_weaves);
}

int
main(void)
{
	RUN(test_steps_of_every_width);
	RUN(test_rows_of_odd_widths);
	RUN(test_tiles_of_every_width_and_edge);
	RUN(test_views_in_any_order_of_axes);
	RUN(test_sources_woven);
	RUN(test_columns_of_every_width);
	return check_done();
}
