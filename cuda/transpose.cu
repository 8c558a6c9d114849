/*
 * transpose.cu - views whose elements lie side by side along another dim than
 * the innermost, in tiles
 *
 * A tile is read along the input and written along the output, both in whole
 * lines, and turned round in shared memory.  Small units go through it by the
 * word, four bytes; turning those of a few words is work for registers.  A
 * thread has all it reads on its way before it writes any.  A block makes a
 * tile.
 *
 * Word w of column c lies in the row of slots of that column, at w ^ c / per:
 * in either phase the threads of a warp then meet no bank of shared memory
 * twice.
 *
 * Rows of output need not begin with a word.  Then each row of a tile begins
 * as many units earlier as make it do so, less than a word: columns of the tile
 * to the left, which this one reads too, and that one does not write.
 */
#include "vector.h"

template <typename T> struct tile {
	static constexpr int per = sizeof(T) < 4 ? 4 / (int)sizeof(T) : 1;
	static constexpr int before = per > 1 ? per : 0; /* columns */
	static constexpr int side = TSL_CUDA_TILE * per; /* units */
	static constexpr int step = TSL_CUDA_TILE_ROWS; /* between a thread's */
	static constexpr int n = side / step; /* words of a thread */
	static constexpr int bits = 8 * (int)sizeof(T);
	typedef typename unit_of<sizeof(T) < 4 ? 4 : sizeof(T)>::type word;
};

/* Where a tile begins, and what of it there is. */
struct corner {
	const char *in;
	int64_t out; /* units of the box */
	int columns, rows; /* along width, along height */
	bool leftmost;
};

static __device__ inline int
left_of(int64_t total, int64_t begin, int side)
{
	return (int)(total - begin < side ? total - begin : side);
}

template <typename T>
static __device__ inline corner
find_corner(const tsl_cuda_tile_args &a, uint32_t number)
{
	constexpr int side = tile<T>::side;
	int64_t column = (int64_t)split(&number, a.across) * side;
	int64_t row = (int64_t)split(&number, a.down) * side;
	corner c;

	c.columns = left_of(a.width, column, side);
	c.rows = left_of(a.height, row, side);
	c.leftmost = column == 0;
	c.in = a.in + (column * a.in_step + row * (int)sizeof(T));
	c.out = column + row * a.out_stride;
	NO_UNROLL
	for (int d = a.nouter - 1; d >= 0; d--) {
		int64_t i = split(&number, a.outer[d].by);

		c.in += i * a.outer[d].in;
		c.out += i * a.outer[d].out;
	}
	return c;
}

/* Words that hold a square of bytes, turned round: v[i], byte j is v[j], i. */
static __device__ inline void
turn_bytes(uint32_t v[4])
{
	uint32_t a = permute(v[0], v[1], 0x5140),
		 b = permute(v[2], v[3], 0x5140);
	uint32_t c = permute(v[0], v[1], 0x7362),
		 d = permute(v[2], v[3], 0x7362);

	v[0] = permute(a, b, 0x5410);
	v[1] = permute(a, b, 0x7632);
	v[2] = permute(c, d, 0x5410);
	v[3] = permute(c, d, 0x7632);
}

static __device__ inline void
turn_halves(uint32_t v[2])
{
	uint32_t a = v[0];

	v[0] = permute(a, v[1], 0x5410);
	v[1] = permute(a, v[1], 0x7632);
}

/* The slots of a column; the first are for a word's columns to the left. */
template <typename T>
static __device__ inline typename tile<T>::word *
slots(typename tile<T>::word *shared, int column)
{
	return shared + (column + tile<T>::before) * TSL_CUDA_TILE;
}

/* ---- reading ------------------------------------------------------------- */

/*
 * A thread's words: of columns y, y + step, ..., those that are there; 'p' is
 * where the word of column 0 of the tile begins.
 */
template <typename T, bool aligned>
static __device__ inline void
load_words(const tsl_cuda_tile_args &a, const corner &c, const char *p,
	   typename tile<T>::word *shared)
{
	constexpr int per = tile<T>::per, step = tile<T>::step;
	int x = (int)threadIdx.x, y = (int)threadIdx.y;
	const char *at = p + y * a.in_step;
	int64_t jump = step * a.in_step;
	typename tile<T>::word v[tile<T>::n] = {};

	UNROLL
	for (int k = 0; k < tile<T>::n; k++, at += jump) {
		if (y + k * step >= c.columns)
			continue;
		if constexpr (aligned)
			v[k] = load<typename tile<T>::word>(at);
		else
			v[k] = load_word(at);
	}
	UNROLL
	for (int k = 0; k < tile<T>::n; k++)
		slots<T>(shared, y + k * step)[x ^ y / per ^ k * step / per] =
			v[k];
}

/* The columns before the tile's first. */
template <typename T>
static __device__ inline void
load_before(const tsl_cuda_tile_args &a, const corner &c, const char *p,
	    typename tile<T>::word *shared)
{
	int column = (int)threadIdx.y - tile<T>::per;

	if (c.leftmost || column >= c.columns || column >= 0)
		return;
	slots<T>(shared, column)[threadIdx.x ^ (TSL_CUDA_TILE - 1)] =
		load_word(p + column * a.in_step);
}

