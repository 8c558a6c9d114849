/*
 * slice.cu - strided_slice: the elements of a view, in order
 */
#include "words.h"

/*
 * Of an index in a dim only the quotient is looked for; what is left over is
 * in the gaps.
 */
struct in_view {
	template <int count>
	static __device__ inline void
	find(const tsl_cuda_view_args &a, uint32_t i, uint32_t by,
	     place p[count])
	{
		uint32_t x[count];
		uint64_t offset[count];

		UNROLL
		for (int j = 0; j < count; j++) {
			uint32_t unit = i + j * by;

			x[j] = divide(unit, a.dim[0].by);
			p[j].left =
				(x[j] + 1) * (uint32_t)a.dim[0].by.count - unit;
			p[j].here = p[j].data = true;
			offset[j] = unit * a.dim[0].gap + x[j] * a.dim[1].gap;
		}
		NO_UNROLL
		for (int d = 2; d < a.ndim; d++) {
			UNROLL
			for (int j = 0; j < count; j++) {
				x[j] = divide(x[j], a.dim[d - 1].by);
				offset[j] += x[j] * a.dim[d].gap;
			}
		}
		UNROLL
		for (int j = 0; j < count; j++)
			p[j].at = a.in + (int64_t)offset[j];
	}
};

/* Steps between wide units take the general way: a vector holds few. */
template <typename T>
static __device__ inline void
slice_vectors(const tsl_cuda_view_args &a)
{
	constexpr bool narrow = sizeof(T) <= 4;

	if (a.step == TSL_CUDA_FORWARD)
		make_chunks<T, in_view, TSL_CUDA_FORWARD>(a);
	else if (a.step == TSL_CUDA_BACKWARD)
		make_chunks<T, in_view, TSL_CUDA_BACKWARD>(a);
	else if (narrow && a.step == TSL_CUDA_EVERY_2)
		make_chunks<T, in_view,
			    narrow ? TSL_CUDA_EVERY_2 : TSL_CUDA_ANY>(a);
	else if (narrow && a.step == TSL_CUDA_EVERY_3)
		make_chunks<T, in_view,
			    narrow ? TSL_CUDA_EVERY_3 : TSL_CUDA_ANY>(a);
	else if (narrow && a.step == TSL_CUDA_EVERY_4)
		make_chunks<T, in_view,
			    narrow ? TSL_CUDA_EVERY_4 : TSL_CUDA_ANY>(a);
	else
		make_chunks<T, in_view, TSL_CUDA_ANY>(a);
}

template <typename T>
static __device__ inline void
slice(const tsl_cuda_view_args &a)
{
	if constexpr (sizeof(T) < 16)
		if (a.words) {
			make_words<T, in_view>(a, make_words_at<T, in_view>);
			return;
		}
	slice_vectors<T>(a);
}

/* Four blocks at once; left to itself the compiler spills in slice_2. */
#define KERNELS(width)                                                      \
	extern "C" __global__ void __launch_bounds__(TSL_CUDA_THREADS, 4)   \
		slice_##width(const __grid_constant__ tsl_cuda_view_args a) \
	{                                                                   \
		THREADS(slice<unit_of<width>::type>(a));                    \
	}

KERNELS(1)
KERNELS(2)
KERNELS(4)
KERNELS(8)
KERNELS(16)
