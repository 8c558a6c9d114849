/*
 * gather_nd.c - gather_nd as a job
 *
 * The output is rows of params one behind the other.  A row is one run of
 * params, or, where params are in Fortran order, several.
 */
#include "gather_nd.h"

#include "lib/base/minmax.h"
#include "lib/base/overflow.h"

#include <stdio.h>
#include <string.h>

static const struct tsl_op gather_op = { .name = "gather_nd",
					 .road = TSL_ROAD_RUNS };

/* ---- making the job ------------------------------------------------------ */

static enum tsl_status
check_batch(const struct tsl_array *params, const struct tsl_array *indices,
	    int64_t batch_dims, struct tsl_error *err)
{
	if (batch_dims < 0 || batch_dims >= params->ndim ||
	    batch_dims >= indices->ndim)
		return tsl_fail(err, TSL_EBAD_BATCH_DIMS,
				"batch_dims is %lld, but must be less than the "
				"number of dimensions: params has %d, indices "
				"%d",
				(long long)batch_dims, params->ndim,
				indices->ndim);
	for (int64_t i = 0; i < batch_dims; i++)
		if (params->dim[i] != indices->dim[i])
			return tsl_fail(err, TSL_EBATCH_MISMATCH,
					"batch dimension %lld has size %lld in "
					"params but %lld in indices",
					(long long)i, (long long)params->dim[i],
					(long long)indices->dim[i]);
	return TSL_OK;
}

enum tsl_status
tsl_gather_check_indices(const struct tsl_array *indices, struct tsl_error *err)
{
	int len;
	const char *name = tsl_dtype_name(&indices->dtype, &len);

	if (tsl_dtype_is_integer(&indices->dtype))
		return TSL_OK;
	return tsl_fail_item(err, TSL_EBAD_INDEX_DTYPE, 1,
			     "indices must be integers, but have dtype %.*s",
			     len > 40 ? 40 : len, name);
}

static enum tsl_status
check_inputs(const struct tsl_array *params, const struct tsl_array *indices,
	     int64_t batch_dims, struct tsl_error *err)
{
	enum tsl_status status = tsl_gather_check_indices(indices, err);
	int64_t depth;

	if (status)
		return status;
	if (params->ndim < 1 || indices->ndim < 1)
		return tsl_fail_item(err, TSL_EBAD_RANK, params->ndim >= 1,
				     "%s must have at least one dimension",
				     params->ndim < 1 ? "params" : "indices");
	status = check_batch(params, indices, batch_dims, err);
	if (status)
		return status;
	depth = indices->dim[indices->ndim - 1];
	if (depth > params->ndim - batch_dims)
		return tsl_fail_item(
			err, TSL_EINDEX_DEPTH, 1,
			"the index tuples have length %lld, but there are "
			"only %lld dimensions to index",
			(long long)depth,
			(long long)(params->ndim - batch_dims));
	return TSL_OK;
}

/* out.shape = indices.shape[:-1] + params.shape[skip:] */
static enum tsl_status
init_out(struct tsl_gather_job *g, int skip, struct tsl_error *err)
{
	const struct tsl_array *params = &g->job.in;
	struct tsl_array *out = &g->job.out;
	int ndim = g->number_dims + params->ndim - skip;

	if (ndim > TSL_MAX_DIMS)
		return tsl_array_fail_rank(ndim, err);
	out->dtype = params->dtype;
	for (int i = 0; i < g->number_dims; i++)
		out->dim[out->ndim++] = g->indices.dim[i];
	for (int i = skip; i < params->ndim; i++)
		out->dim[out->ndim++] = params->dim[i];
	return tsl_array_check(out, err);
}

void
tsl_gather_init_row(struct tsl_gather_job *g, int skip)
{
	const struct tsl_array *params = &g->job.in;
	struct tsl_view *runs = &g->runs;
	int64_t stride[TSL_MAX_DIMS];

	tsl_array_strides(params, stride);
	*runs = (struct tsl_view){ .width = params->dtype.size };
	for (int k = skip; k < params->ndim; k++) {
		int i = g->by_run ? params->ndim - 1 - (k - skip) : k;

		runs->dim[runs->ndim] = params->dim[i];
		runs->stride[runs->ndim++] = stride[i];
	}
	g->row_nbytes = tsl_view_count(runs) * runs->width;
	if (g->row_nbytes == 0)
		return;
	tsl_view_coalesce(runs);
	g->run_nbytes = runs->width;
	if (runs->ndim > 0 && runs->stride[runs->ndim - 1] == runs->width) {
		runs->ndim--;
		g->run_nbytes *= runs->dim[runs->ndim];
	}
	g->runs_per_row = tsl_view_count(runs);
}

/* The first axis of a row. */
static int
first_of_row(const struct tsl_gather_job *g)
{
	return (int)g->options.batch_dims + g->depth;
}

void
tsl_gather_job_lay(struct tsl_gather_job *gather, bool fortran_order)
{
	gather->job.in.fortran_order = fortran_order;
	tsl_gather_init_row(gather, first_of_row(gather));
}

