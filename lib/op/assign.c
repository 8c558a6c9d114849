/*
 * assign.c - strided_slice_assign as a job
 *
 * The output is a copy of the input with one layer: the value, on the places
 * that the slice names.
 */
#include "assign.h"

#include "lib/base/shape.h"
#include "slice.h"

static const struct tsl_assign_job *
assign_of(const struct tsl_job *job)
{
	return (const struct tsl_assign_job *)(const void *)job;
}

/*
 * The value seen through the dims of the slice: from the last dim on, those of
 * 1 repeated, those that are missing too.
 */
static void
view_value(struct tsl_view *v, const struct tsl_array *value,
	   const struct tsl_view *slice)
{
	int64_t stride[TSL_MAX_DIMS];

	tsl_array_strides(value, stride);
	*v = (struct tsl_view){ .width = slice->width, .ndim = slice->ndim };
	for (int i = 0; i < v->ndim; i++) {
		int of = i - v->ndim + value->ndim;

		v->dim[i] = slice->dim[i];
		if (of >= 0 && value->dim[of] > 1)
			v->stride[i] = stride[of];
	}
}

static int
layer(const struct tsl_job *job, int64_t i, struct tsl_pair *pair)
{
	const struct tsl_assign_job *a = assign_of(job);
	struct tsl_array target = tsl_job_target(job);
	/* The value is handed over in the order of the output. */
	struct tsl_array value = a->value;

	(void)i;
	value.fortran_order = job->out.fortran_order;
	tsl_view_select(&pair->to, &target, &a->sel);
	view_value(&pair->from, &value, &pair->to);
	tsl_job_settle_layer(job, pair);
	return job->fill ? TSL_FILL : 1;
}

static const struct tsl_op assign_op = { .name = "strided_slice_assign",
					 .any_order = true,
					 .ordered_inputs = true,
					 .layer = layer };

/* ---- making the job ------------------------------------------------------ */

static bool
is_broadcast_to(const struct tsl_array *value, const struct tsl_shape *slice)
{
	for (int i = 0; i < value->ndim; i++) {
		int to = i - value->ndim + slice->ndim;

		if (value->dim[i] != 1 &&
		    (to < 0 || value->dim[i] != slice->dim[to]))
			return false;
	}
	return true;
}

static enum tsl_status
check_value(const struct tsl_array *in, const struct tsl_array *value,
	    const struct tsl_shape *slice, struct tsl_error *err)
{
	struct tsl_shape shape = tsl_shape_of(value);
	char got[TSL_SHAPE_TEXT], want[TSL_SHAPE_TEXT];

	if (!tsl_dtype_equal(&in->dtype, &value->dtype))
		return tsl_fail(err, TSL_EDTYPE_MISMATCH,
				"input and value are of different dtypes, "
				"%.80s and %.80s",
				tsl_dtype_text(&in->dtype),
				tsl_dtype_text(&value->dtype));
	if (is_broadcast_to(value, slice))
		return TSL_OK;
	tsl_shape_format(&shape, got);
	tsl_shape_format(slice, want);
	return tsl_fail_item(err, TSL_ESHAPE_MISMATCH, 1,
			     "a value of shape %.90s cannot be broadcast to "
			     "the slice's shape %.90s",
			     got, want);
}

enum tsl_status
tsl_assign_job_init(struct tsl_assign_job *assign, const struct tsl_array *in,
		    const struct tsl_selection *sel,
		    const struct tsl_array *value, const char *element,
		    enum tsl_order order, struct tsl_error *err)
{
	struct tsl_shape slice = tsl_selection_shape(sel);
	struct tsl_array records = tsl_array_records(in);
	struct tsl_job *job = &assign->job;
	enum tsl_status status;

	status = value ? check_value(in, value, &slice, err) : TSL_OK;
	if (status)
		return status;
	assign->sel = *sel;
	assign->value = value ? *value : (struct tsl_array){ .ndim = 0 };
	tsl_slice_all_init(job, &records, order);
	job->field = *in;
	job->op = &assign_op;
	job->fill = value ? NULL : element;
	job->source = value ? 1 : 0;
	job->nlayers = tsl_selection_is_empty(sel) ? 0 : 1;
	return TSL_OK;
}
