/*
 * scatter_nd.c - tensor_scatter_nd_update as a job
 *
 * The output is a copy of the input, or new, and then rows go over it at the
 * places that the tuples name, in no order at all.
 */
#include "scatter_nd.h"

#include "lib/base/shape.h"
#include "mask.h"
#include "slice.h"

/* Of a new array: the fill, everywhere. */
static int
layer(const struct tsl_job *job, int64_t i, struct tsl_pair *pair)
{
	(void)i;
	tsl_job_fill(job, pair);
	return TSL_FILL;
}

static const struct tsl_op scatter_op = { .name = "tensor_scatter_nd_update",
					  .road = TSL_ROAD_SCATTER,
					  .any_order = true,
					  .layer = layer };

static enum tsl_status
check_ranks(const struct tsl_scatter_job *s, const struct tsl_array *indices,
	    struct tsl_error *err)
{
	if (tsl_job_target(&s->job).ndim < 1)
		return tsl_fail_item(err, TSL_EBAD_RANK, s->indices - 1,
				     "there must be at least one dimension to "
				     "index");
	if (indices->ndim < 1)
		return tsl_fail_item(err, TSL_EBAD_RANK, s->indices,
				     "indices must have at least one "
				     "dimension");
	return TSL_OK;
}

static enum tsl_status
check_updates(const struct tsl_scatter_job *s, const struct tsl_array *updates,
	      struct tsl_error *err)
{
	char got[TSL_SHAPE_TEXT], want[TSL_SHAPE_TEXT];
	const struct tsl_array *rows = &s->places.job.out;
	struct tsl_shape shape = tsl_shape_of(updates);
	struct tsl_shape wanted = tsl_shape_of(rows);
	bool same = updates->ndim == rows->ndim;

	if (!tsl_dtype_equal(&rows->dtype, &updates->dtype))
		return tsl_fail(err, TSL_EDTYPE_MISMATCH,
				"input and updates are of different dtypes, "
				"%.80s and %.80s",
				tsl_dtype_text(&rows->dtype),
				tsl_dtype_text(&updates->dtype));
	for (int i = 0; same && i < rows->ndim; i++)
		same = updates->dim[i] == rows->dim[i];
	if (same)
		return TSL_OK;
	tsl_shape_format(&shape, got);
	tsl_shape_format(&wanted, want);
	return tsl_fail_item(err, TSL_ESHAPE_MISMATCH, s->job.source,
			     "the updates' shape is %.100s; it should be "
			     "%.100s",
			     got, want);
}

/* A gather's inputs have other numbers. */
static void
gather_blame(const struct tsl_scatter_job *s, enum tsl_status status,
	     struct tsl_error *err)
{
	if (status && err && err->item >= 0)
		err->item += s->indices - 1;
}

/* Where the true elements of a mask are. */
static enum tsl_status
init_masked(struct tsl_scatter_job *s, const struct tsl_array *mask,
	    struct tsl_error *err)
{
	struct tsl_array target = tsl_job_target(&s->job);
	enum tsl_status status = tsl_mask_job_init(&s->places, &target, mask,
						   s->options.mask, 0, err);

	s->job.mask = s->options.mask;
	s->job.mask_input = s->indices;
	/* Nothing is copied that is to be written to. */
	s->places.job.in = target;
	tsl_gather_job_lay(&s->places, target.fortran_order);
	s->places.ntables = 1;
	s->places.table_nbytes = s->job.nbytes;
	return status;
}

static enum tsl_status
init_named(struct tsl_scatter_job *s, const struct tsl_array *indices,
	   struct tsl_error *err)
{
	const struct tsl_gather_options gather = { .zero_bad =
							   s->options.skip_bad,
						   .empty_later = true };
	struct tsl_array target = tsl_job_target(&s->job);
	enum tsl_status status = check_ranks(s, indices, err);

	if (!status)
		status = tsl_gather_job_init(&s->places, &target, indices,
					     &gather, err);
	gather_blame(s, status, err);
	return status;
}

/* What comes after the array that the rows go over. */
static enum tsl_status
init_places(struct tsl_scatter_job *s, const struct tsl_array *indices,
	    const struct tsl_array *updates,
	    const struct tsl_scatter_options *options, struct tsl_error *err)
{
	enum tsl_status status;

	s->options = *options;
	s->job.op = &scatter_op;
	s->job.source = updates ? s->indices + 1 : 0;
	status = options->mask ? init_masked(s, indices, err)
			       : init_named(s, indices, err);
	if (!status && updates)
		status = check_updates(s, updates, err);
	if (status || options->mask)
		return status;
	status = tsl_gather_check_params(&s->places, err);
	gather_blame(s, status, err);
	return status;
}

enum tsl_status
tsl_scatter_job_init(struct tsl_scatter_job *scatter,
		     const struct tsl_array *in,
		     const struct tsl_array *indices,
		     const struct tsl_array *updates,
		     const struct tsl_scatter_options *options,
		     enum tsl_order order, struct tsl_error *err)
{
	struct tsl_array records = tsl_array_records(in);

	*scatter = (struct tsl_scatter_job){ .indices = 1 };
	tsl_slice_all_init(&scatter->job, &records, order);
	scatter->job.field = *in;
	return init_places(scatter, indices, updates, options, err);
}

