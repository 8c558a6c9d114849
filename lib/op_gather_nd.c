/*
 * op_gather_nd.c - gather_nd as a job
 *
 * Index tuples are turned into byte offsets of rows once, when the job is
 * made.  In C order the output is those rows one behind the other; in Fortran
 * order it is, for each element of a row, that element of all rows.
 */
#include "op_gather_nd.h"

#include "overflow.h"
#include "walk.h"

#include <stdio.h>
#include <string.h>

/* Rows at least this long are read where they belong, with no mapping. */
#define MIN_READ (16 * 1024)

/* Blocks are cut between rows, where rows are not longer than this. */
#define MAX_GRAIN (1024 * 1024)

static const struct tsl_gather_job *
gather_of(const struct tsl_job *job)
{
	return (const struct tsl_gather_job *)(const void *)job;
}

static int64_t
row_at(const struct tsl_gather_job *g, int64_t i)
{
	return g->row ? g->row[i] : 0;
}

/* ---- need and fill ------------------------------------------------------- */

/* Widens [*lo, *hi) by what elements [e, e + n) of tuples [i, end) need. */
static void
need_of(const struct tsl_gather_job *g, int64_t i, int64_t end, int64_t e,
	int64_t n, int64_t *lo, int64_t *hi)
{
	int64_t first, last;

	tsl_view_span(&g->inner, e, n, &first, &last);
	for (; i < end; i++) {
		int64_t row = row_at(g, i);

		if (row < 0)
			continue;
		if (row + first < *lo)
			*lo = row + first;
		if (row + last > *hi)
			*hi = row + last;
		if (!g->row)
			break; /* all are alike */
	}
}

static void
need_rows(const struct tsl_job *job, int64_t first, int64_t n, int64_t *lo,
	  int64_t *hi)
{
	const struct tsl_gather_job *g = gather_of(job);
	int64_t width = g->inner.width;
	int64_t begin = first / g->row_nbytes;
	int64_t end = (first + n - 1) / g->row_nbytes + 1;

	*lo = INT64_MAX;
	*hi = 0;
	if (end == begin + 1)
		need_of(g, begin, end, first % g->row_nbytes / width, n / width,
			lo, hi);
	else
		need_of(g, begin, end, 0, g->row_nbytes / width, lo, hi);
	if (*hi == 0)
		*lo = 0; /* only zeros */
}

static void
need_interleaved(const struct tsl_job *job, int64_t first, int64_t n,
		 int64_t *lo, int64_t *hi)
{
	const struct tsl_gather_job *g = gather_of(job);
	int64_t begin = first / g->inner.width;
	int64_t end = (first + n) / g->inner.width;
	int64_t e = begin / g->ntuples;
	int64_t last = (end - 1) / g->ntuples;

	*lo = INT64_MAX;
	*hi = 0;
	if (e == last)
		need_of(g, begin % g->ntuples, begin % g->ntuples + end - begin,
			e, 1, lo, hi);
	else
		need_of(g, 0, g->ntuples, e, last - e + 1, lo, hi);
	if (*hi == 0)
		*lo = 0; /* only zeros */
}

/* Bytes [skip, skip + n) of row i. */
static void
fill_part(const struct tsl_gather_job *g, int64_t i, int64_t skip, int64_t n,
	  const char *in, int64_t lo, char *dst)
{
	int64_t width = g->inner.width;

	if (row_at(g, i) < 0)
		memset(dst, 0, (size_t)n);
	else
		tsl_view_fill(&g->inner, g->kernel, skip / width, n / width, in,
			      lo - row_at(g, i), dst);
}