/* A word is read whole, though there may be less rows. */
template <typename T>
static __device__ inline void
load_tile(const tsl_cuda_tile_args &a, const corner &c,
	  typename tile<T>::word *shared)
{
	int row = (int)threadIdx.x * tile<T>::per;
	const char *p = c.in + row * (int)sizeof(T);

	if (row >= c.rows)
		return;
	if constexpr (tile<T>::per > 1) {
		if (a.skewed)
			load_before<T>(a, c, p, shared);
		if (((uintptr_t)p | (uintptr_t)a.in_step) % 4 != 0) {
			load_words<T, false>(a, c, p, shared);
			return;
		}
	}
	load_words<T, true>(a, c, p, shared);
}

/* ---- writing ------------------------------------------------------------- */

/* Word w of the columns of word x of the output, turned: a word of each row. */
template <typename T>
static __device__ inline void
turn_words(typename tile<T>::word v[], typename tile<T>::word *shared, int x,
	   int w)
{
	UNROLL
	for (int k = 0; k < tile<T>::per; k++)
		v[k] = slots<T>(shared,
				x * tile<T>::per +
					k)[w ^ (x & (TSL_CUDA_TILE - 1))];
	if constexpr (sizeof(T) == 1)
		turn_bytes(v);
	else if constexpr (sizeof(T) == 2)
		turn_halves(v);
}

/* Units [from, to) of a word; from and to may lie outside of it. */
template <typename T>
static __device__ inline void
store_units(char *p, typename tile<T>::word w, int from, int to)
{
	if (from <= 0 && to >= tile<T>::per) {
		store(p, w);
		return;
	}
	if constexpr (tile<T>::per > 1)
		for (int k = 0; k < tile<T>::per; k++)
			if (k >= from && k < to)
				store(p + k * (int)sizeof(T),
				      (T)(w >> k * tile<T>::bits));
}

/* The words of rows that begin where words do. */
template <typename T>
static __device__ inline void
store_rows(const corner &c, char *p, int64_t jump,
	   typename tile<T>::word *shared)
{
	constexpr int per = tile<T>::per, step = tile<T>::step;
	int x = (int)threadIdx.x, y = (int)threadIdx.y;
	int columns = c.columns - x * per;
	typename tile<T>::word v[tile<T>::n];

	if (columns <= 0)
		return;
	UNROLL
	for (int k = 0; k < TSL_CUDA_TILE / step; k++)
		turn_words<T>(v + k * per, shared, x, y + k * step);
	UNROLL
	for (int k = 0; k < TSL_CUDA_TILE / step; k++) {
		UNROLL
		for (int j = 0; j < per; j++, p += jump)
			if ((y + k * step) * per + j < c.rows)
				store_units<T>(p, v[k * per + j], 0, columns);
		p += (step - 1) * per * jump;
	}
}

/*
 * The words of any rows: what two words hold of it, shifted together.  The
 * rows of a thread begin within a word at the same place as its first ones do.
 */
template <typename T>
static __device__ inline void
store_skewed_rows(const corner &c, char *p, int64_t jump,
		  typename tile<T>::word *shared)
{
	constexpr int per = tile<T>::per, step = tile<T>::step;
	int x = (int)threadIdx.x, w = (int)threadIdx.y;
	int columns = c.columns - x * per;
	bool first = c.leftmost && x == 0; /* none is to the left */
	bool whole = columns >= per && !first;
	int skew[per]; /* bytes */
	char *at[per];

	UNROLL
	for (int j = 0; j < per; j++) {
		skew[j] = (int)((uintptr_t)(p + j * jump) % 4);
		at[j] = p + j * jump - skew[j];
	}
	if (columns <= -per)
		return;
	NO_UNROLL
	for (int rows = c.rows - w * per; rows > 0; rows -= step * per) {
		uint32_t v[per], before[per];

		turn_words<T>(v, shared, x, w);
		turn_words<T>(before, shared, x - 1, w);
		w += step;
		UNROLL
		for (int j = 0; j < per; j++) {
			int units = skew[j] / (int)sizeof(T);
			uint32_t both =
				shift_left(before[j], v[j], 8 * skew[j]);

			if (j < rows && whole)
				store(at[j], both);
			else if (j < rows)
				store_units<T>(at[j], both, first ? units : 0,
					       columns + units);
			at[j] += step * per * jump;
		}
	}
}

template <typename T>
static __device__ inline void
store_tile(const tsl_cuda_tile_args &a, const corner &c,
	   typename tile<T>::word *shared)
{
	constexpr int per = tile<T>::per;
	int64_t out = c.out + (int)threadIdx.x * per +
		      (int)threadIdx.y * per * a.out_stride;
	char *p = a.out + out * (int)sizeof(T);
	int64_t jump = a.out_stride * (int)sizeof(T);

	if constexpr (per > 1)
		if (a.skewed) {
			store_skewed_rows<T>(c, p, jump, shared);
			return;
		}
	store_rows<T>(c, p, jump, shared);
}

template <typename T>
static __device__ inline void
transpose(const tsl_cuda_tile_args &a)
{
	constexpr int columns = tile<T>::before + tile<T>::side;
	__shared__ typename tile<T>::word shared[columns * TSL_CUDA_TILE];
	const corner c = find_corner<T>(a, blockIdx.x);

	THREADS(load_tile<T>(a, c, shared));
	SYNC();
	THREADS(store_tile<T>(a, c, shared));
}

#define KERNEL(width)                                                 \
	extern "C" __global__ void __launch_bounds__(                 \
		TSL_CUDA_TILE *TSL_CUDA_TILE_ROWS)                    \
		transpose_##width(                                    \
			const __grid_constant__ tsl_cuda_tile_args a) \
	{                                                             \
		transpose<unit_of<width>::type>(a);                   \
	}

KERNEL(1)
KERNEL(2)
KERNEL(4)
KERNEL(8)
KERNEL(16)
