/*
 * slice.c - strided_slice as a job
 *
 * The result is a view of the input, its axes in the order in which the
 * output's bytes are written.  Producing bytes is walking that view.
 */
#include "slice.h"

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
	tsl_job_settle(job);
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
