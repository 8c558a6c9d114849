/*
 * transpose.cu - views whose elements lie side by side along another dim than
 * the innermost, in tiles
 *
 * A tile is read along the input and written along the output, both in whole
 * lines, and turned round in shared memory.  Small units go through it by the
 * word, four bytes; turning those of a few words is work for registers.
 *
 * Word w of column c lies at slot c * TILE + (w ^ c / per): in either phase
 * the threads of a warp then meet no bank of shared memory twice.
 */
#include "cuda/device.h"

template <typename T> struct tile {
	static constexpr int per = sizeof(T) < 4 ? 4 / (int)sizeof(T) : 1;
	static constexpr int side = TSL_CUDA_TILE * per; /* units */
	static constexpr int bits = sizeof(T) < 4 ? 8 * (int)sizeof(T) : 0;
	typedef typename unit_of<sizeof(T) < 4 ? 4 : sizeof(T)>::type word;
};

/* Where a tile begins. */
struct corner {
	const char *in;
	int64_t out; /* units of the box */
	int64_t column, row; /* along width, along height */
};

static __device__ inline uint32_t
split(uint32_t *x, const tsl_cuda_divisor &by)
{
	uint32_t q = divide(*x, by);
	uint32_t r = *x - q * (uint32_t)by.count;

	*x = q;
	return r;
}

static __device__ inline corner
find_corner(const tsl_cuda_tile_args &a, int64_t number, int side)
{
	uint32_t x = (uint32_t)number;
	corner c;

	c.column = (int64_t)split(&x, a.across) * side;
	c.row = (int64_t)split(&x, a.down) * side;
	c.in = a.in + (c.column * a.in_step + c.row * a.in_stride);
	c.out = c.column + c.row * a.out_stride;
	for (int d = a.nouter - 1; d >= 0; d--) {
		int64_t i = split(&x, a.outer[d].by);

		c.in += i * a.outer[d].in;
		c.out += i * a.outer[d].out;
	}
	return c;
}

/* What has no whole word is left to the units, one by one. */
template <typename T>
static __device__ inline typename tile<T>::word
load_word(const tsl_cuda_tile_args &a, const corner &c, int column, int row)
{
	constexpr int per = tile<T>::per;
	typedef typename tile<T>::word word;
	const char *p = c.in + (column * a.in_step + row * a.in_stride);
	int64_t left = a.height - c.row - row;
	word w = word();

	if (left >= per &&
	    (per == 1 || (a.in_stride > 0 && (uintptr_t)p % sizeof(w) == 0)))
		return load<word>(p);
	if constexpr (per > 1)
		for (int k = 0; k < per && k < left; k++)
			w |= (word)load<T>(p + k * a.in_stride)
			     << k * tile<T>::bits;
	return w;
}

template <typename T>
static __device__ inline void
load_tile(const tsl_cuda_tile_args &a, int64_t number,
	  typename tile<T>::word *shared)
{
	constexpr int per = tile<T>::per;
	const corner c = find_corner(a, number, tile<T>::side);
	int w = threadIdx.x;

	UNROLL_4
	for (int i = threadIdx.y; i < tile<T>::side; i += TSL_CUDA_TILE_ROWS)
		if (c.column + i < a.width)
			shared[i * TSL_CUDA_TILE + (w ^ i / per)] =
				load_word<T>(a, c, i, w * per);
}

template <typename T>
static __device__ inline void
store_word(const tsl_cuda_tile_args &a, const corner &c, int column, int row,
	   typename tile<T>::word w)
{
	constexpr int per = tile<T>::per;
	int64_t out = c.out + column + row * a.out_stride;
	int64_t left = a.width - c.column - column;
	char *p = a.out + out * (int)sizeof(T);

	if (c.row + row >= a.height)
		return;
	if (left >= per && (uintptr_t)p % sizeof(w) == 0) {
		store(p, w);
		return;
	}
	if constexpr (per > 1)
		for (int k = 0; k < per && k < left; k++)
			store(p + k * (int)sizeof(T),
			      (T)(w >> k * tile<T>::bits));
}

/* Word w of 'per' columns, turned round: a word of 'per' rows. */
template <typename T>
static __device__ inline void
store_words(const tsl_cuda_tile_args &a, const corner &c, int w,
	    const typename tile<T>::word *shared)
{
	constexpr int per = tile<T>::per;
	int x = threadIdx.x;
	typename tile<T>::word from[per];

	UNROLL
	for (int k = 0; k < per; k++)
		from[k] = shared[(x * per + k) * TSL_CUDA_TILE + (w ^ x)];
	if constexpr (per == 1) {
		store_word<T>(a, c, x, w, from[0]);
		return;
	} else {
		UNROLL
		for (int j = 0; j < per; j++) {
			uint32_t to = 0;

			UNROLL
			for (int k = 0; k < per; k++)
				to |= (uint32_t)(T)(from[k] >>
						    j * tile<T>::bits)
				      << k * tile<T>::bits;
			store_word<T>(a, c, x * per, w * per + j, to);
		}
	}
}

template <typename T>
static __device__ inline void
store_tile(const tsl_cuda_tile_args &a, int64_t number,
	   const typename tile<T>::word *shared)
{
	const corner c = find_corner(a, number, tile<T>::side);

	UNROLL_4
	for (int w = threadIdx.y; w < TSL_CUDA_TILE; w += TSL_CUDA_TILE_ROWS)
		store_words<T>(a, c, w, shared);
}

template <typename T>
static __device__ inline void
transpose(const tsl_cuda_tile_args &a)
{
	__shared__ typename tile<T>::word shared[tile<T>::side * TSL_CUDA_TILE];

	for (int64_t i = blockIdx.x; i < a.ntiles; i += gridDim.x) {
		THREADS(load_tile<T>(a, i, shared));
		SYNC();
		THREADS(store_tile<T>(a, i, shared));
		SYNC();
	}
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
