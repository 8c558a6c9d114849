/*
 * plan.c - which kernel makes a block, how many threads, and what they are told
 */
#include "plan.h"

#include "lib/base/minmax.h"

#include <stdio.h>

/* Fewer elements than this along a side are not worth a tile. */
#define MIN_TILE 8

/* What the threads of a warp make at once: a vector each. */
#define WARP_NBYTES 512

static int64_t
blocks_for(int64_t count, int64_t per)
{
	return count / per + (count % per != 0);
}

struct tsl_cuda_divisor
tsl_cuda_divide_by(int64_t count)
{
	struct tsl_cuda_divisor by = { count, 0, 31 };

	if (count > INT32_MAX)
		return by; /* only divided by in 64 bits */
	while (INT64_C(1) << (by.shift - 31) < count)
		by.shift++;
	by.magic = (uint32_t)((UINT64_C(1) << by.shift) / (uint64_t)count + 1);
	return by;
}

/* ---- units --------------------------------------------------------------- */

static bool
all_divide(const struct tsl_view *v, int64_t width)
{
	int last = v->ndim - 1;

	if (v->offset % width || v->dim[last] * v->width % width)
		return false;
	for (int i = 0; i < last; i++)
		if (v->stride[i] % width)
			return false;
	return true;
}

static bool
is_aligned(const struct tsl_view *v)
{
	uint64_t all = (uint64_t)v->offset;

	for (int i = 0; i < v->ndim; i++)
		all |= (uint64_t)v->stride[i];
	return all % (uint64_t)v->width == 0;
}

/* What always stays together is moved as one: pairs, and pairs of those. */
static void
widen(struct tsl_view *v)
{
	int last = v->ndim - 1;

	if (last < 0 || v->stride[last] != v->width)
		return;
	while (v->width < 16 && all_divide(v, 2 * v->width)) {
		v->width *= 2;
		v->dim[last] /= 2;
		v->stride[last] = v->width;
	}
}

/*
 * A box may have dims of 1, and more that merge; a scalar is a row of one.  A
 * field may begin anywhere in a record, and these be of any size.
 */
static void
simplify(struct tsl_view *v)
{
	int n = 0;

	tsl_view_coalesce(v);
	if (!is_aligned(v)) {
		tsl_view_to_bytes(v);
		tsl_view_merge(v);
	}
	widen(v);
	for (int i = 0; i < v->ndim; i++) {
		if (v->dim[i] == 1)
			continue;
		v->dim[n] = v->dim[i];
		v->stride[n++] = v->stride[i];
	}
	v->ndim = n;
	if (n == 0) {
		v->dim[0] = 1;
		v->stride[0] = v->width;
		v->ndim = 1;
	}
}

/* ---- units in order ------------------------------------------------------ */

/* Each time some thread of a warp would have a vector of two such rows. */
static bool
is_short(int64_t count, int64_t width)
{
	return count < WARP_NBYTES / width && count * width % 16 != 0;
}

static enum tsl_cuda_step
step_of(const struct tsl_view *v)
{
	int64_t stride = v->stride[v->ndim - 1];

	if (stride == v->width)
		return TSL_CUDA_FORWARD;
	if (stride == -v->width)
		return TSL_CUDA_BACKWARD;
	for (int k = 2; k <= 4; k++)
		if (stride == k * v->width)
			return (enum tsl_cuda_step)(TSL_CUDA_EVERY_2 + k - 2);
	return TSL_CUDA_ANY;
}

static void
set_grid(struct tsl_cuda_plan *plan, int64_t threads)
{
	int64_t grid = blocks_for(threads, TSL_CUDA_THREADS);

	/* A grid that is not large enough goes round again. */
	plan->grid = (unsigned)tsl_min(grid, INT32_MAX);
	plan->block_x = TSL_CUDA_THREADS;
	plan->block_y = 1;
}

static void
plan_units(struct tsl_cuda_plan *plan, const struct tsl_view *v)
{
	struct tsl_cuda_view_args *a = &plan->args.view;
	int64_t n = tsl_view_count(v);
	int last = v->ndim - 1;
	uint64_t inside = 0;

	*a = (struct tsl_cuda_view_args){
		.n = n,
		.ndim = v->ndim,
		.step = (int16_t)step_of(v),
		.words = v->ndim > 1 && is_short(v->dim[last], v->width),
	};
	for (int i = 0; i <= last; i++) {
		a->dim[i].by = tsl_cuda_divide_by(v->dim[last - i]);
		a->dim[i].gap = (uint64_t)v->stride[last - i] - inside;
		inside = (uint64_t)v->dim[last - i] *
			 (uint64_t)v->stride[last - i];
	}
	plan->base = v->offset;
	plan->image = TSL_CUDA_SLICE;
	snprintf(plan->kernel, sizeof(plan->kernel), "slice_%d", (int)v->width);
	set_grid(plan,
		 blocks_for(blocks_for(n, 16 / v->width), TSL_CUDA_VECTORS));
}

