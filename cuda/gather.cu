/*
 * gather.cu - gather_nd: runs of bytes of a table, by their offsets
 *
 * The host proved every offset; a negative one stands for a run of zeros.  The
 * table comes in windows, one for each launch, which takes the runs that lie in
 * it.
 */
#include "cuda/words.h"

static __device__ inline bool
in_window(const tsl_cuda_view_args &a, int64_t run)
{
	return run < 0 || (run >= a.lo && run + a.nbytes <= a.hi);
}

struct in_table {
	static __device__ inline place
	find(const tsl_cuda_view_args &a, uint32_t i)
	{
		int64_t offset = 0;
		place p;
		int64_t run = a.run[unravel(a, i, &offset, &p)];

		p.here = in_window(a, run);
		p.at = p.here && run >= 0 ? a.in + (run + offset) : nullptr;
		return p;
	}

	static constexpr bool everywhere = false;

	static __device__ inline void
	next_row(const tsl_cuda_view_args &a, const row_shape &, uint32_t i,
		 place *p)
	{
		*p = find(a, i);
	}
};

template <typename T>
static __device__ inline void
gather(const tsl_cuda_view_args &a)
{
	if constexpr (sizeof(T) >= 4 && sizeof(T) < 16)
		if (a.step == TSL_CUDA_SHORT) {
			make_words<T, in_table>(a);
			return;
		}
	make_chunks<T, in_table, TSL_CUDA_FORWARD>(a);
}

/*
 * Runs of one unit: a vector of output is of several, which are fetched side
 * by side, not one after the other.
 */
template <typename T>
static __device__ inline void
gather_units(const tsl_cuda_view_args &a, int64_t i)
{
	constexpr int n = 16 / (int)sizeof(T);
	bool here[n], all = i <= a.n - n;
	units<T> v;

	UNROLL
	for (int k = 0; k < n; k++) {
		int64_t run = i + k < a.n ? a.run[i + k] : -1;

		here[k] = i + k < a.n && in_window(a, run);
		all = all && here[k];
		v.unit[k] = T();
		if (here[k] && run >= 0)
			v.unit[k] = load<T>(a.in + run);
	}
	if (all) {
		store(a.out + i * (int)sizeof(T), v.all);
		return;
	}
	UNROLL
	for (int k = 0; k < n; k++)
		if (here[k])
			store(a.out + (i + k) * (int)sizeof(T), v.unit[k]);
}

template <typename T>
static __device__ inline void
gather_single(const tsl_cuda_view_args &a)
{
	constexpr int n = 16 / (int)sizeof(T);

	NO_UNROLL
	for (int64_t i = thread_number() * n; i < a.n; i += thread_count() * n)
		gather_units<T>(a, i);
}

/* Four blocks at once; left to itself the compiler spills in gather_1. */
#define KERNEL(name, call)                                                \
	extern "C" __global__ void __launch_bounds__(TSL_CUDA_THREADS, 4) \
		name(const __grid_constant__ tsl_cuda_view_args a)        \
	{                                                                 \
		THREADS(call(a));                                         \
	}
#define KERNELS(width)                                       \
	KERNEL(gather_##width, gather<unit_of<width>::type>) \
	KERNEL(gather_single_##width, gather_single<unit_of<width>::type>)

KERNELS(1)
KERNELS(2)
KERNELS(4)
KERNELS(8)
KERNELS(16)
