/*
 * slice.cu - strided_slice: the elements of a view, in order
 */
#include "cuda/words.h"

struct in_view {
	static __device__ inline place
	find(const tsl_cuda_view_args &a, uint32_t i)
	{
		int64_t offset = a.base;
		place p;

		offset += (int64_t)unravel(a, i, &offset, &p) * a.dim[0].stride;
		p.at = a.in + offset;
		p.here = true;
		return p;
	}

	static constexpr bool everywhere = true;

	/* Where the next row begins: mostly that takes no division. */
	static __device__ inline void
	next_row(const tsl_cuda_view_args &a, const row_shape &row, uint32_t i,
		 place *p)
	{
		if (p->rows <= 1) {
			*p = find(a, i);
			return;
		}
		p->rows--;
		p->left = row.count;
		p->at += row.gap;
	}
};

/* Steps between wide units take the general way: a vector holds few. */
template <typename T>
static __device__ inline void
slice(const tsl_cuda_view_args &a)
{
	constexpr bool narrow = sizeof(T) <= 4;

	if constexpr (sizeof(T) < 16)
		if (a.step == TSL_CUDA_SHORT) {
			make_words<T, in_view>(a);
			return;
		}
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

#define KERNELS(width)                                                      \
	extern "C" __global__ void __launch_bounds__(TSL_CUDA_THREADS)      \
		slice_##width(const __grid_constant__ tsl_cuda_view_args a) \
	{                                                                   \
		THREADS(slice<unit_of<width>::type>(a));                    \
	}

KERNELS(1)
KERNELS(2)
KERNELS(4)
KERNELS(8)
KERNELS(16)
