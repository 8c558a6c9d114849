/*
 * vector.h - sixteen bytes of input or output, or a word of four, made of the
 * units of a row
 */
#ifndef TSL_CUDA_VECTOR_H
#define TSL_CUDA_VECTOR_H

#include "device.h"

/* A word from any address: two, shifted together. */
static __device__ inline uint32_t
load_word(const char *p)
{
	unsigned skip = (unsigned)((uintptr_t)p & 3);
	uint32_t lo = load<uint32_t>(p - skip);
	uint32_t hi = load<uint32_t>(p - skip + 4);

	return shift_right(lo, hi, 8 * skip);
}

/* Sixteen bytes from any address: two aligned vectors, shifted together. */
static __device__ inline vector16
load_any(const char *p)
{
	unsigned skip = (unsigned)((uintptr_t)p & 15);
	unsigned bits = skip % 8 * 8;
	vector16 lo = load<vector16>(p - skip);
	uint64_t a = lo.half[0], b = lo.half[1], c;
	vector16 hi;

	if (skip == 0)
		return lo;
	hi = load<vector16>(p - skip + 16);
	c = hi.half[0];
	if (skip >= 8) {
		a = b;
		b = c;
		c = hi.half[1];
	}
	/* In two steps: a shift by 64 is undefined. */
	lo.half[0] = a >> bits | b << 1 << (63 - bits);
	lo.half[1] = b >> bits | c << 1 << (63 - bits);
	return lo;
}

/* Every k-th unit of k vectors. */
template <typename T, int k>
static __device__ inline vector16
load_every(const char *p)
{
	constexpr int n = 16 / (int)sizeof(T);
	union {
		vector16 all[k];
		T unit[k * n];
	} from;
	units<T> to;

	UNROLL
	for (int i = 0; i < k; i++)
		from.all[i] = load_any(p + 16 * i);
	UNROLL
	for (int i = 0; i < n; i++)
		to.unit[i] = from.unit[i * k];
	return to.all;
}

template <typename T>
static __device__ inline vector16
load_backward(const char *p)
{
	constexpr int n = 16 / (int)sizeof(T);
	units<T> from, to;

	from.all = load_any(p - (16 - (int)sizeof(T)));
	UNROLL
	for (int i = 0; i < n; i++)
		to.unit[i] = from.unit[n - 1 - i];
	return to.all;
}

/* A vector of units of one row. */
template <typename T, int step>
static __device__ inline vector16
load_row(const char *p, int64_t stride)
{
	units<T> to;

	if constexpr (step == TSL_CUDA_FORWARD) {
		return load_any(p);
	} else if constexpr (step == TSL_CUDA_BACKWARD) {
		return load_backward<T>(p);
	} else if constexpr (step != TSL_CUDA_ANY) {
		return load_every<T, step - TSL_CUDA_EVERY_2 + 2>(p);
	} else {
		UNROLL
		for (int i = 0; i < 16 / (int)sizeof(T); i++)
			to.unit[i] = load<T>(p + i * stride);
		return to.all;
	}
}

/* Appends a unit to a vector, whose first one is lost. */
template <typename T>
static __device__ inline void
push(vector16 *v, T x)
{
	constexpr int bits = 8 * (int)sizeof(T);

	if (bits < 64)
		v->half[0] = v->half[0] >> bits % 64 |
			     v->half[1] << (64 - bits) % 64;
	else
		v->half[0] = v->half[1];
	v->half[1] =
		v->half[1] >> bits / 2 >> bits / 2 | (uint64_t)x << (64 - bits);
}

static __device__ inline void
push(vector16 *v, vector16 x)
{
	*v = x;
}

#endif /* TSL_CUDA_VECTOR_H */
