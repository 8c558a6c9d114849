/*
 * driver.h - the CUDA driver's functions, looked up when a GPU is asked for
 *
 * The tool is not linked with libcuda: it runs where there is none.  The names
 * and types are those of the toolkit's cuda.h, whose macros give the version
 * of each function (cuMemAlloc is cuMemAlloc_v2).
 */
#ifndef TSL_CUDA_DRIVER_H
#define TSL_CUDA_DRIVER_H

#include "lib/base/status.h"

#include <cuda.h>

#define TSL_CUDA_FUNCTIONS(X)         \
	X(cuInit)                     \
	X(cuGetErrorString)           \
	X(cuDriverGetVersion)         \
	X(cuDeviceGet)                \
	X(cuDeviceGetName)            \
	X(cuDeviceGetAttribute)       \
	X(cuDevicePrimaryCtxSetFlags) \
	X(cuDevicePrimaryCtxRetain)   \
	X(cuDevicePrimaryCtxRelease)  \
	X(cuCtxSetCurrent)            \
	X(cuModuleLoadData)           \
	X(cuModuleGetFunction)        \
	X(cuMemGetInfo)               \
	X(cuMemAlloc)                 \
	X(cuMemFree)                  \
	X(cuMemAllocHost)             \
	X(cuMemFreeHost)              \
	X(cuMemcpyHtoDAsync)          \
	X(cuMemcpyDtoHAsync)          \
	X(cuStreamCreate)             \
	X(cuStreamDestroy)            \
	X(cuStreamSynchronize)        \
	X(cuLaunchKernel)

struct tsl_cuda_driver {
#define X(name) __typeof__(name) *name;
	TSL_CUDA_FUNCTIONS(X)
#undef X
};

/*
 * tsl_cuda_driver_load() loads libcuda.so.1 and looks its functions up.  It
 * stays loaded: the driver does not take well to being unloaded.
 *
 * Returns TSL_OK, or TSL_EDEVICE.
 */
enum tsl_status TSL_MUST_USE tsl_cuda_driver_load(struct tsl_cuda_driver *d,
						  struct tsl_error *err);

/*
 * tsl_cuda_check() is TSL_OK for CUDA_SUCCESS.  Any other result is
 * TSL_EDEVICE; 'who' and 'what' are told, and the driver's words.
 */
enum tsl_status TSL_MUST_USE tsl_cuda_check(const struct tsl_cuda_driver *d,
					    CUresult result, const char *who,
					    const char *what,
					    struct tsl_error *err);

#endif /* TSL_CUDA_DRIVER_H */