static void
fill_rows(const struct tsl_job *job, int64_t first, int64_t n, const char *in,
	  int64_t lo, char *dst)
{
	const struct tsl_gather_job *g = gather_of(job);

	while (n > 0) {
		int64_t i = first / g->row_nbytes;
		int64_t skip = first % g->row_nbytes;
		int64_t part = g->row_nbytes - skip;

		if (part > n)
			part = n;
		if (g->row && g->contiguous && part == g->row_nbytes) {
			int64_t rows = n / part;

			part *= rows;
			tsl_copy_rows(dst, in, lo, &g->row[i], rows,
				      (size_t)g->row_nbytes);
		} else {
			fill_part(g, i, skip, part, in, lo, dst);
		}
		first += part;
		dst += part;
		n -= part;
	}
}

/* Byte offset, from a row's first byte, of its element number e. */
static int64_t
offset_in_row(const struct tsl_view *inner, int64_t e)
{
	int64_t offset = 0;

	for (int i = inner->ndim - 1; i >= 0; i--) {
		offset += e % inner->dim[i] * inner->stride[i];
		e /= inner->dim[i];
	}
	return offset;
}

static void
fill_interleaved(const struct tsl_job *job, int64_t first, int64_t n,
		 const char *in, int64_t lo, char *dst)
{
	const struct tsl_gather_job *g = gather_of(job);
	int64_t width = g->inner.width;
	int64_t element = first / width / g->ntuples;
	int64_t i = first / width % g->ntuples;

	for (int64_t end = n / width; end > 0; element++, i = 0) {
		int64_t offset = offset_in_row(&g->inner, element) - lo;

		for (; i < g->ntuples && end > 0; i++, end--) {
			int64_t row = row_at(g, i);

			if (row < 0)
				memset(dst, 0, (size_t)width);
			else
				memcpy(dst, in + (row + offset), (size_t)width);
			dst += width;
		}
	}
}

static const struct tsl_op rows_op = { "gather_nd", need_rows, fill_rows,
				       NULL };
static const struct tsl_op interleaved_op = { "gather_nd", need_interleaved,
					      fill_interleaved, NULL };

/* ---- making the job ------------------------------------------------------ */

static enum tsl_status
check_batch(const struct tsl_array *params, const struct tsl_array *indices,
	    int64_t batch_dims, struct tsl_error *err)
{
	if (batch_dims < 0 || batch_dims >= params->ndim ||
	    batch_dims >= indices->ndim)
		return tsl_fail(err, TSL_EBAD_BATCH_DIMS,
				"batch_dims is %lld; params have %d dimensions "
				"and indices %d",
				(long long)batch_dims, params->ndim,
				indices->ndim);
	for (int64_t i = 0; i < batch_dims; i++)
		if (params->dim[i] != indices->dim[i])
			return tsl_fail(err, TSL_EBATCH_MISMATCH,
					"batch dimension %lld is %lld in "
					"params, %lld in indices",
					(long long)i, (long long)params->dim[i],
					(long long)indices->dim[i]);
	return TSL_OK;
}

static enum tsl_status
check_inputs(const struct tsl_array *params, const struct tsl_array *indices,
	     int64_t batch_dims, struct tsl_error *err)
{
	enum tsl_status status;
	int len;
	const char *name = tsl_dtype_name(&indices->dtype, &len);
	int64_t depth;

	if (!tsl_dtype_is_integer(&indices->dtype))
		return tsl_fail_item(err, TSL_EBAD_INDEX_DTYPE, 1,
				     "indices are of dtype %.*s, not integers",
				     len > 40 ? 40 : len, name);
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
			"tuples of %lld indices for params of %lld "
			"dimensions",
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
	int ndim = g->indices.ndim - 1 + params->ndim - skip;

	if (ndim > TSL_MAX_DIMS)
		return tsl_fail(err, TSL_ERANK_LIMIT,
				"the result would have %d dimensions; at most "
				"%d are possible",
				ndim, TSL_MAX_DIMS);
	out->dtype = params->dtype;
	for (int i = 0; i < g->indices.ndim - 1; i++)
		out->dim[out->ndim++] = g->indices.dim[i];
	for (int i = skip; i < params->ndim; i++)
		out->dim[out->ndim++] = params->dim[i];
	return tsl_array_check(out, err);
}

