/*
 * args.h - what the host tells a kernel: the one argument that each takes
 *
 * Shared by the host's C and the device code.  Counts are in units, offsets
 * and strides in BYTES.  A unit is 1, 2, 4, 8 or 16 bytes: an element, or as
 * much more as always stays together.  Units are aligned to their size.
 */
#ifndef TSL_CUDA_ARGS_H
#define TSL_CUDA_ARGS_H

#include <stdint.h>

/* As many dims of more than 1 as an array of at most 2^63 bytes can have. */
#define TSL_CUDA_DIMS 66

/*
 * Bytes that kernels may read past the end of the input, and throw away: they
 * look at whole vectors of 16 bytes, four at the most, that need not end with
 * the data.  Before the data they only look back to a multiple of 16.
 */
#define TSL_CUDA_PAD 64

/* Units that one side of a tile is long in words of 4 bytes or more. */
#define TSL_CUDA_TILE 32
#define TSL_CUDA_TILE_ROWS 8 /* threads: TILE x TILE_ROWS */
#define TSL_CUDA_THREADS 256 /* of a block of any other kernel */
#define TSL_CUDA_VECTORS 4 /* 16-byte vectors that a thread makes */
#define TSL_CUDA_RUNS 4 /* of one unit, that a thread fetches at once */
#define TSL_CUDA_ROWS 4 /* of a band, that a thread writes */

/*
 * x / count as (x * magic) >> shift, for x and count below 2^31.  'magic' is
 * 2^shift / count rounded up, with so many bits that the error, less than
 * x / 2^shift, never reaches the next multiple of 1 / count.
 */
struct tsl_cuda_divisor {
	int64_t count;
	uint32_t magic;
	uint32_t shift;
};

struct tsl_cuda_dim {
	struct tsl_cuda_divisor by; /* units or indices along it */
	/*
	 * From the end of what is along the dim inside of it to where it goes
	 * on; of the innermost, from unit to unit.  As unsigned: it wraps.
	 */
	uint64_t gap;
};

/* How the units of a row follow one another. */
enum tsl_cuda_step {
	TSL_CUDA_FORWARD, /* side by side */
	TSL_CUDA_BACKWARD, /* side by side, the last first */
	TSL_CUDA_EVERY_2,
	TSL_CUDA_EVERY_3,
	TSL_CUDA_EVERY_4,
	TSL_CUDA_ANY,
};

/* slice_*, gather_*: units of a view, in order, densely. */
struct tsl_cuda_view_args {
	char *out;
	const char *in; /* slice: the unit whose indices are all 0 */
	int64_t n; /* units, less than 2^31 */
	int32_t ndim; /* > 0 */
	int16_t step; /* enum tsl_cuda_step */
	int16_t words; /* rows are short: many vectors would be of two */
	struct tsl_cuda_dim dim[TSL_CUDA_DIMS]; /* the innermost first: rows */
	/*
	 * gather only: for each row its offset in the table; negative: zeros.
	 * Taken are those that begin at one of the 'places' from 'lo' on: they
	 * lie in what there is of the table.
	 */
	const int64_t *run;
	int64_t lo;
	uint64_t places;
};

/* A dim that says which tile, outside of the tile's own two. */
struct tsl_cuda_outer {
	struct tsl_cuda_divisor by;
	int64_t in, out; /* strides: bytes of input, units of output */
};

/* transpose_*: a view in tiles, through shared memory. */
struct tsl_cuda_tile_args {
	char *out;
	const char *in;
	int64_t width, height; /* units: along the output, along the input */
	int64_t in_step; /* bytes in the input, unit to unit along width */
	/*
	 * Units in the output, along height: less than 0, if units that lie
	 * side by side are wanted from the last to the first.
	 */
	int64_t out_stride;
	struct tsl_cuda_divisor across, down; /* tiles: width, height */
	int32_t skewed; /* rows of output may begin within a word */
	int32_t nouter;
	struct tsl_cuda_outer outer[TSL_CUDA_DIMS]; /* the fastest last */
};

/* band_*: writes the new values of diagonals over a copy of the matrices. */
struct tsl_cuda_band_args {
	char *out;
	const char *side; /* rows of 'band' units */
	int64_t n; /* units of the output that are wanted */
	int64_t before; /* units of the first row that go before them */
	int64_t apart; /* rows of side, between those a thread writes */
	int64_t width; /* units in a matrix row */
	/*
	 * Row r of a matrix: its columns that are in the band are [r * per +
	 * lower, r * per + upper), and its row of side begins with column
	 * r * slope + shift.  All in units.
	 */
	int64_t per; /* of an element */
	int64_t lower, upper;
	int64_t slope, shift;
	int64_t row_in_matrix; /* of the first row of side */
	struct tsl_cuda_divisor band; /* units of a row of side */
	struct tsl_cuda_divisor height; /* rows of a matrix */
};

#endif /* TSL_CUDA_ARGS_H */
