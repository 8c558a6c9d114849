/*
 * backend_cuda.c - a GPU as a backend: opened, described, closed
 */
#include "backend_cuda.h"

#include "gpu.h"

#include <stdio.h>
#include <stdlib.h>

/* Lanes that keep a GPU busy: one reads, one computes, one writes. */
#define LANES 3

/* embed.S */
extern const char tsl_cuda_image_slice[], tsl_cuda_image_gather[],
	tsl_cuda_image_transpose[], tsl_cuda_image_set_diag[];

static const char *const images[TSL_CUDA_IMAGES] = {
	[TSL_CUDA_SLICE] = tsl_cuda_image_slice,
	[TSL_CUDA_GATHER] = tsl_cuda_image_gather,
	[TSL_CUDA_TRANSPOSE] = tsl_cuda_image_transpose,
	[TSL_CUDA_SET_DIAG] = tsl_cuda_image_set_diag,
};

const char *
tsl_cuda_built_in(void)
{
	/* CUDA_VERSION is 1000 * major + 10 * minor. */
	static char text[200];
	static const char code[] = TSL_CUDA_CODE;

	snprintf(text, sizeof(text), "CUDA %d.%d: %s", CUDA_VERSION / 1000,
		 CUDA_VERSION % 1000 / 10, code);
	return text;
}

static enum tsl_status
check(const struct tsl_cuda *c, CUresult result, const char *what,
      struct tsl_error *err)
{
	return tsl_cuda_check(&c->driver, result, c->name, what, err);
}

static enum tsl_status
describe(struct tsl_cuda *c, struct tsl_error *err)
{
	const struct tsl_cuda_driver *d = &c->driver;
	char name[100] = "";
	size_t available = 0, total = 0;
	int major = 0, minor = 0;
	CUresult r = d->cuDeviceGetName(name, (int)sizeof(name), c->device);

	if (!r)
		r = d->cuDeviceGetAttribute(
			&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
			c->device);
	if (!r)
		r = d->cuDeviceGetAttribute(
			&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
			c->device);
	if (!r)
		r = d->cuMemGetInfo(&available, &total);
	/* Not the last byte: allocations are of whole pages. */
	c->backend.memory = (int64_t)(available - available / 16);
	snprintf(c->description, sizeof(c->description),
		 "%s, compute capability %d.%d, %.1f of %.1f GiB free, driver "
		 "for CUDA %d.%d",
		 name, major, minor, (double)available / (1 << 30),
		 (double)total / (1 << 30), c->version / 1000,
		 c->version % 1000 / 10);
	return check(c, r, "looking at the device", err);
}

/*
 * A driver runs the machine code of every toolkit of its own major version and
 * of older ones, and none of newer ones: NVIDIA, "CUDA Compatibility".  What it
 * says when it is handed some is no help.
 */
static enum tsl_status
check_version(struct tsl_cuda *c, struct tsl_error *err)
{
	const int major = CUDA_VERSION / 1000;
	/* The first of a major version, where that is known by now. */
	const char *first = major == 12   ? " (driver 525)"
			    : major == 13 ? " (driver 580)"
					  : "";
	enum tsl_status status =
		check(c, c->driver.cuDriverGetVersion(&c->version),
		      "asking for the driver's version", err);

	if (status || c->version / 1000 >= major)
		return status;
	return tsl_fail(err, TSL_EDEVICE,
			"%s: the driver is for CUDA %d.%d; this program needs "
			"%d.0%s",
			c->name, c->version / 1000, c->version % 1000 / 10,
			major, first);
}

/* The driver decides which code it can run: it is not second-guessed. */
static enum tsl_status
load_images(struct tsl_cuda *c, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;
	char what[256];

	snprintf(what, sizeof(what), "loading device code for %s",
		 tsl_cuda_built_in());
	for (int i = 0; i < TSL_CUDA_IMAGES && !status; i++)
		status = check(
			c, c->driver.cuModuleLoadData(&c->module[i], images[i]),
			what, err);
	return status;
}

/* Threads sleep while they wait: spinning, each would take up a core. */
static enum tsl_status
make_context(struct tsl_cuda *c, struct tsl_error *err)
{
	const struct tsl_cuda_driver *d = &c->driver;
	CUresult r = d->cuDevicePrimaryCtxSetFlags(c->device,
						   CU_CTX_SCHED_BLOCKING_SYNC);

	if (!r)
		r = d->cuDevicePrimaryCtxRetain(&c->context, c->device);
	if (!r)
		r = d->cuCtxSetCurrent(c->context);
	return check(c, r, "making a context", err);
}

static enum tsl_status
start(struct tsl_cuda *c, int ordinal, struct tsl_error *err)
{
	const struct tsl_cuda_driver *d = &c->driver;
	enum tsl_status status = tsl_cuda_driver_load(&c->driver, err);

	if (!status)
		status = check(c, d->cuInit(0), "starting the driver", err);
	if (!status)
		status = check_version(c, err);
	if (!status)
		status = check(c, d->cuDeviceGet(&c->device, ordinal),
			       "no such device", err);
	if (!status)
		status = make_context(c, err);
	if (!status)
		status = load_images(c, err);
	if (!status)
		status = describe(c, err);
	return status;
}

enum tsl_status
tsl_cuda_open(struct tsl_cuda **cuda_new, int ordinal, struct tsl_error *err)
{
	struct tsl_cuda *c = calloc(1, sizeof(*c));
	enum tsl_status status;

	*cuda_new = NULL;
	if (!c)
		return tsl_no_memory(err);
	snprintf(c->name, sizeof(c->name), "cuda:%d", ordinal);
	c->backend = tsl_cuda_lanes;
	c->backend.name = c->name;
	c->backend.lanes = LANES;
	c->backend.max_block = TSL_CUDA_MAX_BLOCK;
	status = start(c, ordinal, err);
	if (status) {
		tsl_cuda_close(c);
		return status;
	}
	*cuda_new = c;
	return TSL_OK;
}

void
tsl_cuda_close(struct tsl_cuda *cuda)
{
	if (cuda && cuda->context) {
		/* The context goes, and its modules with it. */
		cuda->driver.cuCtxSetCurrent(NULL);
		cuda->driver.cuDevicePrimaryCtxRelease(cuda->device);
	}
	free(cuda);
}

const struct tsl_backend *
tsl_cuda_backend(const struct tsl_cuda *cuda)
{
	return &cuda->backend;
}

const char *
tsl_cuda_describe(const struct tsl_cuda *cuda)
{
	return cuda->description;
}

enum tsl_status
tsl_cuda_launch(const struct tsl_cuda *cuda, const struct tsl_cuda_plan *plan,
		CUstream stream, struct tsl_error *err)
{
	const struct tsl_cuda_driver *d = &cuda->driver;
	CUfunction function;
	/* The driver's type has no const; it copies what they point to. */
	void *args[] = { (void *)(uintptr_t)&plan->args };
	CUresult r = d->cuModuleGetFunction(
		&function, cuda->module[plan->image], plan->kernel);

	if (!r)
		r = d->cuLaunchKernel(function, plan->grid, 1, 1, plan->block_x,
				      plan->block_y, 1, 0, stream, args, NULL);
	return check(cuda, r, plan->kernel, err);
}
