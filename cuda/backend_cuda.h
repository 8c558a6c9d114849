/*
 * backend_cuda.h - a GPU as a backend, through the CUDA driver API
 *
 * Errors are TSL_EDEVICE, in the driver's own words; nothing here ends the
 * process.  Sizes are in BYTES.
 */
#ifndef TSL_CUDA_BACKEND_CUDA_H
#define TSL_CUDA_BACKEND_CUDA_H

#include "lib/op/backend.h"

struct tsl_cuda; /* a GPU that was opened */

/*
 * tsl_cuda_built_in() names what the device code was compiled for, such as
 * "CUDA 13.0: sm_90 sm_120 compute_120".  No driver is loaded.
 */
const char *tsl_cuda_built_in(void);

/*
 * tsl_cuda_open() loads the driver and gets GPU number 'ordinal' ready.  This
 * is what takes time: some tenths of a second.
 */
enum tsl_status TSL_MUST_USE tsl_cuda_open(struct tsl_cuda **cuda_new,
					   int ordinal, struct tsl_error *err);

/* tsl_cuda_close() ends it, after the last lane.  NULL is allowed. */
void tsl_cuda_close(struct tsl_cuda *cuda);

/*
 * tsl_cuda_backend() is the table of functions, named "cuda:N".  Of the
 * device's memory a lane takes its sizes.in + sizes.out + sizes.side, and
 * little more; of pinned memory up to twice sizes.in, once if its blocks are
 * fed in one part, and for output a quarter of sizes.out, or 128 KiB.
 */
const struct tsl_backend *tsl_cuda_backend(const struct tsl_cuda *cuda);

/*
 * tsl_cuda_describe() is a line for people: the GPU, its memory, the driver.
 * It belongs to 'cuda'.
 */
const char *tsl_cuda_describe(const struct tsl_cuda *cuda);

#endif /* TSL_CUDA_BACKEND_CUDA_H */
