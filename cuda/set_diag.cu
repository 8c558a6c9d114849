/*
 * set_diag.cu - matrix_set_diag: a band of new values over the matrices
 *
 * The matrices are in place already, as they were uploaded or as another
 * kernel wrote them; only the band is touched.
 */
#include "cuda/device.h"

template <typename T, typename I>
static __device__ inline void
put_unit(const tsl_cuda_band_args &a, I i)
{
	I row = divide(i, a.band);
	I s = i - row * (I)a.band.count;
	I x = row + (I)a.row_in_matrix;
	I r = x - divide(x, a.height) * (I)a.height.count;
	int64_t column = (int64_t)r * a.slope + a.shift + (int64_t)s;
	int64_t first = (int64_t)r * a.per; /* of the main diagonal */
	int64_t out = (a.row + (int64_t)row) * a.width + column - a.first;

	if (column >= 0 && column < a.width && column >= first + a.lower &&
	    column < first + a.upper && out >= 0 && out < a.n)
		store(a.out + out * (int)sizeof(T),
		      load<T>(a.side + (int64_t)i * (int)sizeof(T)));
}

template <typename T, typename I>
static __device__ inline void
put_band(const tsl_cuda_band_args &a)
{
	int64_t count = a.nrows * a.band.count;

	NO_UNROLL
	for (int64_t i = thread_number(); i < count; i += thread_count())
		put_unit<T, I>(a, (I)i);
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
