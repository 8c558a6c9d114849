/*
 * get_diag.c - matrix_diag_part as a job
 *
 * A single diagonal is a view of the input.  A band is painted: padding, where
 * there is any, and a layer for each diagonal.  A wide band has a layer for
 * each row of the matrix instead, whose elements lie side by side there: no
 * two of a diagonal share a cache line, nor in large matrices a page.
 */
#include "get_diag.h"

#include "lib/base/minmax.h"

/*
 * A band that is as wide as this, and not much less wide than the matrix is
 * high, is painted by rows.
 */
#define MIN_WIDE 64

static const struct tsl_get_diag_job *
get_diag_of(const struct tsl_job *job)
{
	return (const struct tsl_get_diag_job *)(const void *)job;
}

/* The layer of padding, if any, is the first. */
static int64_t
npadding(const struct tsl_get_diag_job *g)
{
	return g->padded ? 1 : 0;
}

/* The part that layer i is of; its row, counted in the part, takes i's place.
 */
static const struct tsl_band_part *
part_of(const struct tsl_get_diag_job *g, int64_t *i)
{
	const struct tsl_band_part *part = g->part;

	for (*i -= npadding(g); *i >= part->nrows; part++)
		*i -= part->nrows;
	return part;
}

static int
layer(const struct tsl_job *job, int64_t i, struct tsl_pair *pair)
{
	const struct tsl_get_diag_job *g = get_diag_of(job);
	const struct tsl_band_part *part;

	if (i < npadding(g)) {
		tsl_job_fill(job, pair);
		return TSL_FILL;
	}
	if (g->nparts > 0) {
		part = part_of(g, &i);
		tsl_band_select_row(&g->band, &job->in, &job->out, part,
				    part->first + i, &pair->from, &pair->to);
	} else {
		tsl_band_select(&g->band, &job->in, &job->out,
				g->band.options.upper - (i - npadding(g)),
				&pair->from, &pair->to);
	}
	tsl_pair_settle(pair);
	return 0;
}

/* The rows of packed matrices, a diagonal each, that hold some bytes. */
struct span {
	int64_t lo, hi;
};

static struct span
packed_rows(const struct tsl_get_diag_job *g, int64_t first, int64_t n)
{
	int64_t row = g->band.max_len * g->job.out.dtype.size;
	int64_t ndiags = g->band.ndiags;
	int64_t lo = first / row, hi = (first + n - 1) / row;

	/* Of more than one matrix there may be the end and the begin. */
	if (lo / ndiags != hi / ndiags)
		return (struct span){ 0, ndiags - 1 };
	return (struct span){ lo % ndiags, hi % ndiags };
}

static int64_t
next_diagonal(const struct tsl_get_diag_job *g, int64_t i, struct span rows)
{
	i = tsl_max(i, rows.lo + npadding(g));
	return i > rows.hi + npadding(g) ? g->job.nlayers : i;
}

static int64_t
next_row(const struct tsl_get_diag_job *g, int64_t i, struct span rows)
{
	int64_t upper = g->band.options.upper;
	int64_t begin = npadding(g);
	struct tsl_band_part seen;

	for (int p = 0; p < g->nparts; p++) {
		const struct tsl_band_part *part = &g->part[p];
		int64_t from;

		tsl_band_part_init(
			&g->band, tsl_max(part->lower, upper - rows.hi),
			tsl_min(part->upper, upper - rows.lo), &seen);
		from = begin + seen.first - part->first;
		if (i < from + seen.nrows)
			return tsl_max(i, from);
		begin += part->nrows;
	}
	return g->job.nlayers;
}

static int64_t
next_layer(const struct tsl_job *job, int64_t i, int64_t first, int64_t n)
{
	const struct tsl_get_diag_job *g = get_diag_of(job);
	struct span rows = packed_rows(g, first, n);

	if (i < npadding(g) || i >= job->nlayers)
		return i;
	return g->nparts > 0 ? next_row(g, i, rows) : next_diagonal(g, i, rows);
}

static const struct tsl_op get_diag_op = {
	.name = "matrix_diag_part",
	.layer = layer,
	.next_layer = next_layer,
};

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

static void
plan_layers(struct tsl_get_diag_job *g)
{
	const struct tsl_band *b = &g->band;
	bool wide = b->ndiags >= MIN_WIDE && b->ndiags >= b->nrows / 4;

	g->job.block_nbytes = b->ndiags * b->max_len * g->job.out.dtype.size;
	g->job.nlayers = npadding(g) + (wide ? 0 : b->ndiags);
	if (wide)
		g->nparts = tsl_band_parts(b, g->part);
	for (int i = 0; i < g->nparts; i++)
		g->job.nlayers += g->part[i].nrows;
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
		plan_layers(g);
	return TSL_OK;
}
