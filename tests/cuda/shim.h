/*
 * shim.h - device code as plain C++: a grid is a loop over its blocks, and a
 * phase of a kernel a loop over the threads of one
 *
 * Included ahead of the .cu files.  The caller, fake_cuda.c, goes through the
 * blocks.
 */
#ifndef TESTS_CUDA_SHIM_H
#define TESTS_CUDA_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fake_dim {
	unsigned x, y, z;
};

#ifdef __cplusplus
extern "C" {
#endif
extern __thread struct fake_dim gridDim, blockIdx, blockDim, threadIdx;
/* Something was not at a multiple of its size; it was not looked at. */
extern __thread bool fake_misaligned;
#ifdef __cplusplus
}
#endif

#define __global__
#define __device__
#define __grid_constant__
#define __launch_bounds__(...)
#define __shared__ static __thread

#define THREADS(call)                                                          \
	for (threadIdx.y = 0; threadIdx.y < blockDim.y; threadIdx.y++)         \
		for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++) \
	call
#define SYNC()
#define UNROLL
#define NO_UNROLL

#ifdef __cplusplus
/* 'p', where so many bytes at once may be; or anywhere else. */
template <typename P>
static inline P
aligned_to(P p, size_t nbytes)
{
	alignas(16) static __thread char nowhere[16];

	if ((uintptr_t)p % nbytes == 0)
		return p;
	fake_misaligned = true;
	return nowhere;
}

/* Four of the eight bytes of a and b; four bits of 'select' say which. */
static inline uint32_t
permute(uint32_t a, uint32_t b, uint32_t select)
{
	uint64_t from = (uint64_t)b << 32 | a;
	uint32_t to = 0;

	for (int k = 0; k < 4; k++)
		to |= (uint32_t)(from >> 8 * (select >> 4 * k & 7) & 255)
		      << 8 * k;
	return to;
}

/* Of two words, shifted together by less than 32 bits: the upper one. */
static inline uint32_t
shift_left(uint32_t lo, uint32_t hi, uint32_t bits)
{
	return (uint32_t)(((uint64_t)hi << 32 | lo) << bits >> 32);
}

/* The lower one. */
static inline uint32_t
shift_right(uint32_t lo, uint32_t hi, uint32_t bits)
{
	return (uint32_t)(((uint64_t)hi << 32 | lo) >> bits);
}

/* The lower one, by 32 bits, too. */
static inline uint32_t
shift_in(uint32_t lo, uint32_t hi, uint32_t bits)
{
	return (uint32_t)(((uint64_t)hi << 32 | lo) >> bits);
}
#endif

#endif /* TESTS_CUDA_SHIM_H */
