/*
 * device.c - the devices there are, and the choice
 *
 * A slice from file to file is bound by the page cache and the disk, which a
 * GPU does not make faster: auto is the CPU.
 */
#define _GNU_SOURCE /* sched_getaffinity */
#include "device.h"

#include <sched.h>
#include <string.h>

static bool
is_cuda(const char *name)
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
device_choose(const char *name, struct tsl_error *err)
{
	if (strcmp(name, "auto") == 0 || strcmp(name, "cpu") == 0)
		return TSL_OK;
	if (is_cuda(name))
		return tsl_fail(err, TSL_EDEVICE,
				"device %s: this build has no CUDA", name);
	return tsl_fail(err, TSL_EUSAGE,
			"--device is auto, cpu, cuda or cuda:N, not '%s'",
			name);
}

const char *
device_built_in(void)
{
	return "CUDA: no";
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