/* What one row is, relative to its first byte. */
static void
init_inner(struct tsl_gather_job *g, int skip)
{
	const struct tsl_array *params = &g->job.in;
	int64_t stride[TSL_MAX_DIMS];
	struct tsl_rows rows;
	int64_t lo;

	tsl_array_strides(params, stride);
	g->inner = (struct tsl_view){ .width = params->dtype.size };
	for (int i = skip; i < params->ndim; i++) {
		g->inner.dim[g->inner.ndim] = params->dim[i];
		g->inner.stride[g->inner.ndim++] = stride[i];
	}
	g->row_nbytes = tsl_view_count(&g->inner) * g->inner.width;
	/* Fortran order takes elements one by one, whole. */
	if (g->tuples_fastest)
		tsl_view_reverse_axes(&g->inner);
	else
		tsl_view_coalesce(&g->inner);
	if (g->row_nbytes == 0)
		return;
	tsl_view_span(&g->inner, 0, tsl_view_count(&g->inner), &lo,
		      &g->row_span);
	if (g->tuples_fastest)
		return;
	rows = tsl_view_rows(&g->inner);
	g->kernel = tsl_kernel_for(g->inner.width, rows.step, rows.stride);
	g->contiguous = g->inner.ndim <= 1 && rows.step == g->inner.width;
}

static void
init_job(struct tsl_gather_job *g)
{
	struct tsl_job *job = &g->job;

	job->op = g->tuples_fastest ? &interleaved_op : &rows_op;
	job->nbytes = tsl_array_nbytes(&job->out);
	job->piece = job->nbytes > 0 ? job->nbytes : 1;
	job->access = TSL_ACCESS_MAP;
	job->plan = job->nbytes == 0    ? "no elements"
		    : g->tuples_fastest ? "elements of rows, interleaved"
					: "rows";
	job->grain = g->inner.width > 0 ? g->inner.width : 1;
	if (!g->tuples_fastest && g->row_nbytes > 0 &&
	    g->row_nbytes <= MAX_GRAIN)
		job->grain = g->row_nbytes;
}

/* Long rows that stand in params as they are can be read into place. */
static void
choose_access(struct tsl_gather_job *g)
{
	if (!g->contiguous || g->row_nbytes < MIN_READ)
		return;
	for (int64_t i = 0; g->row && i < g->ntuples; i++)
		if (g->row[i] < 0)
			return;
	g->job.access = TSL_ACCESS_COPY;
	g->job.piece = g->row_nbytes;
	g->job.plan = "long rows";
}

bool
tsl_gather_job_has_rows(const struct tsl_gather_job *gather)
{
	return gather->ntuples > 0 &&
	       (gather->depth > 0 || gather->options.batch_dims > 0);
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
	int skip;

	status = check_inputs(params, indices, options->batch_dims, err);
	if (status)
		return status;
	*g = (struct tsl_gather_job){ .job.in = *params,
				      .options = *options,
				      .indices = *indices };
	g->depth = (int)indices->dim[indices->ndim - 1];
	g->ntuples = 1;
	for (int i = 0; i < indices->ndim - 1; i++)
		g->ntuples = indices->dim[i] ? g->ntuples : 0;
	for (int i = 0; i < indices->ndim - 1 && g->ntuples; i++)
		if (!tsl_mul(g->ntuples, indices->dim[i], &g->ntuples))
			return tsl_fail(err, TSL_ETOO_LARGE,
					"more than 2^63-1 index tuples");
	skip = (int)options->batch_dims + g->depth;
	status = init_out(g, skip, err);
	if (status)
		return status;
	if (g->ntuples > 0 && tsl_array_count(params) == 0)
		return tsl_fail_item(
			err, TSL_EEMPTY_PARAMS, 0,
			"%lld tuples index into params that have no "
			"elements",
			(long long)g->ntuples);
	g->job.out.fortran_order =
		options->order == TSL_ORDER_F && !tsl_array_is_1d(&g->job.out);
	g->tuples_fastest = g->job.out.fortran_order;
	init_inner(g, skip);
	init_job(g);
	if (!tsl_gather_job_has_rows(g))
		choose_access(g);
	return TSL_OK;
}

