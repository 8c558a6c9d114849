/*
 * job.c - how the output of a job is best made
 */
#include "job.h"

#include "lib/base/minmax.h"

/* A row that is read by itself should repay the system call. */
#define MIN_READ (16 * 1024)

/* Above this a row is worth a memcpy straight from a mapping. */
#define MIN_MAPPED_ROW 256

/* Rows of no more elements are moved by kernels of their own. */
#define MAX_SMALL 16

/* A view is dense when this part of what it spans is used. */
#define DENSE_PART 4

/*
 * The bytes of the largest box of innermost dims of which enough of what lies
 * between its ends is used.  'v' is not empty.
 */
static int64_t
dense_nbytes(const struct tsl_view *v)
{
	int64_t used = v->width;
	int64_t span = v->width;

	for (int d = v->ndim - 1; d >= 0; d--) {
		int64_t wider =
			span + tsl_magnitude(v->stride[d]) * (v->dim[d] - 1);

		if (used * v->dim[d] < wider / DENSE_PART)
			break;
		used *= v->dim[d];
		span = wider;
	}
	return used;
}

static bool
is_transposed(const struct tsl_view *v)
{
	int64_t inner = tsl_magnitude(v->stride[v->ndim - 1]);

	for (int d = 0; d < v->ndim - 1; d++)
		if (tsl_magnitude(v->stride[d]) < inner)
			return true;
	return false;
}

static enum tsl_pattern
classify(const struct tsl_view *v)
{
	int64_t nbytes = v->width * tsl_view_count(v);
	int64_t length = v->ndim > 0 ? v->dim[v->ndim - 1] : 1;
	int64_t step = v->ndim > 0 ? v->stride[v->ndim - 1] : v->width;
	int64_t row = length * v->width;

	if (step == v->width && row == nbytes)
		return TSL_PATTERN_RUN;
	if (step == v->width && row >= MIN_READ)
		return TSL_PATTERN_ROWS;
	if (step == v->width && row >= MIN_MAPPED_ROW)
		return TSL_PATTERN_BOX;
	if (is_transposed(v))
		return TSL_PATTERN_TRANSPOSED;
	if (dense_nbytes(v) < tsl_min(MIN_READ, nbytes))
		return TSL_PATTERN_SPARSE;
	return length <= MAX_SMALL ? TSL_PATTERN_SMALL : TSL_PATTERN_DENSE;
}

const char *
tsl_pattern_name(enum tsl_pattern pattern)
{
	static const char *const names[] = {
		[TSL_PATTERN_EMPTY] = "no elements",
		[TSL_PATTERN_RUN] = "one contiguous run",
		[TSL_PATTERN_ROWS] = "long contiguous rows",
		[TSL_PATTERN_BOX] = "contiguous rows",
		[TSL_PATTERN_DENSE] = "dense steps",
		[TSL_PATTERN_SMALL] = "small inner dimension",
		[TSL_PATTERN_SPARSE] = "sparse picks",
		[TSL_PATTERN_TRANSPOSED] = "transposed, in tiles",
		[TSL_PATTERN_GATHER] = "rows in the order of the input",
		[TSL_PATTERN_PICKS] = "picks, as the input comes",
	};

	return names[pattern];
}

void
tsl_job_settle(struct tsl_job *job)
{
	job->nbytes = tsl_array_nbytes(&job->out);
	tsl_view_coalesce(&job->view);
	if (job->nbytes > 0)
		job->pattern = classify(&job->view);
}

void
tsl_job_settle_bare(struct tsl_job *job)
{
	int64_t count = tsl_array_count(&job->out);
	int64_t width = job->out.dtype.size;

	job->is_bare = true;
	job->view = (struct tsl_view){
		.width = width, .ndim = 1, .dim = { count }, .stride = { width }
	};
	tsl_job_settle(job);
}

struct tsl_array
tsl_job_target(const struct tsl_job *job)
{
	struct tsl_array target = job->field.field ? job->field : job->out;

	target.fortran_order = job->out.fortran_order;
	return target;
}

/* Pieces of the output may begin and end within a record, and so a field. */
void
tsl_job_settle_layer(const struct tsl_job *job, struct tsl_pair *pair)
{
	if (job->field.field) {
		tsl_view_to_bytes(&pair->from);
		tsl_view_to_bytes(&pair->to);
	}
	tsl_pair_settle(pair);
}

int64_t
tsl_job_fill_size(const struct tsl_job *job)
{
	return job->field.field ? job->field.dtype.size : job->out.dtype.size;
}

bool
tsl_job_has_tuples(const struct tsl_job *job)
{
	return job->op->road == TSL_ROAD_RUNS ||
	       job->op->road == TSL_ROAD_SCATTER;
}

struct tsl_array
tsl_job_written(const struct tsl_job *job)
{
	struct tsl_array out = job->out;

	if (job->as)
		out.dtype = *job->as;
	return out;
}

void
tsl_job_fill(const struct tsl_job *job, struct tsl_pair *pair)
{
	int64_t size = job->out.dtype.size;

	pair->to = (struct tsl_view){ .width = size,
				      .ndim = 1,
				      .dim = { tsl_array_count(&job->out) },
				      .stride = { size } };
	pair->from = pair->to;
	pair->from.stride[0] = 0;
	tsl_pair_settle(pair);
}
