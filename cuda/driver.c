/*
 * driver.c - the CUDA driver's functions, looked up when a GPU is asked for
 */
#include "driver.h"

#include <dlfcn.h>
#include <string.h>

#define LIBRARY "libcuda.so.1"
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

static bool
look_up(void *library, const char *name, void *function, size_t size)
{
	void *found = dlsym(library, name);

	/* ISO C knows no conversion between the two kinds of pointer. */
	memcpy(function, &found, size);
	return found != NULL;
}

enum tsl_status
tsl_cuda_driver_load(struct tsl_cuda_driver *d, struct tsl_error *err)
{
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);

	if (!library)
		return tsl_fail(err, TSL_EDEVICE, "no CUDA driver: %s",
				dlerror());
#define X(name)                                                          \
	if (!look_up(library, TEXT(name), &d->name, sizeof(d->name)))    \
		return tsl_fail(err, TSL_EDEVICE,                        \
				"the CUDA driver is too old: it has no " \
				"function %s",                           \
				TEXT(name));
	TSL_CUDA_FUNCTIONS(X)
#undef X
	return TSL_OK;
}

enum tsl_status
tsl_cuda_check(const struct tsl_cuda_driver *d, CUresult result,
	       const char *who, const char *what, struct tsl_error *err)
{
	const char *words = NULL;

	if (result == CUDA_SUCCESS)
		return TSL_OK;
	if (d->cuGetErrorString(result, &words) != CUDA_SUCCESS || !words)
		words = "an error that the driver has no words for";
	return tsl_fail(err, TSL_EDEVICE, "%s: %s: %s (%d)", who, what, words,
			(int)result);
}
