/*
 * mask.c - boolean indices as a job
 *
 * What the mask's dims are in params is one long dim: a table has a row for
 * each element of the mask.
 */
#include "mask.h"

#include "lib/base/search.h"
#include "lib/base/shape.h"
#include "lib/kernel/bits.h"
#include "take.h"

static const struct tsl_op mask_op = { .name = "boolean_mask",
				       .road = TSL_ROAD_RUNS,
				       .dense_input = true };

bool
tsl_is_mask(const struct tsl_array *indices)
{
	return indices->dtype.kind == 'b';
}

int64_t
tsl_mask_nbytes(const struct tsl_mask *mask)
{
	int64_t words = mask->bits ? (mask->n - 1) / TSL_BITS_WORD + 1 : 0;

	return (mask->nblocks + 1 + words) * (int64_t)sizeof(int64_t);
}

/* ---- making the job ------------------------------------------------------ */

static enum tsl_status
wrong_shape(const struct tsl_array *in, const struct tsl_array *mask,
	    const int64_t *axis, struct tsl_error *err)
{
	struct tsl_shape of_mask = tsl_shape_of(mask);
	struct tsl_shape wanted = tsl_shape_of(in);
	char got[TSL_SHAPE_TEXT], want[TSL_SHAPE_TEXT];

	tsl_shape_format(&of_mask, got);
	if (axis)
		return tsl_fail_item(err, TSL_ESHAPE_MISMATCH, 1,
				     "the mask's shape is %.100s; axis %lld "
				     "has %lld",
				     got, (long long)*axis,
				     (long long)in->dim[*axis]);
	tsl_shape_format(&wanted, want);
	return tsl_fail_item(err, TSL_ESHAPE_MISMATCH, 1,
			     "the mask's shape is %.100s; it should be what "
			     "the input's, %.100s, begins with",
			     got, want);
}

enum tsl_status
tsl_mask_check(const struct tsl_array *in, const struct tsl_array *mask,
	       int64_t *axis, struct tsl_error *err)
{
	bool fits = axis ? mask->ndim == 1 : mask->ndim <= in->ndim;
	int64_t first = 0;
	enum tsl_status status =
		axis ? tsl_take_find_axis(axis, in, err) : TSL_OK;

	if (status)
		return status;
	if (axis)
		first = *axis;
	for (int i = 0; fits && i < mask->ndim; i++)
		fits = mask->dim[i] == in->dim[first + i];
	return fits ? TSL_OK : wrong_shape(in, mask, axis, err);
}

/* out.shape = params.shape[:axis] + [how many are true] + the other dims */
static enum tsl_status
init_out(struct tsl_gather_job *g, struct tsl_error *err)
{
	const struct tsl_array *params = &g->job.in;
	struct tsl_array *out = &g->job.out;

	if (params->ndim + 1 - g->depth > TSL_MAX_DIMS)
		return tsl_fail(err, TSL_ERANK_LIMIT,
				"the result would have more than %d "
				"dimensions",
				TSL_MAX_DIMS);
	out->dtype = params->dtype;
	for (int i = 0; i < g->axis; i++)
		out->dim[out->ndim++] = params->dim[i];
	out->dim[out->ndim++] = g->ntuples;
	for (int i = g->axis + g->depth; i < params->ndim; i++)
		out->dim[out->ndim++] = params->dim[i];
	return tsl_array_check(out, err);
}

/*
 * In Fortran order the elements of a mask of several dims lie in params in
 * another order than in the output: then what it names is places of a gather,
 * and the output is in C order.  So it is of a field of such params.
 */
static void
lay_out(struct tsl_gather_job *g)
{
	const struct tsl_array *params = &g->job.in;
	bool fortran = params->fortran_order;

	if (g->depth != 1) {
		bool by_places = g->depth > 1 || params->field;

		tsl_gather_job_lay(g, fortran && by_places);
		g->job.in.fortran_order = fortran;
	} else {
		tsl_take_init_tables(g);
	}
	g->job.out.fortran_order = params->fortran_order && g->depth < 2 &&
				   !params->field &&
				   !tsl_array_is_1d(&g->job.out);
}

enum tsl_status
tsl_mask_job_init(struct tsl_gather_job *gather, const struct tsl_array *params,
		  const struct tsl_array *mask, const struct tsl_mask *counted,
		  int64_t axis, struct tsl_error *err)
{
	struct tsl_gather_job *g = gather;
	enum tsl_status status;

	*g = (struct tsl_gather_job){
		.job.op = &mask_op,
		.job.in = *params,
		.job.mask = counted,
		.job.mask_input = 1,
		.indices = *mask,
		.depth = mask->ndim,
		.axis = (int)axis,
		.ntables = 1,
		.table_nbytes = tsl_array_extent(params),
		.ntuples = counted->ntrue,
	};
	status = init_out(g, err);
	if (status)
		return status;
	lay_out(g);
	g->job.nbytes = tsl_array_nbytes(&g->job.out);
	if (g->job.nbytes > 0)
		g->job.pattern = TSL_PATTERN_GATHER;
	return TSL_OK;
}

/* ---- rows ---------------------------------------------------------------- */

int64_t
tsl_mask_block(const struct tsl_mask *mask, int64_t number)
{
	return tsl_count_below(mask->before + 1, sizeof(*mask->before),
			       mask->nblocks - 1, number + 1);
}

bool
tsl_mask_is_linear(const struct tsl_gather_job *g)
{
	return g->runs_per_row == 1 && !g->job.in.field &&
	       (g->depth <= 1 || !g->job.in.fortran_order);
}

/* Where the elements of the mask's last dim that one of them is among begin. */
struct line {
	int64_t first, n, offset, step;
};

static void
find_line(const struct tsl_gather_job *g, const int64_t stride[],
	  int64_t element, struct line *line)
{
	int last = g->depth - 1;

	line->n = g->indices.dim[last];
	line->step = stride[g->axis + last];
	line->first = element - element % line->n;
	line->offset = 0;
	element /= line->n;
	for (int i = last - 1; i >= 0; i--) {
		line->offset +=
			element % g->indices.dim[i] * stride[g->axis + i];
		element /= g->indices.dim[i];
	}
}

void
tsl_mask_rows(const struct tsl_gather_job *g, const uint64_t *bits,
	      int64_t first, int64_t skip, int64_t n, int64_t row[])
{
	/* Of rank 0 there is one element, and it is all of params. */
	struct line line = { .n = g->depth == 0 ? 1 : 0 };
	int64_t stride[TSL_MAX_DIMS];
	int64_t begin = tsl_array_offset(&g->job.in);
	int64_t at = n > 0 ? tsl_bits_find(bits, 0, skip) : 0;

	tsl_array_strides(&g->job.in, stride);
	for (int64_t i = 0; i < n; i++) {
		if (i > 0)
			at = tsl_bits_next(bits, at + 1, INT64_MAX, true);
		if (first + at >= line.first + line.n)
			find_line(g, stride, first + at, &line);
		row[i] = begin + line.offset +
			 (first + at - line.first) * line.step;
	}
}