/* ---- tiles --------------------------------------------------------------- */

/* The dim along which units lie side by side, if tiles are worth it; or -1. */
static int
tile_dim(const struct tsl_view *v)
{
	int last = v->ndim - 1;
	int64_t step = v->stride[last];

	if (v->dim[last] < MIN_TILE || step == 0 || step == v->width ||
	    step == -v->width)
		return -1;
	for (int d = last - 1; d >= 0; d--)
		if ((v->stride[d] == v->width || v->stride[d] == -v->width) &&
		    v->dim[d] >= MIN_TILE)
			return d;
	return -1;
}

/* The dims outside a tile; counts the tiles, -1: too many for 32 bits. */
static int64_t
plan_outer(struct tsl_cuda_tile_args *a, const struct tsl_view *v, int tile)
{
	int64_t ntiles = a->across.count * a->down.count;
	/* Units of output, from one index to the next. */
	int64_t out = v->dim[v->ndim - 1];

	a->nouter = v->ndim - 2;
	for (int d = v->ndim - 2, i = a->nouter; d >= 0; d--) {
		if (d == tile) {
			a->out_stride = out;
		} else {
			a->outer[--i] = (struct tsl_cuda_outer){
				tsl_cuda_divide_by(v->dim[d]), v->stride[d], out
			};
			if (ntiles > INT32_MAX / v->dim[d])
				return -1;
			ntiles *= v->dim[d];
		}
		out *= v->dim[d];
	}
	return ntiles;
}

/* Goes along the height of the input from its other end. */
static void
plan_backward(struct tsl_cuda_plan *plan, int64_t width)
{
	struct tsl_cuda_tile_args *a = &plan->args.tile;

	plan->base -= (a->height - 1) * width;
	plan->out_base = (a->height - 1) * a->out_stride * width;
	a->out_stride = -a->out_stride;
}

static bool
plan_tiles(struct tsl_cuda_plan *plan, const struct tsl_view *v)
{
	struct tsl_cuda_tile_args *a = &plan->args.tile;
	int64_t per = v->width < 4 ? 4 / v->width : 1; /* units of a word */
	int64_t side = TSL_CUDA_TILE * per;
	int last = v->ndim - 1;
	int tile = tile_dim(v);
	bool skewed = v->dim[last] % per != 0;
	int64_t ntiles;
	/* Skewed rows end as much later as a row of a tile begins earlier. */
	int64_t across =
		blocks_for(v->dim[last] + (skewed ? per - 1 : 0), side);

	if (tile < 0 || across > INT32_MAX / blocks_for(v->dim[tile], side))
		return false;
	*a = (struct tsl_cuda_tile_args){ .width = v->dim[last],
					  .height = v->dim[tile],
					  .in_step = v->stride[last],
					  .skewed = skewed };
	a->across = tsl_cuda_divide_by(across);
	a->down = tsl_cuda_divide_by(blocks_for(a->height, side));
	ntiles = plan_outer(a, v, tile);
	if (ntiles < 0)
		return false;
	plan->base = v->offset;
	plan->out_base = 0;
	if (v->stride[tile] < 0)
		plan_backward(plan, v->width);
	plan->image = TSL_CUDA_TRANSPOSE;
	snprintf(plan->kernel, sizeof(plan->kernel), "transpose_%d",
		 (int)v->width);
	plan->grid = (unsigned)ntiles;
	plan->block_x = TSL_CUDA_TILE;
	plan->block_y = TSL_CUDA_TILE_ROWS;
	return true;
}

/* ---- ops ----------------------------------------------------------------- */

void
tsl_cuda_plan_view(struct tsl_cuda_plan *plan, const struct tsl_view *view)
{
	struct tsl_view v = *view;

	simplify(&v);
	plan->kernel[0] = '\0';
	plan->run = v.offset;
	if (v.ndim == 1 && v.stride[0] == v.width)
		return;
	if (!plan_tiles(plan, &v))
		plan_units(plan, &v);
}

void
tsl_cuda_plan_runs(struct tsl_cuda_plan *plan, int64_t nbytes, int64_t width,
		   int64_t n)
{
	struct tsl_cuda_view_args *a = &plan->args.view;

	*a = (struct tsl_cuda_view_args){
		.n = n * (nbytes / width),
		.ndim = 2,
		.step = TSL_CUDA_FORWARD,
		.words = is_short(nbytes / width, width),
	};
	a->dim[0].by = tsl_cuda_divide_by(nbytes / width);
	a->dim[0].gap = (uint64_t)width;
	a->dim[1].by = tsl_cuda_divide_by(n);
	plan->base = 0;
	plan->run_nbytes = nbytes;
	plan->image = TSL_CUDA_GATHER;
	snprintf(plan->kernel, sizeof(plan->kernel), "gather_%s%d",
		 width == nbytes ? "single_" : "", (int)width);
	set_grid(plan,
		 blocks_for(blocks_for(a->n, 16 / width), TSL_CUDA_VECTORS));
}

