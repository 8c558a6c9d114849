/*
 * lane.c - a worker's road through a GPU: upload, kernel, download
 *
 * All work of a lane is in one stream, in order; what overlaps is the work of
 * several lanes, and the host's share of a lane.  While one part of the input
 * is on its way, the next can be read into the other staging buffer: feed()
 * first waits for what is on its way, so that input() need not.
 *
 * Only pinned memory is copied from: what lies elsewhere, in a mapping of a
 * file say, is looked at by this thread alone, which knows what to do when the
 * file turns out to be shorter.
 */
#include "gpu.h"
#include "lib/base/minmax.h"
#include "lib/op/gather_nd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Output comes back in pieces, one on its way while one is copied out: so much
 * at the most, and the two together a quarter of a block that is not small.
 */
#define MAX_PIECE ((int64_t)4 * 1024 * 1024)
#define MIN_PIECE ((int64_t)64 * 1024)

/* Input is put where its addresses modulo 16 are those in the file. */
#define VECTOR 16

struct tsl_lane {
	const struct tsl_cuda *cuda;
	const struct tsl_job *job;
	struct tsl_lane_sizes sizes;
	CUstream stream;
	CUdeviceptr in, out, side;
	char *staging[2]; /* pinned, for input; NULL: not yet */
	int turn; /* the staging buffer that nothing is on its way from */
	char *piece[2]; /* pinned, for output */
	int64_t piece_nbytes;

	const struct tsl_block *block; /* NULL: none */
	struct tsl_cuda_plan plan;
	int64_t lo, hi; /* input that a view needs at once */
	bool fed;
	CUdeviceptr result;
};

static enum tsl_status
check(const struct tsl_lane *l, CUresult result, const char *what,
      struct tsl_error *err)
{
	return tsl_cuda_check(&l->cuda->driver, result, l->cuda->name, what,
			      err);
}

static enum tsl_status
refuse(const struct tsl_lane *l, const char *why, struct tsl_error *err)
{
	return tsl_fail(err, TSL_EDEVICE, "%s: %s", l->cuda->name, why);
}

/* Threads come and go; each call may be another one's first. */
static enum tsl_status
enter(const struct tsl_lane *l, struct tsl_error *err)
{
	return check(l, l->cuda->driver.cuCtxSetCurrent(l->cuda->context),
		     "using a context", err);
}

static enum tsl_status
wait_for_all(const struct tsl_lane *l, struct tsl_error *err)
{
	return check(l, l->cuda->driver.cuStreamSynchronize(l->stream),
		     "waiting for the device", err);
}

static const struct tsl_gather_job *
gather_of(const struct tsl_lane *l)
{
	return (const struct tsl_gather_job *)(const void *)l->job;
}

static int64_t
run_nbytes(const struct tsl_lane *l)
{
	return gather_of(l)->run_nbytes;
}

static const struct tsl_set_diag_job *
set_diag_of(const struct tsl_lane *l)
{
	return (const struct tsl_set_diag_job *)(const void *)l->job;
}

/* ---- opening and closing ------------------------------------------------- */

static enum tsl_status
alloc_device(const struct tsl_lane *l, CUdeviceptr *p, int64_t nbytes,
	     struct tsl_error *err)
{
	char what[64];

	snprintf(what, sizeof(what), "%lld bytes of its memory",
		 (long long)nbytes);
	return check(l, l->cuda->driver.cuMemAlloc(p, (size_t)nbytes), what,
		     err);
}

static enum tsl_status
alloc_pinned(const struct tsl_lane *l, char **p, int64_t nbytes,
	     struct tsl_error *err)
{
	enum tsl_status status;
	void *bytes = NULL;
	char what[64];

	snprintf(what, sizeof(what), "%lld bytes of pinned memory",
		 (long long)nbytes);
	status =
		check(l, l->cuda->driver.cuMemAllocHost(&bytes, (size_t)nbytes),
		      what, err);
	*p = bytes;
	return status;
}

static enum tsl_status
alloc_all(struct tsl_lane *l, struct tsl_error *err)
{
	enum tsl_status status = alloc_device(
		l, &l->in, l->sizes.in + VECTOR + TSL_CUDA_PAD, err);

	if (!status)
		status = alloc_device(l, &l->out, l->sizes.out + 1, err);
	if (!status && l->sizes.side > 0)
		status = alloc_device(l, &l->side, l->sizes.side, err);
	for (int i = 0; i < 2 && !status; i++)
		status = alloc_pinned(l, &l->piece[i], l->piece_nbytes, err);
	return status;
}

