/*
 * cat.c - concatenate and stack as a job
 */
#include "cat.h"

#include "lib/base/minmax.h"
#include "lib/base/overflow.h"
#include "lib/base/search.h"
#include "lib/base/shape.h"

#include <string.h>

static const struct tsl_op cat_op = { .name = "concatenate",
				      .road = TSL_ROAD_CONCAT,
				      .any_order = true };
static const struct tsl_op stack_op = { .name = "stack",
					.road = TSL_ROAD_CONCAT,
					.any_order = true };

/* ---- do they go together? ------------------------------------------------ */

/* The axis counted from the first, of an output of so many. */
static int64_t
axis_of(const struct tsl_cat_options *options, int64_t ndim)
{
	return options->axis < 0 ? options->axis + ndim : options->axis;
}

static enum tsl_status
check_axis(const struct tsl_cat_part *first,
	   const struct tsl_cat_options *options, struct tsl_error *err)
{
	int ndim = first->array->ndim + options->is_new;

	if (ndim == 0)
		return tsl_fail_item(err, TSL_EBAD_RANK, first->input,
				     "an array of rank 0 has no axis to "
				     "concatenate along, only a new one");
	if (options->axis < -ndim || options->axis >= ndim)
		return tsl_fail_item(err, TSL_EBAD_AXIS, first->input,
				     "there is no axis %lld: the result has "
				     "rank %d",
				     (long long)options->axis, ndim);
	if (ndim > TSL_MAX_DIMS)
		return tsl_fail_item(err, TSL_ERANK_LIMIT, first->input,
				     "the result would have more than %d axes",
				     TSL_MAX_DIMS);
	return TSL_OK;
}

static enum tsl_status
fail_shape(const struct tsl_cat_part *part, const struct tsl_cat_part *first,
	   int axis, struct tsl_error *err)
{
	struct tsl_shape mine = tsl_shape_of(part->array);
	struct tsl_shape other = tsl_shape_of(first->array);
	char got[TSL_SHAPE_TEXT], want[TSL_SHAPE_TEXT];

	if (axis >= 0)
		return tsl_fail_item(
			err, TSL_ESHAPE_MISMATCH, part->input,
			"axis %d has size %lld, and in %.120s size %lld", axis,
			(long long)mine.dim[axis], first->name,
			(long long)other.dim[axis]);
	tsl_shape_format(&mine, got);
	tsl_shape_format(&other, want);
	return tsl_fail_item(err, TSL_ESHAPE_MISMATCH, part->input,
			     "its shape is %.60s, of rank %d; that of %.60s "
			     "is %.60s, of rank %d",
			     got, mine.ndim, first->name, want, other.ndim);
}

/* 'along' is the axis whose sizes may differ; none of a stack. */
static enum tsl_status
check_part(const struct tsl_cat_part *part, const struct tsl_cat_part *first,
	   int along, struct tsl_error *err)
{
	const struct tsl_array *a = part->array, *f = first->array;

	if (!tsl_dtype_equal(&f->dtype, &a->dtype))
		return tsl_fail_item(err, TSL_EDTYPE_MISMATCH, part->input,
				     "its dtype is %.60s, that of %.60s %.60s",
				     tsl_dtype_text(&a->dtype), first->name,
				     tsl_dtype_text(&f->dtype));
	if (a->ndim != f->ndim)
		return fail_shape(part, first, -1, err);
	for (int i = 0; i < a->ndim; i++)
		if (i != along && a->dim[i] != f->dim[i])
			return fail_shape(part, first, i, err);
	return TSL_OK;
}

enum tsl_status
tsl_cat_check(const struct tsl_cat_part part[], int64_t n,
	      const struct tsl_cat_part *first,
	      const struct tsl_cat_options *options, struct tsl_error *err)
{
	int ndim = first->array->ndim + options->is_new;
	enum tsl_status status = check_axis(first, options, err);
	int along = options->is_new ? -1 : (int)axis_of(options, ndim);

	for (int64_t i = 0; i < n && !status; i++)
		status = check_part(&part[i], first, along, err);
	return status;
}

/* ---- making the job ------------------------------------------------------ */

static int64_t
size_along(const struct tsl_array *a, int axis, bool is_new)
{
	return is_new ? 1 : a->dim[axis];
}

