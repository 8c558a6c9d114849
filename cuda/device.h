/*
 * device.h - what the kernels have in common; device code only
 *
 * A kernel is written as what one thread does, in phases: THREADS(x) has all
 * threads of a block do x, SYNC() waits for them.  On a GPU both are nearly
 * nothing.  The tests compile the same files as plain C++, where THREADS(x) is
 * a loop, and a GPU's complaint of an address is one too (tests/cuda/shim.h).
 */
#ifndef TSL_CUDA_DEVICE_H
#define TSL_CUDA_DEVICE_H

#include "args.h"

#ifdef __CUDACC__
#define permute(a, b, select) __byte_perm(a, b, select)
#define shift_left(lo, hi, bits) __funnelshift_l(lo, hi, bits)
#define shift_right(lo, hi, bits) __funnelshift_r(lo, hi, bits)
#define shift_in(lo, hi, bits) __funnelshift_rc(lo, hi, bits)
#define THREADS(x) x
#define SYNC() __syncthreads()
#define aligned_to(p, nbytes) (p)
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

/* Of such units a word is put together, if they are not as wide as one. */
template <typename T> struct word_of {
	static constexpr int per = sizeof(T) < 4 ? 4 / (int)sizeof(T) : 1;
	static constexpr int bits = per > 1 ? 8 * (int)sizeof(T) : 0;
	typedef typename unit_of<sizeof(T) < 4 ? 4 : sizeof(T)>::type type;
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

/* The index in a dim; x becomes that in what is around it. */
static __device__ inline uint32_t
split(uint32_t *x, const tsl_cuda_divisor &by)
{
	uint32_t q = divide(*x, by);
	uint32_t r = *x - q * (uint32_t)by.count;

	*x = q;
	return r;
}

template <typename T>
static __device__ inline T
load(const char *p)
{
	return *(const T *)aligned_to(p, sizeof(T));
}

template <typename T>
static __device__ inline void
store(char *p, T x)
{
	*(T *)aligned_to(p, sizeof(T)) = x;
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