/* ---- index tuples -------------------------------------------------------- */

/* Where a walk over the tuples stands; the last dim of indices is not in it. */
struct position {
	int64_t index[TSL_MAX_DIMS];
	int64_t batch; /* byte offset in params of this batch */
	int64_t row; /* of the output */
};

static void
seek(struct position *p, const struct tsl_gather_job *g, const int64_t stride[],
     int64_t tuple)
{
	int64_t rows = 1;

	p->batch = 0;
	p->row = tuple;
	for (int i = g->indices.ndim - 2; i >= 0; i--) {
		p->index[i] = tuple % g->indices.dim[i];
		tuple /= g->indices.dim[i];
	}
	for (int i = 0; i < g->options.batch_dims; i++)
		p->batch += p->index[i] * stride[i];
	if (!g->tuples_fastest)
		return;
	p->row = 0;
	for (int i = 0; i < g->indices.ndim - 1; i++) {
		p->row += p->index[i] * rows;
		rows *= g->indices.dim[i];
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

static enum tsl_status
out_of_range(const struct tsl_gather_job *g, const struct position *p,
	     const char *bytes, struct tsl_error *err)
{
	int64_t values[TSL_MAX_DIMS];
	char where[64], tuple[80], shape[80];

	for (int i = 0; i < g->depth; i++)
		values[i] = tsl_dtype_load_int(
			&g->indices.dtype, bytes + i * g->indices.dtype.size);
	list(where, sizeof(where), p->index, g->indices.ndim - 1, false);
	list(tuple, sizeof(tuple), values, g->depth,
	     g->indices.dtype.kind == 'u');
	list(shape, sizeof(shape), g->job.in.dim + g->options.batch_dims,
	     g->job.in.ndim - (int)g->options.batch_dims, false);
	return tsl_fail(err, TSL_EINDEX_OUT_OF_RANGE,
			"indices[%s] = [%s] does not index into params of "
			"shape [%s]",
			where, tuple, shape);
}

/* The byte offset that a tuple names in its batch, or -1. */
static int64_t
offset_of(const struct tsl_gather_job *g, const int64_t stride[],
	  const char *bytes)
{
	const struct tsl_dtype *dtype = &g->indices.dtype;
	int64_t offset = 0;

	for (int i = 0; i < g->depth; i++) {
		int64_t axis = g->options.batch_dims + i;
		int64_t v = tsl_dtype_load_int(dtype, bytes + i * dtype->size);

		if (v < 0 || v >= g->job.in.dim[axis])
			return -1;
		offset += v * stride[axis];
	}
	return offset;
}

enum tsl_status
tsl_gather_job_index(struct tsl_gather_job *gather, const char *bytes,
		     int64_t first, int64_t n, struct tsl_error *err)
{
	struct tsl_gather_job *g = gather;
	/* Only these need to know where in the indices a tuple stands. */
	bool plain = g->options.batch_dims == 0 && !g->tuples_fastest;
	int64_t stride[TSL_MAX_DIMS];
	struct position p = { .batch = 0 };

	tsl_array_strides(&g->job.in, stride);
	for (int64_t i = first; i < first + n; i++) {
		int64_t offset = offset_of(g, stride, bytes);

		p.row = i;
		if (!plain || (offset < 0 && !g->options.zero_bad))
			seek(&p, g, stride, i);
		if (offset < 0 && !g->options.zero_bad)
			return out_of_range(g, &p, bytes, err);
		g->row[p.row] = offset < 0 ? -1 : p.batch + offset;
		bytes += g->depth * g->indices.dtype.size;
	}
	if (first + n == g->ntuples)
		choose_access(g);
	return TSL_OK;
}