/* Elements [*from, *to) of the only matrix row of output [first, first + n). */
static void
columns_of_one(const struct tsl_set_diag_job *s, int64_t first, int64_t n,
	       int64_t *from, int64_t *to)
{
	int64_t element = first / s->width;
	int64_t row = element / s->band.ncols % s->band.nrows;
	int64_t column = element % s->band.ncols;
	int64_t end = column + (first + n - 1) / s->width - element + 1;

	*from = tsl_max(column, row + s->band.options.lower);
	*to = tsl_max(*from, tsl_min(end, row + s->band.options.upper + 1));
}

/*
 * Where in a matrix row its band is, and where its row of side begins, one of
 * 'nrows': see lib/op/set_diag.h.  Returns the columns of side.
 */
static int64_t
plan_columns(struct tsl_cuda_band_args *a, const struct tsl_set_diag_job *s,
	     int64_t nrows, int64_t first, int64_t n)
{
	bool wide = s->band.ndiags >= s->band.ncols;
	int64_t from = s->band.options.lower, columns = s->band.ndiags;

	a->lower = s->band.options.lower * a->per;
	a->upper = (s->band.options.upper + 1) * a->per;
	if (nrows == 1) {
		columns_of_one(s, first, n, &from, &columns);
		columns -= from;
	} else if (wide) {
		from = 0;
		columns = s->band.ncols;
	}
	a->slope = wide || nrows == 1 ? 0 : a->per;
	a->shift = from * a->per;
	a->band = tsl_cuda_divide_by(tsl_max(columns * a->per, 1));
	return columns;
}

/* Sums of two such are still counted with 31 bits. */
static bool
is_narrow(int64_t count)
{
	return count < INT32_MAX / 2;
}

void
tsl_cuda_plan_band(struct tsl_cuda_plan *plan,
		   const struct tsl_set_diag_job *set, int64_t first, int64_t n)
{
	const struct tsl_set_diag_job *s = set;
	struct tsl_cuda_band_args *a = &plan->args.band;
	int64_t row_nbytes = s->band.ncols * s->width;
	int64_t width = 1, row, nrows;
	bool narrow;

	while (width < 16 && s->width % (2 * width) == 0 &&
	       first % (2 * width) == 0 && n % (2 * width) == 0)
		width *= 2;
	row = first / row_nbytes;
	nrows = (first + n - 1) / row_nbytes - row + 1;
	*a = (struct tsl_cuda_band_args){
		.n = n / width,
		.before = first % row_nbytes / width,
		.apart = blocks_for(nrows, TSL_CUDA_ROWS),
		.width = row_nbytes / width,
		.per = s->width / width,
		.row_in_matrix = row % s->band.nrows,
		.height = tsl_cuda_divide_by(s->band.nrows),
	};
	plan->image = TSL_CUDA_SET_DIAG;
	plan->kernel[0] = '\0';
	if (plan_columns(a, s, nrows, first, n) == 0)
		return;
	narrow = nrows < (INT32_MAX - 16) / a->band.count &&
		 is_narrow(s->band.nrows * a->per) && is_narrow(nrows) &&
		 is_narrow(a->width);
	snprintf(plan->kernel, sizeof(plan->kernel), "band%s_%d",
		 narrow ? "" : "_wide", (int)width);
	set_grid(plan, a->apart * a->band.count);
}

static char *
pointer(uint64_t address)
{
	return (char *)(uintptr_t)address;
}

void
tsl_cuda_place(struct tsl_cuda_plan *plan, uint64_t in, int64_t lo, int64_t hi,
	       uint64_t out)
{
	/* Added as numbers: it may lie far before what is there. */
	uint64_t origin = in - (uint64_t)lo;

	if (plan->image == TSL_CUDA_TRANSPOSE) {
		plan->args.tile.in = pointer(origin + (uint64_t)plan->base);
		plan->args.tile.out = pointer(out + (uint64_t)plan->out_base);
		return;
	}
	plan->args.view.in = pointer(origin + (uint64_t)plan->base);
	plan->args.view.out = pointer(out);
	if (plan->image != TSL_CUDA_GATHER)
		return;
	plan->args.view.lo = lo;
	plan->args.view.places =
		(uint64_t)tsl_max(hi - lo - plan->run_nbytes + 1, 0);
}