static void
lane_close(struct tsl_lane *lane)
{
	const struct tsl_cuda_driver *d;

	if (!lane)
		return;
	d = &lane->cuda->driver;
	/* Nobody is left to tell what goes wrong here. */
	d->cuCtxSetCurrent(lane->cuda->context);
	if (lane->stream) {
		d->cuStreamSynchronize(lane->stream);
		d->cuStreamDestroy(lane->stream);
	}
	if (lane->in)
		d->cuMemFree(lane->in);
	if (lane->out)
		d->cuMemFree(lane->out);
	if (lane->side)
		d->cuMemFree(lane->side);
	for (int i = 0; i < 2; i++) {
		if (lane->staging[i])
			d->cuMemFreeHost(lane->staging[i]);
		if (lane->piece[i])
			d->cuMemFreeHost(lane->piece[i]);
	}
	free(lane);
}

static enum tsl_status
lane_open(struct tsl_lane **lane_new, const struct tsl_backend *backend,
	  const struct tsl_job *job, const struct tsl_lane_sizes *sizes,
	  struct tsl_error *err)
{
	struct tsl_lane *l = calloc(1, sizeof(*l));
	enum tsl_status status;

	*lane_new = NULL;
	if (!l)
		return tsl_no_memory(err);
	l->cuda = (const struct tsl_cuda *)(const void *)backend;
	l->job = job;
	l->sizes = *sizes;
	l->piece_nbytes = tsl_max(tsl_min(sizes->out / 8, MAX_PIECE),
				  tsl_min(sizes->out + 1, MIN_PIECE));
	status = enter(l, err);
	if (!status)
		status = check(l,
			       l->cuda->driver.cuStreamCreate(
				       &l->stream, CU_STREAM_NON_BLOCKING),
			       "making a stream", err);
	if (!status)
		status = alloc_all(l, err);
	if (status) {
		lane_close(l);
		return status;
	}
	*lane_new = l;
	return TSL_OK;
}

/* ---- a block ------------------------------------------------------------- */

static enum tsl_status
lane_input(struct tsl_lane *lane, char **bytes, struct tsl_error *err)
{
	enum tsl_status status = enter(lane, err);
	char **staging = &lane->staging[lane->turn];

	if (!status && !*staging)
		status = alloc_pinned(lane, staging, lane->sizes.in + 1, err);
	*bytes = *staging;
	return status;
}

/* What of the side is looked at. */
static int64_t
side_needed(const struct tsl_lane *l)
{
	const struct tsl_block *b = l->block;

	if (!b->view)
		return b->n / run_nbytes(l) * (int64_t)sizeof(int64_t);
	return b->side ? l->job->op->side_nbytes(l->job, b->first, b->n) : 0;
}

static bool
is_of_whole_parts(const struct tsl_lane *l)
{
	const struct tsl_block *b = l->block;

	return b->view ? b->n == tsl_view_count(b->view) * b->view->width
		       : b->n % run_nbytes(l) == 0;
}

/* Plans the block and sends for what its op needs besides the input. */
static enum tsl_status
prepare(struct tsl_lane *l, struct tsl_error *err)
{
	const struct tsl_block *b = l->block;
	int64_t side = side_needed(l);

	if (b->n > l->sizes.out || side > l->sizes.side ||
	    side > b->side_nbytes || !is_of_whole_parts(l))
		return refuse(l, "a block that the lane is too small for", err);
	if (b->view) {
		tsl_cuda_plan_view(&l->plan, b->view);
		tsl_view_span(b->view, &l->lo, &l->hi);
	} else {
		tsl_cuda_plan_runs(&l->plan, run_nbytes(l),
				   tsl_gather_unit(gather_of(l)),
				   b->n / run_nbytes(l));
	}
	if (side == 0)
		return TSL_OK;
	return check(l,
		     l->cuda->driver.cuMemcpyHtoDAsync(l->side, b->side,
						       (size_t)side, l->stream),
		     "copying to the device", err);
}

static enum tsl_status
lane_begin(struct tsl_lane *lane, const struct tsl_block *block,
	   struct tsl_error *err)
{
	enum tsl_status status = enter(lane, err);

	lane->block = block;
	lane->fed = false;
	if (!status)
		status = prepare(lane, err);
	if (status)
		lane->block = NULL;
	return status;
}

/* Where input byte 'lo' is, or is put, in the memory of the device. */
static CUdeviceptr
place_of(const struct tsl_lane *l, int64_t lo)
{
	return l->in + (CUdeviceptr)(lo % VECTOR);
}

