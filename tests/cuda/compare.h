/*
 * compare.h - what a GPU makes of a block is what the CPU makes of it
 *
 * For the tests that run on a stand-in for the driver, or on a GPU; see on_gpu.
 */
#ifndef TESTS_CUDA_COMPARE_H
#define TESTS_CUDA_COMPARE_H

#include "drive.h"
#include "tests/unit/check.h"

#include <dlfcn.h>

static struct tsl_cuda *gpu;
static const struct tsl_backend *backend;
static uint64_t seed = 5;

static inline int64_t
between(int64_t lo, int64_t hi)
{
	return check_between(&seed, lo, hi);
}

static inline int64_t
min(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static inline char *
random_bytes(int64_t n)
{
	char *bytes = malloc((size_t)n + 1);

	for (int64_t i = 0; i < n; i++)
		bytes[i] = (char)check_random(&seed);
	return bytes;
}

/* A block made on the GPU is the bytes 'want'. */
static inline void
check_block(const struct tsl_job *job, const struct tsl_block *block,
	    const struct part *part, int nparts, const char *in,
	    const char *want)
{
	struct tsl_error err = { .msg = "" };
	char *got = malloc((size_t)block->n + 1);
	enum tsl_status status;

	got[block->n] = 'x';
	status = drive_alone(backend, job, block, part, nparts, in, got, &err);
	CHECK(status == TSL_OK, "%s", err.msg);
	if (!status)
		CHECK(memcmp(got, want, (size_t)block->n) == 0,
		      "a block of %lld bytes differs", (long long)block->n);
	CHECK(got[block->n] == 'x', "a byte too many");
	free(got);
}

static inline void
draw_array(struct tsl_array *a, int max_ndim, int64_t max_dim)
{
	static const int sizes[] = { 1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 48 };

	*a = (struct tsl_array){
		.ndim = (int)between(0, max_ndim),
		.dtype = { 'V', '|', sizes[between(0, 10)], "'|V'" },
		.fortran_order = between(0, 1),
	};
	for (int i = 0; i < a->ndim; i++)
		a->dim[i] = between(1, max_dim);
}

/* A field of the records of 'a', which become as large as it takes. */
static inline void
draw_field(struct tsl_field *f, struct tsl_array *a)
{
	struct tsl_array one;

	draw_array(&one, 2, 4);
	*f = (struct tsl_field){ .dtype = one.dtype,
				 .offset = between(0, 9),
				 .ndim = one.ndim };
	memcpy(f->dim, one.dim, sizeof(f->dim));
	one.fortran_order = false;
	tsl_array_strides(&one, f->stride);
	a->dtype.size = f->offset + tsl_array_nbytes(&one) +
			between(0, 1) * between(0, 9);
	f->records = a->dtype;
}

/* The stand-in knows; a real driver does not. */
static inline void
check_all_ran(const char *prefix)
{
	void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
	const char *(*unused)(const char *) = NULL;
	const char *name = NULL;

	CHECK(library != NULL, "%s", dlerror());
	if (library)
		*(void **)&unused = dlsym(library, "fake_cuda_unused");
	if (unused)
		name = unused(prefix);
	CHECK(name == NULL, "%s did not", name);
}

/* Opens the GPU; tests/cuda/on_gpu saw to it that there is one. */
static inline void
open_gpu(void)
{
	struct tsl_error err;

	if (tsl_cuda_open(&gpu, 0, &err) != TSL_OK) {
		printf("Bail out! %s\n", err.msg);
		exit(1);
	}
	backend = tsl_cuda_backend(gpu);
}

#endif /* TESTS_CUDA_COMPARE_H */
