/*
 * shim.h - device code as plain C++: a grid is a loop over its blocks, and a
 * phase of a kernel a loop over the threads of one
 *
 * Included ahead of the .cu files.  The caller, fake_cuda.c, goes through the
 * blocks.
 */
#ifndef TESTS_CUDA_SHIM_H
#define TESTS_CUDA_SHIM_H

#include <stddef.h>
#include <stdint.h>

struct fake_dim {
	unsigned x, y, z;
};

#ifdef __cplusplus
extern "C" {
#endif
extern __thread struct fake_dim gridDim, blockIdx, blockDim, threadIdx;
#ifdef __cplusplus
}
#endif

#define __global__
#define __device__
#define __grid_constant__
#define __launch_bounds__(threads)
#define __shared__ static __thread

#define THREADS(call)                                                          \
	for (threadIdx.y = 0; threadIdx.y < blockDim.y; threadIdx.y++)         \
		for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++) \
	call
#define SYNC()
#define UNROLL
#define UNROLL_4
#define NO_UNROLL

#endif /* TESTS_CUDA_SHIM_H */
