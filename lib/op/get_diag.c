/*
 * get_diag.c - matrix_diag_part as a job
 *
 * A single diagonal is a view of the input.  A band is painted: padding, where
 * there is any, and a layer for each diagonal.
 */
#include "get_diag.h"

static const struct tsl_get_diag_job *
get_diag_of(const struct tsl_job *job)
{
	return (const struct tsl_get_diag_job *)(const void *)job;
}

static int
layer(const struct tsl_job *job, int64_t i, struct tsl_pair *pair)
{
	const struct tsl_get_diag_job *g = get_diag_of(job);
	int64_t d = g->band.options.upper - i + (g->padded ? 1 : 0);

	if (g->padded && i == 0) {
		tsl_job_fill(job, pair);
		return TSL_FILL;
	}
	tsl_band_select(&g->band, &job->in, &job->out, d, &pair->from,
			&pair->to);
	tsl_pair_settle(pair);
	return 0;
}

static const struct tsl_op get_diag_op = { .name = "matrix_diag_part",
					   .layer = layer };

/* ---- making the job ------------------------------------------------------ */

static enum tsl_status
init_out(struct tsl_get_diag_job *g, struct tsl_error *err)
{
	struct tsl_shape shape = tsl_band_shape(&g->band, &g->job.in);
	struct tsl_array *out = &g->job.out;

	out->dtype = g->job.in.dtype;
	out->ndim = shape.ndim;
	for (int i = 0; i < shape.ndim; i++)
		out->dim[i] = shape.dim[i];
	return tsl_array_check(out, err);
}

static bool
is_padded(const struct tsl_band *b)
{
	return tsl_band_length(b, b->options.lower) < b->max_len ||
	       tsl_band_length(b, b->options.upper) < b->max_len;
}

enum tsl_status
tsl_get_diag_job_init(struct tsl_get_diag_job *get, const struct tsl_array *in,
		      const struct tsl_band_options *options,
		      const char *padding, struct tsl_error *err)
{
	struct tsl_get_diag_job *g = get;
	struct tsl_view packed;
	enum tsl_status status;

	*g = (struct tsl_get_diag_job){ .job.op = &get_diag_op,
					.job.in = *in,
					.job.fill = padding };
	status = tsl_band_init(&g->band, in, options, err);
	if (!status)
		status = init_out(g, err);
	if (status)
		return status;
	if (g->band.ndiags == 1) {
		tsl_band_select(&g->band, in, &g->job.out, options->lower,
				&g->job.view, &packed);
		tsl_job_settle(&g->job);
		return TSL_OK;
	}
	g->padded = is_padded(&g->band);
	tsl_job_settle_bare(&g->job);
	if (g->job.nbytes > 0)
		g->job.nlayers = g->band.ndiags + (g->padded ? 1 : 0);
	return TSL_OK;
}
