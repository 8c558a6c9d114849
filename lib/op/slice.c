/*
 * slice.c - strided_slice as a job, arranged
 *
 * The result is a view of the input, its axes in the order in which the
 * output's bytes are written.  Producing bytes is walking that view.
 *
 * In C order a reshape changes the header alone, whatever the view is like.
 * Other orders are NumPy's: those of its view, if it makes one, or of the copy.
 */
#include "slice.h"

#include "lib/view/refine.h"

#include <string.h>

static const struct tsl_op slice_op = { .name = "strided_slice",
					.any_order = true };
static const struct tsl_op overlap_op = { .name = "strided_slice" };

/* A view's dims in groups, each of which is one axis of the output. */
struct groups {
	int count[TSL_MAX_DIMS];
	bool whole; /* each axis is a group */
	bool is_view; /* and at most one dim */
};

static void
group_dims(struct groups *g, struct tsl_view *v,
	   const struct tsl_arrangement *a)
{
	g->whole = true;
	for (int i = 0; i < a->shape.ndim; i++)
		g->count[i] = 1;
	if (a->is_reshaped && tsl_view_count(v) > 0)
		g->whole = tsl_view_refine(v, &a->shape, g->count);
	g->is_view = g->whole;
	for (int i = 0; i < a->shape.ndim; i++)
		g->is_view &= g->count[i] <= 1;
}

static bool
is_fortran(const struct tsl_job *job, const struct groups *g,
	   enum tsl_order order)
{
	const struct tsl_view *v = &job->view;

	if (order == TSL_ORDER_KEEP)
		return g->is_view && tsl_view_is_f(v) && !tsl_view_is_c(v);
	return order == TSL_ORDER_F && g->whole && !tsl_array_is_1d(&job->out);
}

/* The selected elements as they are. */
static void
keep_as_they_are(struct tsl_arrangement *a, const struct tsl_selection *sel)
{
	a->is_reshaped = false;
	a->shape = tsl_selection_shape(sel);
	for (int i = 0; i < a->shape.ndim; i++)
		a->axis[i] = i;
}

void
tsl_slice_job_init(struct tsl_job *job, const struct tsl_array *in,
		   const struct tsl_selection *sel,
		   const struct tsl_arrangement *arranged, enum tsl_order order)
{
	struct tsl_view *v = &job->view;
	struct tsl_arrangement as_is;
	const struct tsl_arrangement *a = arranged ? arranged : &as_is;
	struct groups g;

	if (!arranged)
		keep_as_they_are(&as_is, sel);
	*job = (struct tsl_job){ .in = *in };
	job->out.dtype = in->dtype;
	job->out.ndim = a->shape.ndim;
	memcpy(job->out.dim, a->shape.dim, sizeof(job->out.dim));
	tsl_view_select(v, in, sel);
	tsl_view_permute(v, a->axis);
	group_dims(&g, v, a);
	job->op = g.whole ? &slice_op : &overlap_op;
	job->out.fortran_order = is_fortran(job, &g, order);
	if (job->out.fortran_order)
		tsl_view_reverse_groups(v, a->shape.ndim, g.count);
	tsl_job_settle(job);
}

void
tsl_slice_all_init(struct tsl_job *job, const struct tsl_array *in,
		   enum tsl_order order)
{
	struct tsl_shape shape = tsl_shape_of(in);
	struct tsl_selection sel;

	tsl_select_all(&sel, &shape);
	tsl_slice_job_init(job, in, &sel, NULL, order);
}
