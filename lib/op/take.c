/*
 * take.c - take as a job: a gather from many tables at once
 *
 * In either order params are tables one behind the other, of rows that are one
 * run of bytes each: in C order a table for each place in the dims in front of
 * the axis, in Fortran order for each in those behind it.
 */
#include "take.h"

/*
 * A table up to this size is held, or mapped, as a whole: then rows are picked
 * from it as they are named, and there is nothing to sort.
 */
#define MAX_TABLE ((int64_t)16 * 1024 * 1024)

static const struct tsl_op take_op = { .name = "take",
				       .road = TSL_ROAD_RUNS,
				       .ordered_inputs = true,
				       .dense_input = true };

enum tsl_status
tsl_take_find_axis(int64_t *axis, const struct tsl_array *params,
		   struct tsl_error *err)
{
	int ndim = params->ndim;

	if (*axis < -ndim || *axis >= ndim)
		return tsl_fail_item(err, TSL_EBAD_AXIS, 0,
				     "there is no axis %lld among %d "
				     "dimension%s",
				     (long long)*axis, ndim,
				     ndim == 1 ? "" : "s");
	*axis += *axis < 0 ? ndim : 0;
	return TSL_OK;
}

static void
add_dims(struct tsl_array *out, const struct tsl_array *from, int begin,
	 int end)
{
	for (int i = begin; i < end; i++)
		out->dim[out->ndim++] = from->dim[i];
}

static enum tsl_status
init_out(struct tsl_gather_job *t, struct tsl_error *err)
{
	const struct tsl_array *params = &t->job.in;
	struct tsl_array *out = &t->job.out;
	int ndim = params->ndim - 1 + t->indices.ndim;

	if (ndim > TSL_MAX_DIMS)
		return tsl_array_fail_rank(ndim, err);
	out->dtype = params->dtype;
	add_dims(out, params, 0, t->axis);
	add_dims(out, &t->indices, 0, t->indices.ndim);
	add_dims(out, params, t->axis + 1, params->ndim);
	out->fortran_order = params->fortran_order && !tsl_array_is_1d(out);
	return tsl_array_check(out, err);
}

static int64_t
count(const struct tsl_array *a, int begin, int end)
{
	int64_t n = 1;

	for (int i = begin; i < end; i++)
		if (a->dim[i] == 0)
			return 0;
	for (int i = begin; i < end; i++)
		n *= a->dim[i];
	return n;
}

static void
init_tables(struct tsl_gather_job *t)
{
	const struct tsl_array *params = &t->job.in;
	int64_t before = count(params, 0, t->axis);
	int64_t behind = count(params, t->axis + 1, params->ndim);

	t->ntables = params->fortran_order ? behind : before;
	t->row_nbytes = params->fortran_order ? before : behind;
	t->row_nbytes *= params->dtype.size;
	t->table_nbytes = t->row_nbytes * params->dim[t->axis];
	t->run_nbytes = t->row_nbytes;
	t->runs_per_row = 1;
	t->runs = (struct tsl_view){ .width = t->run_nbytes };
}

/* Whether tables of a field follow one another as those of records do. */
static bool
has_tables(const struct tsl_array *params, int64_t axis)
{
	return !params->fortran_order &&
	       axis < params->ndim - params->field->ndim;
}

/*
 * A row of a field is runs, one for each record or more; where that is not the
 * way it lies a copy is made.
 */
static void
init_tables_of_field(struct tsl_gather_job *t)
{
	struct tsl_array *params = &t->job.in;
	int64_t stride[TSL_MAX_DIMS];

	if (!has_tables(params, t->axis)) {
		params->field = NULL;
		params->fortran_order = t->job.out.fortran_order = false;
		init_tables(t);
		return;
	}
	tsl_array_strides(params, stride);
	t->ntables = count(params, 0, t->axis);
	t->table_nbytes = stride[t->axis] * params->dim[t->axis];
	tsl_gather_init_row(t, t->axis + 1);
}

void
tsl_take_init_tables(struct tsl_gather_job *t)
{
	if (t->job.in.field)
		init_tables_of_field(t);
	else
		init_tables(t);
}

enum tsl_status
tsl_take_job_init(struct tsl_gather_job *take, const struct tsl_array *params,
		  const struct tsl_array *indices, int64_t axis, bool zero_bad,
		  struct tsl_error *err)
{
	struct tsl_gather_job *t = take;
	enum tsl_status status = tsl_gather_check_indices(indices, err);

	if (!status)
		status = tsl_take_find_axis(&axis, params, err);
	if (status)
		return status;
	*t = (struct tsl_gather_job){
		.job.op = &take_op,
		.job.in = *params,
		.options.zero_bad = zero_bad,
		.indices = *indices,
		.number_dims = indices->ndim,
		.depth = 1,
		.axis = (int)axis,
	};
	status = init_out(t, err);
	if (status)
		return status;
	t->ntuples = tsl_array_count(&t->indices);
	tsl_take_init_tables(t);
	t->job.nbytes = tsl_array_nbytes(&t->job.out);
	if (t->job.nbytes > 0)
		t->job.pattern = t->table_nbytes > MAX_TABLE || t->job.in.field
					 ? TSL_PATTERN_GATHER
					 : TSL_PATTERN_PICKS;
	return TSL_OK;
}
