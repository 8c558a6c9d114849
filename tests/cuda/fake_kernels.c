/*
 * fake_kernels.c - the kernels by name, as the stand-in's driver knows them
 */
#include "shim.h"

#include "fake_kernels.h"

#include <string.h>

__thread struct fake_dim gridDim, blockIdx, blockDim, threadIdx;
__thread bool fake_misaligned;

#define X(name, type, image)                       \
	void name(struct type args);               \
	static void run_##name(const void *args)   \
	{                                          \
		struct type copy;                  \
                                                   \
		memcpy(&copy, args, sizeof(copy)); \
		name(copy);                        \
	}
FAKE_KERNELS(X)
#undef X

static struct fake_kernel kernels[] = {
#define X(name, type, image) \
	{ #name, sizeof(struct type), image, run_##name, false },
	FAKE_KERNELS(X)
#undef X
};

struct fake_kernel *
fake_kernel_find(const char *name, int image)
{
	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++)
		if (kernels[i].image == image &&
		    strcmp(kernels[i].name, name) == 0)
			return &kernels[i];
	return NULL;
}

CUresult
fake_kernel_run(struct fake_kernel *kernel, const struct fake_dim *grid,
		const struct fake_dim *block, const void *args)
{
	kernel->used = true;
	fake_misaligned = false;
	gridDim = *grid;
	blockDim = *block;
	blockIdx = (struct fake_dim){ 0, 0, 0 };
	for (; blockIdx.x < gridDim.x; blockIdx.x++)
		kernel->run(args);
	return fake_misaligned ? CUDA_ERROR_MISALIGNED_ADDRESS : CUDA_SUCCESS;
}

const char *
fake_cuda_unused(const char *prefix)
{
	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++)
		if (!kernels[i].used &&
		    strncmp(kernels[i].name, prefix, strlen(prefix)) == 0)
			return kernels[i].name;
	return NULL;
}

/* The limits are those of every GPU since 2012. */
bool
fake_kernel_fits(const struct fake_dim *grid, const struct fake_dim *block,
		 unsigned shared)
{
	return grid->x > 0 && grid->x <= 0x7fffffff && grid->y > 0 &&
	       grid->y <= 65535 && grid->z > 0 && grid->z <= 65535 &&
	       block->x > 0 && block->y > 0 && block->z > 0 &&
	       block->x <= 1024 && block->y <= 1024 && block->z <= 64 &&
	       block->x * block->y * block->z <= 1024 && shared <= 48 * 1024;
}