void
tsl_gather_job_lay_by_run(struct tsl_gather_job *gather)
{
	gather->by_run = true;
	tsl_gather_init_row(gather, first_of_row(gather));
}

bool
tsl_gather_job_has_indices(const struct tsl_gather_job *gather)
{
	return gather->ntuples > 0 &&
	       (gather->depth > 0 || gather->options.batch_dims > 0);
}

enum tsl_status
tsl_gather_check_params(const struct tsl_gather_job *gather,
			struct tsl_error *err)
{
	if (gather->ntuples == 0 || tsl_array_count(&gather->job.in) > 0)
		return TSL_OK;
	return tsl_fail_item(err, TSL_EEMPTY_PARAMS, 0,
			     "there are no elements to index, but indices has "
			     "%lld tuple%s",
			     (long long)gather->ntuples,
			     gather->ntuples == 1 ? "" : "s");
}

enum tsl_status
tsl_gather_job_init(struct tsl_gather_job *gather,
		    const struct tsl_array *params,
		    const struct tsl_array *indices,
		    const struct tsl_gather_options *options,
		    struct tsl_error *err)
{
	struct tsl_gather_job *g = gather;
	enum tsl_status status;

	status = check_inputs(params, indices, options->batch_dims, err);
	if (status)
		return status;
	*g = (struct tsl_gather_job){ .job.in = *params,
				      .options = *options,
				      .indices = *indices };
	g->number_dims = indices->ndim - 1;
	g->depth = (int)indices->dim[g->number_dims];
	g->axis = (int)options->batch_dims;
	g->ntables = 1;
	g->table_nbytes = tsl_array_extent(params);
	g->ntuples = 1;
	for (int i = 0; i < g->number_dims; i++)
		g->ntuples = indices->dim[i] ? g->ntuples : 0;
	for (int i = 0; i < g->number_dims && g->ntuples; i++)
		if (!tsl_mul(g->ntuples, indices->dim[i], &g->ntuples))
			return tsl_fail(err, TSL_ETOO_LARGE,
					"more than 2^63-1 index tuples");
	status = init_out(g, first_of_row(g), err);
	if (!status && !options->empty_later)
		status = tsl_gather_check_params(g, err);
	if (status)
		return status;
	tsl_gather_init_row(g, first_of_row(g));
	g->job.op = &gather_op;
	g->job.nbytes = tsl_array_nbytes(&g->job.out);
	if (g->job.nbytes > 0)
		g->job.pattern = TSL_PATTERN_GATHER;
	return TSL_OK;
}

/* ---- index tuples -------------------------------------------------------- */

/* Where in the indices a tuple stands, which are in the output's order. */
static void
unravel(const struct tsl_gather_job *g, int64_t tuple, int64_t index[])
{
	for (int k = 0; k < g->number_dims; k++) {
		int i = g->job.out.fortran_order ? k : g->number_dims - 1 - k;

		index[i] = tuple % g->indices.dim[i];
		tuple /= g->indices.dim[i];
	}
}

/*
 * Text such as "1, 2" of n numbers, cut where there is no more room; above
 * int64 a number is one that wrapped.
 */
static void
list(char *text, size_t size, const int64_t *values, int n, bool is_unsigned)
{
	size_t len = 0;

	text[0] = '\0';
	for (int i = 0; i < n && len + 24 < size; i++)
		len += (size_t)snprintf(text + len, size - len,
					is_unsigned ? "%s%llu" : "%s%lld",
					i ? ", " : "", (long long)values[i]);
}

/* Whoever thinks of slices means something by them. */
static const char *
why_not_negative(const struct tsl_gather_job *g, const int64_t tuple_values[])
{
	for (int i = 0; i < g->depth && g->indices.dtype.kind == 'i'; i++)
		if (tuple_values[i] < 0)
			return "; negative numbers do not count from the end "
			       "here";
	return "";
}

static enum tsl_status
out_of_range(const struct tsl_gather_job *g, int64_t tuple_number,
	     const int64_t tuple_values[], struct tsl_error *err)
{
	int64_t index[TSL_MAX_DIMS];
	const char *why = why_not_negative(g, tuple_values);
	char where[64], tuple[80], shape[80];

	unravel(g, tuple_number, index);
	list(where, sizeof(where), index, g->number_dims, false);
	list(tuple, sizeof(tuple), tuple_values, g->depth,
	     g->indices.dtype.kind == 'u');
	/* Without a dim of their own they are single numbers. */
	if (g->number_dims == g->indices.ndim)
		return tsl_fail(err, TSL_EINDEX_OUT_OF_RANGE,
				"%s%s%s%s is out of range for axis %d of "
				"size %lld%s",
				where[0] ? "indices[" : "index ", where,
				where[0] ? "] = " : "", tuple, g->axis,
				(long long)g->job.in.dim[g->axis], why);
	list(shape, sizeof(shape), g->job.in.dim + g->axis,
	     g->job.in.ndim - g->axis, false);
	return tsl_fail(err, TSL_EINDEX_OUT_OF_RANGE,
			"indices[%s] = [%s] does not index into the "
			"shape [%s]%s",
			where, tuple, shape, why);
}

