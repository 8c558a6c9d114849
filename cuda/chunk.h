/*
 * chunk.h - units of a view, in order, a vector of output at a time
 *
 * A thread makes whole 16-byte vectors of output: it finds out once where the
 * first unit of a vector lies, which takes a division for each dim.  Mostly
 * the others are of the same row, and are loaded in vectors too; where they
 * mostly are not, see words.h.
 *
 * A block is of less than 2^31 units.  WHERE says where units lie; see
 * slice.cu and gather.cu.
 */
#ifndef TSL_CUDA_CHUNK_H
#define TSL_CUDA_CHUNK_H

#include "vector.h"

/* Where a unit lies. */
struct place {
	const char *at;
	uint32_t left; /* units of its row from here on */
	bool here; /* false: it is for another window */
	bool data; /* something is at 'at'; if not, it is zero */
};

/* A walk from unit to unit. */
template <typename T, typename WHERE> struct walk {
	const tsl_cuda_view_args &a;
	place p;

	__device__ explicit walk(const tsl_cuda_view_args &args) : a(args)
	{
		p.left = 0;
	}

	/* next() says whether unit i, one behind the last, is here. */
	__device__ bool
	next(uint32_t i, T *x)
	{
		if (p.left == 0)
			WHERE::template find<1>(a, i, 0, &p);
		p.left--;
		*x = T();
		if (p.data)
			*x = load<T>(p.at);
		p.at += (int64_t)a.dim[0].gap;
		return p.here;
	}
};

/* Units [i, end), at most a vector, one by one. */
template <typename T, typename WHERE>
static __device__ inline void
make_units(const tsl_cuda_view_args &a, uint32_t i, uint32_t end)
{
	walk<T, WHERE> units(a), again(a);
	int missing = 16 / (int)sizeof(T);
	vector16 v = vector16();
	T x;

	/* Stores of single bytes cost as much as those of vectors. */
	NO_UNROLL
	for (uint32_t u = i; u < end; u++) {
		missing -= units.next(u, &x);
		push(&v, x);
	}
	if (missing == 0) {
		store(a.out + (int64_t)i * (int)sizeof(T), v);
		return;
	}
	NO_UNROLL
	for (; i < end; i++)
		if (again.next(i, &x))
			store(a.out + (int64_t)i * (int)sizeof(T), x);
}

/* The vectors i, i + by, ... of units, as many as a thread makes. */
template <typename T, typename WHERE, int step>
static __device__ inline void
make_vectors(const tsl_cuda_view_args &a, int64_t i, int64_t by)
{
	constexpr int n = 16 / (int)sizeof(T);
	int64_t stride = (int64_t)a.dim[0].gap;
	vector16 v[TSL_CUDA_VECTORS];
	bool here[TSL_CUDA_VECTORS];
	unsigned rest = 0; /* bit k: vector k is not of one row */

	/* All loads before the first store, so that all are on their way. */
	UNROLL
	for (int k = 0; k < TSL_CUDA_VECTORS; k++) {
		int64_t first = (i + k * by) * n;
		place p;

		here[k] = false;
		v[k] = vector16();
		if (first >= a.n)
			continue;
		WHERE::template find<1>(a, (uint32_t)first, 0, &p);
		/* No row goes on behind the last unit. */
		if (p.left < n) {
			rest |= 1u << k;
			continue;
		}
		here[k] = p.here;
		if (p.data)
			v[k] = load_row<T, step>(p.at, stride);
	}
	UNROLL
	for (int k = 0; k < TSL_CUDA_VECTORS; k++)
		if (here[k])
			store(a.out + (i + k * by) * 16, v[k]);
	NO_UNROLL
	for (int k = 0; rest >> k; k++) {
		int64_t first = (i + k * by) * n;
		int64_t end = first + n < a.n ? first + n : a.n;

		if (rest >> k & 1)
			make_units<T, WHERE>(a, (uint32_t)first, (uint32_t)end);
	}
}

/* All that a thread makes. */
template <typename T, typename WHERE, int step>
static __device__ inline void
make_chunks(const tsl_cuda_view_args &a)
{
	int64_t by = blockDim.x;
	int64_t i = (int64_t)blockIdx.x * by * TSL_CUDA_VECTORS + threadIdx.x;
	int64_t jump = (int64_t)gridDim.x * by * TSL_CUDA_VECTORS;

	for (; i * (16 / (int)sizeof(T)) < a.n; i += jump)
		make_vectors<T, WHERE, step>(a, i, by);
}

#endif /* TSL_CUDA_CHUNK_H */
