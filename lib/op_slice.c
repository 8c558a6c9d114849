/*
 * op_slice.c - strided_slice as a job
 *
 * The result is a view of the input, its axes in the order in which the
 * output's bytes are written.  Producing bytes is walking that view.
 */
#include "op_slice.h"

#include "walk.h"

/* A piece that is read by itself should repay the system call. */
#define MIN_READ (16 * 1024)

/* Above this a row is worth a memcpy straight from a mapping. */
#define MIN_MAPPED_ROW 256

/* Blocks are cut between rows, where rows are not longer than this. */
#define MAX_GRAIN (1024 * 1024)

static const struct tsl_slice_job *
slice_of(const struct tsl_job *job)
{
	return (const struct tsl_slice_job *)(const void *)job;
}

void
tsl_slice_need(const struct tsl_job *job, int64_t first, int64_t n, int64_t *lo,
	       int64_t *hi)
{
	const struct tsl_view *v = &slice_of(job)->view;
	int64_t begin = first / v->width;
	int64_t end = (first + n + v->width - 1) / v->width;

	tsl_view_span(v, begin, end - begin, lo, hi);
}

static int64_t
min(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

void
tsl_slice_fill(const struct tsl_job *job, int64_t first, int64_t n,
	       const char *in, int64_t lo, char *dst)
{
	const struct tsl_slice_job *slice = slice_of(job);
	int64_t width = slice->view.width;

	tsl_view_fill(&slice->view, slice->kernel, first / width, n / width, in,
		      lo, dst);
}

static const struct tsl_op slice_op = { "strided_slice", tsl_slice_need,
					tsl_slice_fill, NULL };

static bool
is_fortran(const struct tsl_view *v, const struct tsl_array *out,
	   enum tsl_order order)
{
	if (order == TSL_ORDER_KEEP)
		return tsl_view_is_f(v) && !tsl_view_is_c(v);
	return order == TSL_ORDER_F && !tsl_array_is_1d(out);
}

static void
init_out(struct tsl_job *job, const struct tsl_selection *sel)
{
	struct tsl_shape shape = tsl_selection_shape(sel);

	job->out.dtype = job->in.dtype;
	job->out.ndim = shape.ndim;
	for (int i = 0; i < shape.ndim; i++)
		job->out.dim[i] = shape.dim[i];
}

/*
 * The bytes of the largest box of innermost dims of which at least a quarter
 * of what lies between its ends is used.  'v' is not empty.
 */
static int64_t
dense_piece(const struct tsl_view *v)
{
	int64_t used = v->width;
	int64_t span = v->width;

	for (int d = v->ndim - 1; d >= 0; d--) {
		int64_t step = v->stride[d] < 0 ? -v->stride[d] : v->stride[d];
		int64_t wider = span + step * (v->dim[d] - 1);

		if (used * v->dim[d] < wider / 4)
			break;
		used *= v->dim[d];
		span = wider;
	}
	return used;
}

/*
 * How to get at the input.  Measured with a warm cache: reading what lies
 * between beats a mapping for dense steps (a page-table entry for every 4 KiB
 * costs more than a copy out of the page cache); a mapping beats reading for
 * boxes of rows and sparse picks, where most of what is read is not wanted.
 */
static void
choose_access(struct tsl_job *job, const struct tsl_view *v,
	      const struct tsl_rows *r)
{
	int64_t row = r->length * v->width;
	bool contiguous = r->step == v->width;

	job->piece = job->nbytes;
	if (contiguous && (row == job->nbytes || row >= MIN_READ)) {
		job->piece = row;
		job->access = TSL_ACCESS_COPY;
		job->plan = row == job->nbytes ? "one contiguous run"
					       : "long contiguous rows";
		return;
	}
	job->access = TSL_ACCESS_MAP;
	job->plan = contiguous              ? "contiguous rows"
		    : r->stride == v->width ? "transposed, in tiles"
					    : "sparse picks";
	if (contiguous && row >= MIN_MAPPED_ROW)
		return;
	if (dense_piece(v) >= min(MIN_READ, job->nbytes)) {
		job->piece = dense_piece(v);
		job->access = TSL_ACCESS_SPAN;
		job->plan =
			contiguous ? "short contiguous rows" : "dense steps";
	}
}

void
tsl_slice_job_init(struct tsl_slice_job *slice, const struct tsl_array *in,
		   const struct tsl_selection *sel, enum tsl_order order)
{
	struct tsl_job *job = &slice->job;
	struct tsl_view *v = &slice->view;
	struct tsl_rows r;

	*job = (struct tsl_job){ .op = &slice_op, .in = *in, .piece = 1 };
	init_out(job, sel);
	tsl_view_select(v, in, sel);
	job->out.fortran_order = is_fortran(v, &job->out, order);
	if (job->out.fortran_order)
		tsl_view_reverse_axes(v);
	tsl_view_coalesce(v);
	job->nbytes = tsl_array_nbytes(&job->out);
	job->grain = v->width;
	job->plan = "no elements";
	if (job->nbytes == 0)
		return;
	r = tsl_view_rows(v);
	if (r.length * v->width <= MAX_GRAIN)
		job->grain = r.length * v->width;
	slice->kernel = tsl_kernel_for(v->width, r.step, r.stride);
	choose_access(job, v, &r);
}
