/*
 * device.h - what the kernels have in common; device code only
 *
 * A kernel is written as what one thread does, in phases: THREADS(x) has all
 * threads of a block do x, SYNC() waits for them.  On a GPU both are nearly
 * nothing.  The tests compile the same files as plain C++, where THREADS(x) is
 * a loop (tests/cuda/shim.h).
 */
#ifndef TSL_CUDA_DEVICE_H
#define TSL_CUDA_DEVICE_H

#include "cuda/args.h"

#ifdef __CUDACC__
#define permute(a, b, select) __byte_perm(a, b, select)
#define shift_left(lo, hi, bits) __funnelshift_l(lo, hi, bits)
#define shift_right(lo, hi, bits) __funnelshift_r(lo, hi, bits)
#define THREADS(x) x
#define SYNC() __syncthreads()
#define UNROLL _Pragma("unroll")
#define NO_UNROLL _Pragma("unroll 1")
#endif

/* Sixteen bytes, moved at once. */
struct alignas(16) vector16 {
	uint64_t half[2];
};

/* The type of a unit of so many bytes. */
template <int nbytes> struct unit_of;
template <> struct unit_of<1> {
	typedef uint8_t type;
};
template <> struct unit_of<2> {
	typedef uint16_t type;
};
template <> struct unit_of<4> {
	typedef uint32_t type;
};
template <> struct unit_of<8> {
	typedef uint64_t type;
};
template <> struct unit_of<16> {
	typedef vector16 type;
};

/* A vector, and the units in it. */
template <typename T> union units {
	vector16 all;
	T unit[16 / sizeof(T)];
};

static __device__ inline uint32_t
divide(uint32_t x, const tsl_cuda_divisor &by)
{
	return (uint32_t)((uint64_t)x * by.magic >> by.shift);
}

static __device__ inline uint64_t
divide(uint64_t x, const tsl_cuda_divisor &by)
{
	return x / (uint64_t)by.count;
}

template <typename T>
static __device__ inline T
load(const char *p)
{
	return *(const T *)p;
}

template <typename T>
static __device__ inline void
store(char *p, T x)
{
	*(T *)p = x;
}

/* The number of this thread among all of the grid's, for kernels in a row. */
static __device__ inline int64_t
thread_number()
{
	return (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
}

static __device__ inline int64_t
thread_count()
{
	return (int64_t)gridDim.x * blockDim.x;
}

#endif /* TSL_CUDA_DEVICE_H */