static enum tsl_status
init_out(struct tsl_array *out, const struct tsl_cat_part part[], int64_t n,
	 const struct tsl_array *first, int axis,
	 const struct tsl_cat_options *options, struct tsl_error *err)
{
	int64_t total = 0;
	enum tsl_status status;

	out->dtype = options->dtype ? *options->dtype : first->dtype;
	out->ndim = first->ndim + options->is_new;
	for (int i = 0, of = 0; i < out->ndim; i++)
		if (i != axis || !options->is_new)
			out->dim[i] = first->dim[of++];
	for (int64_t i = 0; i < n; i++)
		if (!tsl_add(total,
			     size_along(part[i].array, axis, options->is_new),
			     &total))
			return tsl_fail(err, TSL_ETOO_LARGE,
					"the size of axis %d would be larger "
					"than 2^63-1",
					axis);
	out->dim[axis] = total;
	status = tsl_array_check(out, err);
	if (!status)
		out->fortran_order =
			options->order == TSL_ORDER_F && !tsl_array_is_1d(out);
	return status;
}

/* Bytes of a part that are side by side for each size of the axis. */
static int64_t
inner_nbytes(const struct tsl_array *out, int axis, bool fortran)
{
	int64_t nbytes = out->dtype.size;

	for (int i = fortran ? 0 : axis + 1; i < (fortran ? axis : out->ndim);
	     i++)
		nbytes *= out->dim[i];
	return nbytes;
}

/* Leaves out what has no elements, so that parts can be told by where. */
static void
place_parts(struct tsl_cat_job *cat, int64_t n, int axis, int64_t inner,
	    bool is_new)
{
	struct tsl_view view;

	for (int64_t i = 0; i < n; i++) {
		struct tsl_cat_part *p = &cat->part[cat->nparts];

		*p = cat->part[i];
		p->at = cat->row;
		p->nbytes = inner * size_along(p->array, axis, is_new);
		if (p->nbytes == 0)
			continue;
		cat->row += p->nbytes;
		cat->nparts++;
		tsl_cat_view(cat, p, &view);
		p->is_dense =
			view.offset == 0 &&
			(view.ndim == 0 ||
			 (view.ndim == 1 && view.stride[0] == view.width));
		p->is_turned = strcmp(p->array->dtype.descr,
				      cat->job.out.dtype.descr) != 0;
	}
}

/* Pieces of the output are whole elements, however wide these are. */
static void
settle(struct tsl_job *job)
{
	int64_t width = job->out.dtype.size;

	job->is_bare = job->no_input = true;
	job->nbytes = tsl_array_nbytes(&job->out);
	if (job->nbytes == 0)
		return;
	job->pattern = TSL_PATTERN_RUN;
	job->view = (struct tsl_view){ .width = width,
				       .ndim = 1,
				       .dim = { job->nbytes / width },
				       .stride = { width } };
}

enum tsl_status
tsl_cat_job_init(struct tsl_cat_job *cat, struct tsl_cat_part part[], int64_t n,
		 const struct tsl_cat_part *first,
		 const struct tsl_cat_options *options, struct tsl_error *err)
{
	struct tsl_array *out = &cat->job.out;
	enum tsl_status status = tsl_cat_check(part, n, first, options, err);
	int axis;

	if (status)
		return status;
	*cat = (struct tsl_cat_job){
		.job.op = options->is_new ? &stack_op : &cat_op,
		.job.in = *first->array,
		.part = part,
		.is_new = options->is_new,
		.fortran = options->order == TSL_ORDER_F,
	};
	axis = (int)axis_of(options, first->array->ndim + options->is_new);
	status = init_out(out, part, n, first->array, axis, options, err);
	if (status)
		return status;
	settle(&cat->job);
	if (cat->job.nbytes == 0)
		return TSL_OK;
	cat->inner = inner_nbytes(out, axis, cat->fortran);
	cat->axis = cat->fortran ? out->ndim - 1 - axis : axis;
	place_parts(cat, n, axis, cat->inner, options->is_new);
	cat->nrows = cat->job.nbytes / cat->row;
	cat->job.nlayers = cat->nparts;
	return TSL_OK;
}

bool
tsl_cat_is_outermost(const struct tsl_array *first,
		     const struct tsl_cat_options *options)
{
	int ndim = first->ndim + options->is_new;
	int64_t outermost = options->order == TSL_ORDER_F ? ndim - 1 : 0;

	return ndim > 0 && axis_of(options, ndim) == outermost;
}

/* ---- parts --------------------------------------------------------------- */

int64_t
tsl_cat_find(const struct tsl_cat_job *cat, int64_t at)
{
	return tsl_count_below(&cat->part[1].at, sizeof(*cat->part),
			       cat->nparts - 1, at + 1);
}

void
tsl_cat_view(const struct tsl_cat_job *cat, const struct tsl_cat_part *part,
	     struct tsl_view *view)
{
	const struct tsl_array *a = part->array;

