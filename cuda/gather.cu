/*
 * gather.cu - gather_nd: runs of bytes of a table, by their offsets
 *
 * The host proved every offset; a negative one stands for a run of zeros.  The
 * table comes in windows, one for each launch, which takes the runs that lie in
 * it.
 */
#include "words.h"

/* Compared as unsigned: no place is before 'lo'. */
static __device__ inline bool
in_window(const tsl_cuda_view_args &a, int64_t run)
{
	return (uint64_t)run - (uint64_t)a.lo < a.places;
}

struct in_table {
	template <int count>
	static __device__ inline void
	find(const tsl_cuda_view_args &a, uint32_t i, uint32_t by,
	     place p[count])
	{
		uint32_t n = (uint32_t)a.dim[0].by.count;
		uint32_t row[count];
		int64_t run[count];

		UNROLL
		for (int j = 0; j < count; j++) {
			row[j] = divide(i + j * by, a.dim[0].by);
			run[j] = a.run[row[j]];
		}
		UNROLL
		for (int j = 0; j < count; j++) {
			uint32_t unit = i + j * by - row[j] * n;

			p[j].left = n - unit;
			p[j].data = in_window(a, run[j]);
			p[j].here = p[j].data || run[j] < 0;
			p[j].at =
				a.in + run[j] + (int64_t)(unit * a.dim[0].gap);
		}
	}
};

/* ---- short runs of bytes ------------------------------------------------- */

/* A word that is put together of pieces of runs; they come in on top. */
struct word_of_runs {
	uint32_t row, from; /* the next byte: of which run, which of it */
	uint32_t missing; /* bytes */
	uint32_t w;
	unsigned absent; /* bit k: byte k is for another window */

	__device__ void
	begin(const tsl_cuda_view_args &a, uint32_t i)
	{
		row = divide(i, a.dim[0].by);
		from = i - row * (uint32_t)a.dim[0].by.count;
		missing = 4;
		w = absent = 0;
	}

	/* Bytes that the next run has for it. */
	__device__ uint32_t
	count(const tsl_cuda_view_args &a) const
	{
		uint32_t left = (uint32_t)a.dim[0].by.count - from;

		return left < missing ? left : missing;
	}

	__device__ uint32_t
	load_piece(const tsl_cuda_view_args &a, int64_t run)
	{
		if (in_window(a, run))
			return load_word(a.in + (run + from));
		if (run >= 0)
			absent |= ((1u << count(a)) - 1) << (4 - missing);
		return 0;
	}

	__device__ void
	append(const tsl_cuda_view_args &a, uint32_t piece)
	{
		uint32_t n = count(a);

		w = shift_in(w, piece, 8 * n);
		missing -= n;
		row++;
		from = 0;
	}
};

/* For all words at once, so that their loads are on their way together. */
static __device__ inline void
gather_bytes_at(const tsl_cuda_view_args &a, uint32_t i, uint32_t by)
{
	word_of_runs v[WORDS];
	uint32_t missing;

	UNROLL
	for (int j = 0; j < WORDS; j++)
		v[j].begin(a, i + j * by);
	NO_UNROLL
	do {
		int64_t run[WORDS];
		uint32_t piece[WORDS];

		missing = 0;
		UNROLL
		for (int j = 0; j < WORDS; j++)
			run[j] = v[j].missing ? a.run[v[j].row] : -1;
		UNROLL
		for (int j = 0; j < WORDS; j++)
			piece[j] = v[j].load_piece(a, run[j]);
		UNROLL
		for (int j = 0; j < WORDS; j++) {
			v[j].append(a, piece[j]);
			missing |= v[j].missing;
		}
	} while (missing);
	UNROLL
	for (int j = 0; j < WORDS; j++)
		store_word<uint8_t>(a.out + (i + j * by), v[j].w, v[j].absent);
}

template <typename T>
static __device__ inline void
gather(const tsl_cuda_view_args &a)
{
	if (!a.words)
		make_chunks<T, in_table, TSL_CUDA_FORWARD>(a);
	else if constexpr (sizeof(T) == 1)
		make_words<T, in_table>(a, gather_bytes_at);
	else if constexpr (sizeof(T) < 16)
		make_words<T, in_table>(a, make_words_at<T, in_table>);
}

/* ---- runs of one unit ---------------------------------------------------- */

/* Runs that a thread fetches side by side: a word of output, or a vector. */
template <typename T> struct group {
	static constexpr int most = 16 / (int)sizeof(T);
	static constexpr int n = most < TSL_CUDA_RUNS ? most : TSL_CUDA_RUNS;
	static constexpr int nbytes = n * (int)sizeof(T);

	union {
		typename unit_of<nbytes>::type all;
		T unit[n];
	};
};

/* n offsets, which lie where a pair of them is aligned. */
template <int n>
static __device__ inline void
load_runs(const int64_t *from, int64_t run[n])
{
	if constexpr (n == 1) {
		run[0] = from[0];
	} else {
		UNROLL
		for (int k = 0; k < n; k += 2) {
			vector16 two = load<vector16>((const char *)(from + k));

			run[k] = (int64_t)two.half[0];
			run[k + 1] = (int64_t)two.half[1];
		}
	}
}

/* Units i, i + 1, ..., of the runs at 'run'. */
template <typename T, int n>
static __device__ inline void
gather_group(const tsl_cuda_view_args &a, int64_t i, const int64_t run[n])
{
	char *out = a.out + i * (int)sizeof(T);
	unsigned absent = 0;
	group<T> v = {};

	UNROLL
	for (int k = 0; k < n; k++)
		if (in_window(a, run[k]))
			v.unit[k] = load<T>(a.in + run[k]);
		else if (run[k] >= 0)
			absent |= 1u << k;
	if (n == group<T>::n && absent == 0) {
		store(out, v.all);
		return;
	}
	UNROLL
	for (int k = 0; k < n; k++)
		if (!(absent >> k & 1))
			store(out + k * (int)sizeof(T), v.unit[k]);
}

template <typename T>
static __device__ inline void
gather_single(const tsl_cuda_view_args &a)
{
	constexpr int n = group<T>::n;
	int64_t i = thread_number() * n;
	int64_t run[n];

	NO_UNROLL
	for (; i <= a.n - n; i += thread_count() * n) {
		load_runs<n>(a.run + i, run);
		gather_group<T, n>(a, i, run);
	}
	NO_UNROLL
	for (; i < a.n; i++)
		gather_group<T, 1>(a, i, a.run + i);
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