/* Makes what comes of input bytes [lo, hi), which are on the device. */
static enum tsl_status
run(struct tsl_lane *l, int64_t lo, int64_t hi, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;

	l->fed = true;
	l->result = l->out;
	if (l->plan.kernel[0] == '\0') {
		l->result = place_of(l, lo) + (CUdeviceptr)(l->plan.run - lo);
	} else {
		tsl_cuda_place(&l->plan, place_of(l, lo), lo, hi, l->out);
		if (!l->block->view)
			l->plan.args.view.run =
				(const int64_t *)(uintptr_t)l->side;
		status = tsl_cuda_launch(l->cuda, &l->plan, l->stream, err);
	}
	if (status || !l->block->view || !l->block->side)
		return status;
	tsl_cuda_plan_band(&l->plan, set_diag_of(l), l->block->first,
			   l->block->n);
	if (l->plan.kernel[0] == '\0')
		return TSL_OK;
	l->plan.args.band.out = (char *)(uintptr_t)l->result;
	l->plan.args.band.side = (const char *)(uintptr_t)l->side;
	return tsl_cuda_launch(l->cuda, &l->plan, l->stream, err);
}

/* The memory of input() that 'in' is of; or what there is, copied there. */
static enum tsl_status
stage(struct tsl_lane *l, const char **in, int64_t nbytes,
      struct tsl_error *err)
{
	char *bytes;
	enum tsl_status status;

	for (int i = 0; i < 2; i++) {
		uintptr_t at = (uintptr_t)l->staging[i];

		if (at && (uintptr_t)*in >= at &&
		    (uintptr_t)*in - at <= (uintptr_t)l->sizes.in) {
			l->turn = !i;
			return TSL_OK;
		}
	}
	status = lane_input(l, &bytes, err);
	if (status)
		return status;
	memcpy(bytes, *in, (size_t)nbytes);
	*in = bytes;
	l->turn = !l->turn;
	return TSL_OK;
}

static enum tsl_status
lane_feed(struct tsl_lane *lane, const char *in, int64_t lo, int64_t hi,
	  struct tsl_error *err)
{
	const struct tsl_cuda_driver *d = &lane->cuda->driver;
	enum tsl_status status = enter(lane, err);

	if (status)
		return status;
	if (!lane->block || hi - lo > lane->sizes.in || lo < 0 || hi < lo)
		return refuse(lane, "input that the lane is too small for",
			      err);
	if (lane->block->view && (lane->fed || lo > lane->lo || hi < lane->hi))
		return refuse(lane, "a view whose input came in parts", err);
	status = wait_for_all(lane, err);
	if (!status)
		status = stage(lane, &in, hi - lo, err);
	if (!status && hi > lo)
		status = check(lane,
			       d->cuMemcpyHtoDAsync(place_of(lane, lo), in,
						    (size_t)(hi - lo),
						    lane->stream),
			       "copying to the device", err);
	return status ? status : run(lane, lo, hi, err);
}

static enum tsl_status
fetch(const struct tsl_lane *l, int i, int64_t at, struct tsl_error *err)
{
	int64_t left = l->block->n - at;
	int64_t n = left < l->piece_nbytes ? left : l->piece_nbytes;
	CUresult r = CUDA_SUCCESS;

	if (n > 0)
		r = l->cuda->driver.cuMemcpyDtoHAsync(
			l->piece[i], l->result + (CUdeviceptr)at, (size_t)n,
			l->stream);
	return check(l, r, "copying from the device", err);
}

static enum tsl_status
fetch_all(const struct tsl_lane *l, char *dst, struct tsl_error *err)
{
	enum tsl_status status = fetch(l, 0, 0, err);
	int64_t n = l->piece_nbytes;
	int i = 0;

	for (int64_t at = 0; at < l->block->n && !status; at += n, i = !i) {
		status = wait_for_all(l, err);
		if (!status)
			status = fetch(l, !i, at + n, err);
		if (n > l->block->n - at)
			n = l->block->n - at;
		if (!status)
			memcpy(dst + at, l->piece[i], (size_t)n);
	}
	return status;
}

static enum tsl_status
lane_end(struct tsl_lane *lane, char *dst, struct tsl_error *err)
{
	enum tsl_status status = enter(lane, err);

	/* Runs of nothing but zeros need no input. */
	if (!status && lane->block && !lane->fed && !lane->block->view)
		status = run(lane, 0, 0, err);
	if (status)
		return status;
	if (!lane->block || !lane->fed)
		return refuse(lane, "a block without its input", err);
	status = fetch_all(lane, dst, err);
	lane->block = NULL;
	/* Nothing is on its way: one staging buffer may do for all blocks. */
	lane->turn = 0;
	return status;
}

const struct tsl_backend tsl_cuda_lanes = {
	.open = lane_open,
	.close = lane_close,
	.input = lane_input,
	.begin = lane_begin,
	.feed = lane_feed,
	.end = lane_end,
};