enum tsl_status
tsl_scatter_new_init(struct tsl_scatter_job *scatter,
		     const struct tsl_shape *shape, const char *fill,
		     const struct tsl_array *indices,
		     const struct tsl_array *updates,
		     const struct tsl_scatter_options *options,
		     enum tsl_order order, struct tsl_error *err)
{
	struct tsl_job *job = &scatter->job;
	enum tsl_status status;

	*scatter = (struct tsl_scatter_job){ .job.fill = fill };
	job->out.dtype = updates->dtype;
	job->out.ndim = shape->ndim;
	for (int i = 0; i < shape->ndim; i++)
		job->out.dim[i] = shape->dim[i];
	status = tsl_array_check(&job->out, err);
	if (status)
		return status;
	job->out.fortran_order =
		order == TSL_ORDER_F && !tsl_array_is_1d(&job->out);
	job->in = job->out;
	job->no_input = true;
	tsl_job_settle_bare(job);
	job->nlayers = job->nbytes > 0 ? 1 : 0;
	return init_places(scatter, indices, updates, options, err);
}

/* ---- places -------------------------------------------------------------- */

void
tsl_scatter_job_places(const struct tsl_scatter_job *scatter,
		       struct tsl_gather_job *places)
{
	*places = scatter->places;
	tsl_gather_job_lay(places, scatter->job.out.fortran_order);
}

enum tsl_status
tsl_scatter_job_proof(const struct tsl_scatter_job *scatter,
		      struct tsl_gather_job *places, struct tsl_error *err)
{
	const struct tsl_gather_job *g = &scatter->places;
	struct tsl_array in = g->job.in;

	if (scatter->options.mask || in.dtype.size > 0) {
		tsl_scatter_job_places(scatter, places);
		return TSL_OK;
	}
	in.dtype.size = 1;
	in.field = NULL;
	return tsl_gather_job_init(places, &in, &g->indices, &g->options, err);
}

void
tsl_scatter_order_by_run(struct tsl_job *job,
			 const struct tsl_gather_job *places,
			 const struct tsl_array *updates)
{
	struct tsl_shape shape = tsl_shape_of(updates);
	struct tsl_arrangement a = { .shape.ndim = shape.ndim };
	int nrow = places->job.in.ndim - places->depth;
	struct tsl_selection sel;

	for (int i = 0; i < shape.ndim; i++) {
		a.axis[i] = i < nrow ? shape.ndim - 1 - i : i - nrow;
		a.shape.dim[i] = shape.dim[a.axis[i]];
	}
	tsl_select_all(&sel, &shape);
	tsl_slice_job_init(job, updates, &sel, &a, TSL_ORDER_C);
}

int64_t
tsl_scatter_count_places(const struct tsl_gather_job *places, int64_t *apart)
{
	int64_t count = 1;

	/* Of a field: a record each, or if parts of one can be named a byte. */
	if (places->job.in.field) {
		struct tsl_array records = tsl_array_records(&places->job.in);

		*apart = places->depth > records.ndim ? 1 : records.dtype.size;
		return tsl_array_nbytes(&records) / *apart;
	}
	for (int i = 0; i < places->depth; i++)
		count *= places->job.in.dim[i];
	*apart = places->job.in.fortran_order ? places->job.in.dtype.size
					      : places->row_nbytes;
	return count;
}

/* The index of what has this number, with the first or the last dim fastest. */
static void
unravel(int64_t number, int ndim, const int64_t dim[], bool first_fastest,
	struct tsl_shape *index)
{
	index->ndim = ndim;
	for (int k = 0; k < ndim; k++) {
		int i = first_fastest ? k : ndim - 1 - k;

		index->dim[i] = number % dim[i];
		number /= dim[i];
	}
}

/* The index of the element of a field that byte 'at' of the array is of. */
static void
unravel_field(int64_t at, const struct tsl_array *in, int ndim,
	      struct tsl_shape *index)
{
	int nrecords = in->ndim - in->field->ndim;
	int64_t stride[TSL_MAX_DIMS];

	tsl_array_strides(in, stride);
	index->ndim = ndim;
	for (int k = 0; k < in->ndim; k++) {
		bool outwards = in->fortran_order && k < nrecords;
		int i = outwards ? nrecords - 1 - k : k;

		if (k == nrecords)
			at -= in->field->offset;
		if (i < ndim)
			index->dim[i] = at / stride[i];
		at %= stride[i];
	}
}

enum tsl_status
tsl_scatter_duplicate(const struct tsl_gather_job *places, int64_t first_tuple,
		      int64_t second_tuple, int64_t place,
		      struct tsl_error *err)
{
	const struct tsl_array *in = &places->job.in;
	const struct tsl_array *indices = &places->indices;
	char first[TSL_SHAPE_TEXT], second[TSL_SHAPE_TEXT];
	char name[TSL_SHAPE_TEXT];
	struct tsl_shape index;
	int64_t apart;

	unravel(first_tuple, indices->ndim - 1, indices->dim, false, &index);
	tsl_shape_format_list(&index, first);
	unravel(second_tuple, indices->ndim - 1, indices->dim, false, &index);
	tsl_shape_format_list(&index, second);
	if (in->field) {
		(void)tsl_scatter_count_places(places, &apart);
		unravel_field(place * apart, in, places->depth, &index);
	} else {
		unravel(place, places->depth, in->dim, in->fortran_order,
			&index);
	}
	tsl_shape_format_list(&index, name);
	return tsl_fail(err, TSL_EDUPLICATE_INDEX,
			"indices%.64s and indices%.64s both name %.80s", first,
			second, name);
}
