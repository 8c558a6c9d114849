/*
 * fake_kernels.h - the kernels by name, as the stand-in's driver knows them
 */
#ifndef TESTS_CUDA_FAKE_KERNELS_H
#define TESTS_CUDA_FAKE_KERNELS_H

#include "cuda/args.h"
#include "shim.h"

#include <cuda.h>
#include <stdbool.h>
#include <stddef.h>

/* name, argument, the file it is in: its place in enum tsl_cuda_image */
#define FAKE_KERNELS_OF(X, width)                       \
	X(slice_##width, tsl_cuda_view_args, 0)         \
	X(gather_##width, tsl_cuda_view_args, 1)        \
	X(gather_single_##width, tsl_cuda_view_args, 1) \
	X(transpose_##width, tsl_cuda_tile_args, 2)     \
	X(band_##width, tsl_cuda_band_args, 3)          \
	X(band_wide_##width, tsl_cuda_band_args, 3)
#define FAKE_KERNELS(X)       \
	FAKE_KERNELS_OF(X, 1) \
	FAKE_KERNELS_OF(X, 2) \
	FAKE_KERNELS_OF(X, 4) \
	FAKE_KERNELS_OF(X, 8) \
	FAKE_KERNELS_OF(X, 16)

struct fake_kernel {
	const char *name;
	size_t nbytes; /* of its argument */
	int image;
	void (*run)(const void *args);
	bool used;
};

/* fake_kernel_find() is NULL for a name that is not in that image. */
struct fake_kernel *fake_kernel_find(const char *name, int image);

/* fake_kernel_fits() says whether a GPU takes such a grid of such blocks. */
bool fake_kernel_fits(const struct fake_dim *grid, const struct fake_dim *block,
		      unsigned shared);

/*
 * fake_kernel_run() runs all blocks of a grid, one after the other.  Returns
 * CUDA_SUCCESS, or CUDA_ERROR_MISALIGNED_ADDRESS.
 */
CUresult fake_kernel_run(struct fake_kernel *kernel,
			 const struct fake_dim *grid,
			 const struct fake_dim *block, const void *args);

/*
 * fake_cuda_unused() is the name of one that begins so and has not been run,
 * or NULL.
 */
__attribute__((visibility("default"))) const char *
fake_cuda_unused(const char *prefix);

#endif /* TESTS_CUDA_FAKE_KERNELS_H */
