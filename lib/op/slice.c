/*
 * slice.c - strided_slice as a job
 *
 * The result is a view of the input, its axes in the order in which the
 * output's bytes are written.  Producing bytes is walking that view.
 */
#include "slice.h"

#include "lib/base/minmax.h"

/* A row that is read by itself should repay the system call. */
#define MIN_READ (16 * 1024)

/* Above this a row is worth a memcpy straight from a mapping. */
#define MIN_MAPPED_ROW 256

/* Rows of no more elements are moved by kernels of their own. */
#define MAX_SMALL 16

/* A view is dense when this part of what it spans is used. */
#define DENSE_PART 4

static const struct tsl_op slice_op = { .name = "strided_slice",
					.any_order = true };

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
 * The bytes of the largest box of innermost dims of which enough of what lies
 * between its ends is used.  'v' is not empty.
 */
static int64_t
dense_nbytes(const struct tsl_view *v)
{
	int64_t used = v->width;
	int64_t span = v->width;

	for (int d = v->ndim - 1; d >= 0; d--) {
		int64_t wider =
			span + tsl_magnitude(v->stride[d]) * (v->dim[d] - 1);

		if (used * v->dim[d] < wider / DENSE_PART)
			break;
		used *= v->dim[d];
		span = wider;
	}
	return used;
}

static bool
is_transposed(const struct tsl_view *v)
{
	int64_t inner = tsl_magnitude(v->stride[v->ndim - 1]);

	for (int d = 0; d < v->ndim - 1; d++)
		if (tsl_magnitude(v->stride[d]) < inner)
			return true;
	return false;
}

static enum tsl_pattern
classify(const struct tsl_view *v)
{
	int64_t nbytes = v->width * tsl_view_count(v);
	int64_t length = v->ndim > 0 ? v->dim[v->ndim - 1] : 1;
	int64_t step = v->ndim > 0 ? v->stride[v->ndim - 1] : v->width;
	int64_t row = length * v->width;

	if (step == v->width && row == nbytes)
		return TSL_PATTERN_RUN;
	if (step == v->width && row >= MIN_READ)
		return TSL_PATTERN_ROWS;
	if (step == v->width && row >= MIN_MAPPED_ROW)
		return TSL_PATTERN_BOX;
	if (is_transposed(v))
		return TSL_PATTERN_TRANSPOSED;
	if (dense_nbytes(v) < tsl_min(MIN_READ, nbytes))
		return TSL_PATTERN_SPARSE;
	return length <= MAX_SMALL ? TSL_PATTERN_SMALL : TSL_PATTERN_DENSE;
}

const char *
tsl_pattern_name(enum tsl_pattern pattern)
{
	static const char *const names[] = {
		[TSL_PATTERN_EMPTY] = "no elements",
		[TSL_PATTERN_RUN] = "one contiguous run",
		[TSL_PATTERN_ROWS] = "long contiguous rows",
		[TSL_PATTERN_BOX] = "contiguous rows",
		[TSL_PATTERN_DENSE] = "dense steps",
		[TSL_PATTERN_SMALL] = "small inner dimension",
		[TSL_PATTERN_SPARSE] = "sparse picks",
		[TSL_PATTERN_TRANSPOSED] = "transposed, in tiles",
		[TSL_PATTERN_GATHER] = "rows in the order of the input",
	};

	return names[pattern];
}

void
tsl_slice_job_init(struct tsl_job *job, const struct tsl_array *in,
		   const struct tsl_selection *sel, enum tsl_order order)
{
	struct tsl_view *v = &job->view;

	*job = (struct tsl_job){ .op = &slice_op, .in = *in };
	init_out(job, sel);
	tsl_view_select(v, in, sel);
	job->out.fortran_order = is_fortran(v, &job->out, order);
	if (job->out.fortran_order)
		tsl_view_reverse_axes(v);
	tsl_view_coalesce(v);
	job->nbytes = tsl_array_nbytes(&job->out);
	if (job->nbytes > 0)
		job->pattern = classify(v);
}

void
tsl_slice_all_init(struct tsl_job *job, const struct tsl_array *in,
		   enum tsl_order order)
{
	struct tsl_shape shape = tsl_shape_of(in);
	struct tsl_selection sel;

	tsl_select_all(&sel, &shape);
	tsl_slice_job_init(job, in, &sel, order);
}
