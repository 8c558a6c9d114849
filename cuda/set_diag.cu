/*
 * set_diag.cu - matrix_set_diag: a band of new values over the matrices
 *
 * The matrices are in place already, as they were uploaded or as another
 * kernel wrote them; only the band is touched.
 */
#include "device.h"

/*
 * Where unit s of row 'row' of side belongs, if it is wanted; rows behind the
 * last belong behind the output.  I is unsigned: what would be negative is too
 * large.
 */
template <typename I>
static __device__ inline bool
find_unit(const tsl_cuda_band_args &a, I row, I s, uint64_t *out)
{
	I x = row + (I)a.row_in_matrix;
	I r = x - divide(x, a.height) * (I)a.height.count;
	I column = r * (I)a.slope + (I)a.shift + s;
	I in_band = column - r * (I)a.per - (I)a.lower;

	*out = (uint64_t)row * (I)a.width + column - (uint64_t)a.before;
	return in_band < (I)(a.upper - a.lower) && column < (I)a.width &&
	       *out < (uint64_t)a.n;
}

/* Unit i of the first rows, and those of the rows so far apart. */
template <typename T, typename I>
static __device__ inline void
put_units(const tsl_cuda_band_args &a, I i)
{
	I row = divide(i, a.band);
	I s = i - row * (I)a.band.count;
	uint64_t out[TSL_CUDA_ROWS];
	bool wanted[TSL_CUDA_ROWS];
	T x[TSL_CUDA_ROWS] = {};

	/* All loads before the first store, so that all are on their way. */
	UNROLL
	for (int k = 0; k < TSL_CUDA_ROWS; k++) {
		uint64_t from = (uint64_t)row * (I)a.band.count + s;

		wanted[k] = find_unit<I>(a, row, s, &out[k]);
		if (wanted[k])
			x[k] = load<T>(a.side + from * sizeof(T));
		row += (I)a.apart;
	}
	UNROLL
	for (int k = 0; k < TSL_CUDA_ROWS; k++)
		if (wanted[k])
			store(a.out + out[k] * sizeof(T), x[k]);
}

template <typename T, typename I>
static __device__ inline void
put_band(const tsl_cuda_band_args &a)
{
	int64_t count = a.apart * a.band.count;

	NO_UNROLL
	for (int64_t i = thread_number(); i < count; i += thread_count())
		put_units<T, I>(a, (I)i);
}

#define KERNEL(name, call)                                             \
	extern "C" __global__ void __launch_bounds__(TSL_CUDA_THREADS) \
		name(const __grid_constant__ tsl_cuda_band_args a)     \
	{                                                              \
		THREADS(call(a));                                      \
	}
#define NARROW(T) put_band<T, uint32_t>
#define WIDE(T) put_band<T, uint64_t>
#define KERNELS(width)                                       \
	KERNEL(band_##width, (NARROW(unit_of<width>::type))) \
	KERNEL(band_wide_##width, (WIDE(unit_of<width>::type)))

KERNELS(1)
KERNELS(2)
KERNELS(4)
KERNELS(8)
KERNELS(16)
