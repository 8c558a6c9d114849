/*
 * device.c - the devices there are, and the choice
 *
 * A slice from file to file is bound by the page cache and the disk, which a
 * GPU does not make faster: auto is the CPU.
 */
#define _GNU_SOURCE /* sched_getaffinity */
#include "device.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#ifdef TSL_HAVE_CUDA
#include "cuda/backend_cuda.h"
#define HAS_CUDA true
#else
/* What is never asked for. */
#define HAS_CUDA false
#define tsl_cuda_built_in() "CUDA: no"
#define tsl_cuda_open(cuda_new, ordinal, err) \
	tsl_fail(err, TSL_EDEVICE, "this build has no CUDA (%d)", ordinal)
#define tsl_cuda_close(cuda) ((void)(cuda))
#define tsl_cuda_backend(cuda) NULL
#define tsl_cuda_describe(cuda) ""
#endif

static struct tsl_cuda *gpu; /* NULL: the processor */

bool
device_is_gpu(const char *name)
{
	if (strncmp(name, "cuda", 4) != 0)
		return false;
	name += 4;
	if (*name == '\0')
		return true;
	return *name == ':' && name[1] != '\0' &&
	       name[1 + strspn(name + 1, "0123456789")] == '\0';
}

enum tsl_status
device_check(const char *name, struct tsl_error *err)
{
	if (strcmp(name, "auto") == 0 || strcmp(name, "cpu") == 0)
		return TSL_OK;
	if (!device_is_gpu(name))
		return tsl_fail(
			err, TSL_EUSAGE,
			"--device is auto, cpu, cuda or cuda:N, not '%s'",
			name);
	if (!HAS_CUDA)
		return tsl_fail(err, TSL_EDEVICE,
				"device %s: this build has no CUDA", name);
	return TSL_OK;
}

enum tsl_status
device_open(const char *name, struct tsl_error *err)
{
	const char *number = strchr(name, ':');
	long ordinal = 0;

	if (!device_is_gpu(name))
		return TSL_OK;
	errno = 0;
	if (number)
		ordinal = strtol(number + 1, NULL, 10);
	if (errno || ordinal > INT_MAX)
		return tsl_fail(err, TSL_EDEVICE, "%s: no such device", name);
	return tsl_cuda_open(&gpu, (int)ordinal, err);
}

void
device_close(void)
{
	tsl_cuda_close(gpu);
	gpu = NULL;
}

const struct tsl_backend *
device_backend(void)
{
	return gpu ? tsl_cuda_backend(gpu) : NULL;
}

const char *
device_description(void)
{
	return gpu ? tsl_cuda_describe(gpu) : "the processor";
}

const char *
device_built_in(void)
{
	return tsl_cuda_built_in();
}

int
device_processors(void)
{
	cpu_set_t set;
	int n;

	CPU_ZERO(&set);
	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		return 1;
	n = CPU_COUNT(&set);
	return n < 1 ? 1 : n;
}
