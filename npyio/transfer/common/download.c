/*
 * download.c - what a job needs of inputs that are far away, brought here first
 */
#include "download.h"

#include "lib/op/cat.h"
#include "lib/view/need.h"
#include "npyio/input/reader_remote.h"

/* What takes less is simply brought. */
#define MIN_FLOW ((int64_t)32 * 1024 * 1024)

static bool
next_needed(void *ranges, int64_t *lo, int64_t *hi)
{
	return tsl_need_next(ranges, lo, hi);
}

static enum tsl_status
download_view(struct npyio_reader *in, const struct tsl_view *v,
	      struct tsl_error *err)
{
	struct tsl_need need;

	tsl_need_init(&need, v, TSL_NEED_GAP);
	return npyio_reader_download(in, next_needed, &need, err);
}

/* What layers take of the input that the job goes through. */
static enum tsl_status
download_layers(const struct npyio_transfer *t, struct tsl_error *err)
{
	const struct tsl_job *job = t->job;
	enum tsl_status status = TSL_OK;
	struct tsl_pair pair;

	if (!job->op->layer || job->op->patch)
		return TSL_OK;
	for (int64_t i = 0; i < job->nlayers && !status; i++)
		if (job->op->layer(job, i, &pair) == 0)
			status = download_view(t->in[0], &pair.from, err);
	return status;
}

static bool
has_layers_of_input(const struct tsl_job *job)
{
	struct tsl_pair pair;

	if (!job->op->layer || job->op->patch)
		return false;
	for (int64_t i = 0; i < job->nlayers; i++)
		if (job->op->layer(job, i, &pair) == 0)
			return true;
	return false;
}

/* Whether all is needed that lies between a first and a last byte. */
static bool
is_one_range(const struct tsl_view *v, int64_t *lo, int64_t *hi)
{
	struct tsl_need need;
	int64_t more, end;

	tsl_need_init(&need, v, TSL_NEED_GAP);
	return tsl_need_next(&need, lo, hi) &&
	       !tsl_need_next(&need, &more, &end);
}

/* Has it come as a stream, if that will do; a stored member is proved first. */
static bool
flow_input(const struct npyio_transfer *t)
{
	const struct tsl_job *job = t->job;
	int64_t lo, hi;

	if (job->op->road != TSL_ROAD_VIEW || job->is_bare ||
	    t->portion.count > 1 || npyio_reader_stored(t->in[0]) ||
	    npyio_reader_is_stream(t->in[0]) || has_layers_of_input(job) ||
	    !tsl_view_is_forward(&job->view) ||
	    !is_one_range(&job->view, &lo, &hi) || hi - lo < MIN_FLOW)
		return false;
	npyio_reader_flow(t->in[0], hi);
	return true;
}

static enum tsl_status
download_input(const struct npyio_transfer *t, struct tsl_error *err)
{
	const struct tsl_job *job = t->job;
	enum tsl_status status = TSL_OK;

	if (job->nbytes == 0 || job->op->road == TSL_ROAD_RUNS || flow_input(t))
		return TSL_OK;
	if (!job->is_bare)
		status = download_view(t->in[0], &job->view, err);
	return status ? status : download_layers(t, err);
}

/*
 * A part of several brings its own of an input whose bytes stand there as they
 * will in the output, as it reads them.
 */
static bool
comes_as_read(const struct npyio_transfer *t, int input)
{
	const struct tsl_cat_job *cat =
		(const struct tsl_cat_job *)(const void *)t->job;

	if (t->job->op->road != TSL_ROAD_CONCAT || t->portion.count <= 1)
		return false;
	for (int64_t i = 0; i < cat->nparts; i++)
		if (cat->part[i].input == input)
			return cat->part[i].is_dense;
	return true;
}

enum tsl_status
npyio_download(const struct npyio_transfer *t, struct tsl_error *err)
{
	const struct tsl_job *job = t->job;
	enum tsl_status status = TSL_OK;

	for (int i = 0; i < t->ninputs && !status; i++) {
		bool is_input = i == 0 && !job->no_input &&
				job->op->road != TSL_ROAD_CONCAT;

		if (!npyio_reader_is_remote(t->in[i]))
			continue;
		npyio_reader_connect(t->in[i], t->threads);
		if (is_input)
			status = download_input(t, err);
		else if ((job->nbytes > 0 || tsl_job_has_tuples(job)) &&
			 !comes_as_read(t, i))
			status = npyio_reader_download_all(t->in[i], err);
	}
	return status;
}