/*
 * Adds to n rows what one index of each tuple, 'apart' values from that of the
 * next, is for; a row with one that is out of range is -1.
 */
static void
add_axis(int64_t row[], int64_t n, const int64_t *value, int apart, int64_t dim,
	 int64_t stride)
{
	for (int64_t i = 0; i < n; i++) {
		int64_t v = value[i * apart];
		bool bad = (uint64_t)v >= (uint64_t)dim || row[i] < 0;

		row[i] = bad ? -1 : row[i] + v * stride;
	}
}

/* Goes on to the tuple behind that at 'index', and to its batch's offset. */
static void
advance(const struct tsl_gather_job *g, const int64_t stride[], int64_t index[],
	int64_t *offset)
{
	for (int k = 0; k < g->number_dims; k++) {
		int i = g->job.out.fortran_order ? k : g->number_dims - 1 - k;
		int64_t step = i < g->options.batch_dims ? stride[i] : 0;

		*offset += step;
		if (++index[i] < g->indices.dim[i])
			return;
		*offset -= index[i] * step;
		index[i] = 0;
	}
}

/* Adds the byte offsets in params of the batches that the tuples are for. */
static void
add_batches(const struct tsl_gather_job *g, const int64_t stride[],
	    int64_t first, int64_t n, int64_t row[])
{
	int64_t index[TSL_MAX_DIMS];
	int64_t offset = 0;

	unravel(g, first, index);
	for (int i = 0; i < g->options.batch_dims; i++)
		offset += index[i] * stride[i];
	for (int64_t i = 0; i < n; i++) {
		row[i] += row[i] < 0 ? 0 : offset;
		advance(g, stride, index, &offset);
	}
}

static enum tsl_status
refuse_bad(const struct tsl_gather_job *g, int64_t first, int64_t n,
	   const int64_t values[], const int64_t row[], struct tsl_error *err)
{
	int64_t any = 0;

	for (int64_t i = 0; i < n; i++)
		any |= row[i];
	for (int64_t i = 0; any < 0 && i < n; i++)
		if (row[i] < 0)
			return out_of_range(g, first + i, values + i * g->depth,
					    err);
	return TSL_OK;
}

/* Integers that are turned from their dtype at once. */
#define CHUNK 2048

/* At most as many tuples as have these. */
static enum tsl_status
find_rows(const struct tsl_gather_job *g, const char *bytes, int64_t first,
	  int64_t n, int64_t row[], struct tsl_error *err)
{
	int64_t stride[TSL_MAX_DIMS], values[CHUNK];

	tsl_array_strides(&g->job.in, stride);
	tsl_dtype_load_ints(&g->indices.dtype, bytes, n * g->depth, values);
	for (int64_t i = 0; i < n; i++)
		row[i] = tsl_array_offset(&g->job.in);
	for (int i = 0; i < g->depth; i++)
		add_axis(row, n, values + i, g->depth,
			 g->job.in.dim[g->axis + i], stride[g->axis + i]);
	if (g->options.batch_dims > 0)
		add_batches(g, stride, first, n, row);
	return g->options.zero_bad ? TSL_OK
				   : refuse_bad(g, first, n, values, row, err);
}

enum tsl_status
tsl_gather_job_rows(const struct tsl_gather_job *g, const char *bytes,
		    int64_t first, int64_t n, int64_t row[],
		    struct tsl_error *err)
{
	/* Tuples may be empty, and then stand for a whole batch. */
	int64_t most = CHUNK / tsl_max(g->depth, 1);
	int64_t tuple = g->depth * g->indices.dtype.size;
	enum tsl_status status = TSL_OK;

	for (int64_t i = 0; i < n && !status; i += most)
		status = find_rows(g, bytes + i * tuple, first + i,
				   tsl_min(most, n - i), row + i, err);
	return status;
}

int64_t
tsl_gather_unit(const struct tsl_gather_job *g)
{
	int64_t stride[TSL_MAX_DIMS];
	int64_t all = 16 | g->run_nbytes | tsl_array_offset(&g->job.in);

	tsl_array_strides(&g->job.in, stride);
	for (int i = 0; i < g->options.batch_dims; i++)
		all |= stride[i];
	for (int i = 0; i < g->depth; i++)
		all |= stride[g->axis + i];
	for (int i = 0; i < g->runs.ndim; i++)
		all |= g->runs.stride[i];
	return all & -all;
}

int64_t
tsl_gather_run_offset(const struct tsl_gather_job *g, int64_t run)
{
	int64_t offset = g->runs.offset;

	for (int i = g->runs.ndim - 1; i >= 0; i--) {
		offset += run % g->runs.dim[i] * g->runs.stride[i];
		run /= g->runs.dim[i];
	}
	return offset;
}
