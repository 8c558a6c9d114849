/*
 * plan.h - which kernel makes a block, how many threads, and what they are told
 *
 * Pure: nothing here knows the driver.  A plan leaves out where the bytes are;
 * its offsets are those of the op's input.  Sizes are in BYTES.
 */
#ifndef TSL_CUDA_PLAN_H
#define TSL_CUDA_PLAN_H

#include "args.h"
#include "lib/op/set_diag.h"
#include "lib/view/view.h"

/* The files of device code, each a module. */
enum tsl_cuda_image {
	TSL_CUDA_SLICE,
	TSL_CUDA_GATHER,
	TSL_CUDA_TRANSPOSE,
	TSL_CUDA_SET_DIAG,
	TSL_CUDA_IMAGES,
};

struct tsl_cuda_plan {
	enum tsl_cuda_image image;
	char kernel[24]; /* "": none, the output is input from 'run' on */
	int64_t run;
	unsigned grid; /* blocks */
	unsigned block_x, block_y; /* threads of a block */
	union {
		struct tsl_cuda_view_args view; /* and runs */
		struct tsl_cuda_tile_args tile;
		struct tsl_cuda_band_args band;
	} args;
	int64_t base; /* views: input offset of the unit with indices 0 */
	int64_t out_base; /* tiles: and where in the output it goes */
	int64_t run_nbytes; /* runs: of each */
};

/* tsl_cuda_divide_by() prepares divisions by 'count', > 0. */
struct tsl_cuda_divisor tsl_cuda_divide_by(int64_t count);

/* More than this is not planned at once: kernels count with 31 bits. */
#define TSL_CUDA_MAX_BLOCK ((int64_t)INT32_MAX - 4095)

/* tsl_cuda_plan_view() plans the elements of a view, in order. */
void tsl_cuda_plan_view(struct tsl_cuda_plan *plan,
			const struct tsl_view *view);

/*
 * tsl_cuda_plan_runs() plans n runs of 'nbytes' of a table, in units of 'width'
 * bytes, of which their size and all their offsets are multiples.
 */
void tsl_cuda_plan_runs(struct tsl_cuda_plan *plan, int64_t nbytes,
			int64_t width, int64_t n);

/*
 * tsl_cuda_plan_band() plans what of output bytes [first, first + n) is new,
 * over the rest; no kernel, if nothing is.
 */
void tsl_cuda_plan_band(struct tsl_cuda_plan *plan,
			const struct tsl_set_diag_job *set, int64_t first,
			int64_t n);

/*
 * tsl_cuda_place() tells the kernel of a view or of runs where input bytes
 * [lo, hi) are, and where to write to; addresses of the device.
 */
void tsl_cuda_place(struct tsl_cuda_plan *plan, uint64_t in, int64_t lo,
		    int64_t hi, uint64_t out);

#endif /* TSL_CUDA_PLAN_H */
