/*
 * gpu.h - an open GPU, as the host's files know it among themselves
 */
#ifndef TSL_CUDA_GPU_H
#define TSL_CUDA_GPU_H

#include "driver.h"
#include "lib/op/backend.h"
#include "plan.h"

struct tsl_cuda {
	struct tsl_backend backend; /* first: its functions are handed this */
	struct tsl_cuda_driver driver;
	int version; /* of CUDA, that the driver is for: CUDA_VERSION's form */
	CUdevice device;
	CUcontext context; /* the device's primary one; NULL: not yet */
	CUmodule module[TSL_CUDA_IMAGES];
	char name[24]; /* "cuda:0" */
	char description[200];
};

/* The functions of the backend's lanes, lane.c. */
extern const struct tsl_backend tsl_cuda_lanes;

/*
 * tsl_cuda_launch() starts what 'plan' says, with its arguments, in
 * 'stream'.  The device's context is the thread's.
 */
enum tsl_status TSL_MUST_USE tsl_cuda_launch(const struct tsl_cuda *cuda,
					     const struct tsl_cuda_plan *plan,
					     CUstream stream,
					     struct tsl_error *err);

#endif /* TSL_CUDA_GPU_H */