	*view = (struct tsl_view){ .width = a->dtype.size,
				   .offset = tsl_array_offset(a),
				   .ndim = a->ndim };
	for (int i = 0; i < a->ndim; i++)
		view->dim[i] = a->dim[i];
	tsl_array_strides(a, view->stride);
	if (cat->fortran)
		tsl_view_reverse_axes(view);
	tsl_view_coalesce(view);
}

/* ---- boxes --------------------------------------------------------------- */

/* The output's size of an axis counted in its order. */
static int64_t
size_of(const struct tsl_cat_job *cat, int d)
{
	const struct tsl_array *out = &cat->job.out;

	return out->dim[cat->fortran ? out->ndim - 1 - d : d];
}

void
tsl_cat_model(const struct tsl_cat_job *cat, int64_t n, struct tsl_view *model)
{
	int64_t stride = cat->job.out.dtype.size;

	*model =
		(struct tsl_view){ .width = stride, .ndim = cat->job.out.ndim };
	for (int d = 0; d < model->ndim; d++) {
		model->dim[d] = d == cat->axis ? n / (cat->nrows * cat->inner)
					       : size_of(cat, d);
		model->stride[d] = stride;
		stride *= model->dim[d];
	}
}

void
tsl_cat_box_of(const struct tsl_cat_job *cat, int64_t at,
	       const struct tsl_view *model, const struct tsl_view *cut,
	       struct tsl_cat_box *box)
{
	int64_t offset = cut->offset;

	for (int d = model->ndim - 1; d >= 0; d--) {
		box->start[d] = offset / model->stride[d];
		box->extent[d] = 1;
		offset %= model->stride[d];
		/* Of axes of one size and more each has a stride of its own. */
		for (int k = 0; k < cut->ndim && model->dim[d] > 1; k++)
			if (cut->stride[k] == model->stride[d] &&
			    cut->dim[k] > 1)
				box->extent[d] = cut->dim[k];
	}
	if (cat->nrows == 1)
		box->start[cat->axis] += at / cat->inner;
}

/* Bytes of the box for each size of the axis in a row. */
static int64_t
inner_of(const struct tsl_cat_job *cat, const struct tsl_cat_box *box)
{
	int64_t nbytes = cat->job.out.dtype.size;

	for (int d = cat->axis + 1; d < cat->job.out.ndim; d++)
		nbytes *= box->extent[d];
	return nbytes;
}

int64_t
tsl_cat_box_row(const struct tsl_cat_job *cat, const struct tsl_cat_box *box,
		int64_t *nrows)
{
	*nrows = 1;
	for (int d = 0; d < cat->axis; d++)
		*nrows *= box->extent[d];
	return box->extent[cat->axis] * inner_of(cat, box);
}

/* A part's elements in the order of the output, with all of its axes. */
static void
view_axes(const struct tsl_cat_job *cat, const struct tsl_array *a,
	  struct tsl_view *view)
{
	int64_t stride[TSL_MAX_DIMS + 1];
	int ndim = cat->job.out.ndim;

	*view = (struct tsl_view){ .width = a->dtype.size,
				   .offset = tsl_array_offset(a),
				   .ndim = ndim };
	tsl_array_strides(a, stride);
	for (int d = 0, of = 0; d < ndim; d++) {
		bool is_added = cat->is_new && d == cat->axis;
		int i = cat->fortran ? a->ndim - 1 - of : of;

		view->dim[d] = is_added ? 1 : a->dim[i];
		view->stride[d] = is_added ? view->width : stride[i];
		of += !is_added;
	}
}

int64_t
tsl_cat_part_box(const struct tsl_cat_job *cat, const struct tsl_cat_part *part,
		 const struct tsl_cat_box *box, struct tsl_view *view,
		 int64_t *at)
{
	int64_t inner = inner_of(cat, box);
	int64_t begin = part->at / cat->inner;
	int64_t end = begin + part->nbytes / cat->inner;
	struct tsl_cat_box own = *box;
	struct tsl_view all;
	int64_t lo = tsl_max(begin, box->start[cat->axis]);
	int64_t hi =
		tsl_min(end, box->start[cat->axis] + box->extent[cat->axis]);

	if (lo >= hi)
		return 0;
	own.start[cat->axis] = lo - begin;
	own.extent[cat->axis] = hi - lo;
	view_axes(cat, part->array, &all);
	tsl_view_box(&all, own.start, own.extent, view);
	tsl_view_coalesce(view);
	*at = (lo - box->start[cat->axis]) * inner;
	return (hi - lo) * inner;
}
