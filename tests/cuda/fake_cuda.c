/*
 * fake_cuda.c - a stand-in libcuda.so.1 that works in the host's memory
 *
 * For tests only.  It has the functions that cuda/driver.h looks up, with the
 * types of the toolkit's cuda.h, and refuses what the real one refuses.  What
 * a stream is given to do it does as late as it may, when somebody waits for
 * it: whoever looks at a result or reuses a buffer too early gets rubbish.
 *
 * cuInit() looks at the environment: fake_settings.h.
 *
 * fake_cuda_live() is the number of things that were not given back, and
 * stores that of the calls made since cuInit().  fake_cuda_sleeps()
 * says whether threads sleep that wait in the context made last.
 */
#include "shim.h"

#include "fake_kernels.h"
#include "fake_settings.h"

#include <cuda.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
#define POISON 0xDB
#define IMAGE_MAGIC 0xBA55ED50u /* a fat binary begins with it */
#define IMAGES 4

enum kind { DEVICE_MEMORY, PINNED_MEMORY, STREAM, MODULE, FUNCTION };

struct work { /* of a stream, in order */
	struct work *next;
	struct fake_kernel *kernel; /* NULL: a copy */
	struct fake_dim grid, block;
	char *dst;
	const char *src;
	size_t nbytes;
	_Alignas(16) char args[]; /* or nothing */
};

struct thing {
	struct thing *next;
	enum kind kind;
	char *bytes; /* of memory */
	size_t nbytes;
	struct work *first, **last; /* of a stream */
	int image; /* of a module, and of a function */
	struct fake_kernel *kernel;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct thing *things;
static struct fake_settings set;
static size_t used; /* bytes of device memory */
static int retained;
static unsigned flags_wanted, flags_of_context;
static long calls;
static bool failed;
static int images;
static __thread CUcontext current;
static char the_context;

EXPORT int fake_cuda_live(long *made);
EXPORT bool fake_cuda_sleeps(void);

/* ---- things -------------------------------------------------------------- */

static struct thing *
add(enum kind kind)
{
	struct thing *t = calloc(1, sizeof(*t));

	if (!t)
		abort();
	t->kind = kind;
	t->last = &t->first;
	t->next = things;
	things = t;
	return t;
}

static void
discard(struct thing *t)
{
	struct thing **p = &things;

	while (*p != t)
		p = &(*p)->next;
	*p = t->next;
	if (t->kind == DEVICE_MEMORY)
		used -= t->nbytes;
	free(t->bytes);
	free(t);
}

static struct thing *
find(enum kind kind, const void *at)
{
	for (struct thing *t = things; t; t = t->next)
		if (t->kind == kind &&
		    (t == at || (t->bytes && t->bytes == at)))
			return t;
	return NULL;
}

/* The memory of that kind that 'at' is in. */
static struct thing *
around(enum kind kind, const char *at)
{
	for (struct thing *t = things; t; t = t->next)
		if (t->kind == kind && (uintptr_t)at >= (uintptr_t)t->bytes &&
		    (uintptr_t)at < (uintptr_t)t->bytes + t->nbytes)
			return t;
	return NULL;
}

static bool
inside(enum kind kind, const char *at, size_t nbytes)
{
	const struct thing *t = around(kind, at);

	return t && nbytes <= (size_t)(t->bytes + t->nbytes - at);
}

/* Host memory that is not pinned is nobody's business here. */
static bool
is_host(const char *at, size_t nbytes)
{
	return !around(DEVICE_MEMORY, at) &&
	       (!around(PINNED_MEMORY, at) ||
		inside(PINNED_MEMORY, at, nbytes));
}

/* ---- calls --------------------------------------------------------------- */

static CUresult
enter(bool in_context)
{
	pthread_mutex_lock(&lock);
	calls++;
	if (calls == set.fail_at || (failed && set.sticky)) {
		failed = true;
		return CUDA_ERROR_LAUNCH_FAILED;
	}
	if (in_context && (!current || !retained))
		return CUDA_ERROR_INVALID_CONTEXT;
	return CUDA_SUCCESS;
}

static CUresult
leave(CUresult r)
{
	pthread_mutex_unlock(&lock);
	return r;
}

EXPORT int
fake_cuda_live(long *made)
{
	int n = retained;

	*made = calls;
	for (const struct thing *t = things; t; t = t->next)
		n += t->kind != MODULE && t->kind != FUNCTION;
	return n;
}

EXPORT bool
fake_cuda_sleeps(void)
{
	return (flags_of_context & CU_CTX_SCHED_MASK) ==
	       CU_CTX_SCHED_BLOCKING_SYNC;
}

EXPORT CUresult
cuInit(unsigned flags)
{
	CUresult r;

	pthread_mutex_lock(&lock);
	calls = 0;
	failed = false;
	fake_settings_read(&set);
	pthread_mutex_unlock(&lock);
	r = enter(false);
	if (!r && flags != 0)
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r && set.devices == 0)
		r = CUDA_ERROR_NO_DEVICE;
	return leave(r);
}

/* ---- the device ---------------------------------------------------------- */

EXPORT CUresult
cuDriverGetVersion(int *v)
{
	CUresult r = enter(false);

	if (!r)
		*v = set.version;
	return leave(r);
}

EXPORT CUresult
cuDeviceGet(CUdevice *device, int ordinal)
{
	CUresult r = enter(false);

	if (!r && (ordinal < 0 || ordinal >= set.devices))
		r = CUDA_ERROR_INVALID_DEVICE;
	if (!r)
		*device = ordinal;
	return leave(r);
}

EXPORT CUresult
cuDeviceGetName(char *name, int size, CUdevice device)
{
	CUresult r = enter(false);

	(void)device;
	if (!r) {
		strncpy(name, "stand-in for tests", (size_t)size);
		name[size - 1] = '\0';
	}
	return leave(r);
}

EXPORT CUresult
cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
	CUresult r = enter(false);

	(void)device;
	if (!r)
		*value = attribute ==
			 CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR;
	return leave(r);
}

EXPORT CUresult
cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags)
{
	CUresult r = enter(false);

	if (!r && (device < 0 || device >= set.devices))
		r = CUDA_ERROR_INVALID_DEVICE;
	if (!r)
		flags_wanted = flags;
	return leave(r);
}

EXPORT CUresult
cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
	CUresult r = enter(false);

	if (!r && (device < 0 || device >= set.devices))
		r = CUDA_ERROR_INVALID_DEVICE;
	if (!r) {
		if (retained++ == 0)
			flags_of_context = flags_wanted;
		*context = (CUcontext)(void *)&the_context;
	}
	return leave(r);
}

/* Modules go with the context; memory and streams had better gone before. */
static void
discard_modules(void)
{
	struct thing *t = things, *next;

	for (; t; t = next) {
		next = t->next;
		if (t->kind == MODULE || t->kind == FUNCTION)
			discard(t);
	}
	images = 0;
}

EXPORT CUresult
cuDevicePrimaryCtxRelease(CUdevice device)
{
	CUresult r = enter(false);

	(void)device;
	if (retained == 0)
		r = CUDA_ERROR_INVALID_CONTEXT;
	else if (--retained == 0)
		discard_modules();
	return leave(r);
}

EXPORT CUresult
cuCtxSetCurrent(CUcontext context)
{
	CUresult r = enter(false);

	if (!r && context && (!retained || (void *)context != &the_context))
		r = CUDA_ERROR_INVALID_CONTEXT;
	if (!r)
		current = context;
	return leave(r);
}

/* ---- code ---------------------------------------------------------------- */

EXPORT CUresult
cuModuleLoadData(CUmodule *module, const void *image)
{
	CUresult r = enter(true);
	unsigned magic;

	memcpy(&magic, image, sizeof(magic));
	if (!r && magic != IMAGE_MAGIC)
		r = CUDA_ERROR_INVALID_IMAGE;
	if (!r && set.version / 1000 < CUDA_VERSION / 1000)
		r = CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
	if (!r) {
		struct thing *t = add(MODULE);

		/* Which one is known by the order they are loaded in. */
		t->image = images++ % IMAGES;
		*module = (CUmodule)(void *)t;
	}
	return leave(r);
}

EXPORT CUresult
cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
	CUresult r = enter(true);
	const struct thing *m = find(MODULE, module);
	struct fake_kernel *k = NULL;

	if (!r && !m)
		r = CUDA_ERROR_INVALID_HANDLE;
	if (!r) {
		k = fake_kernel_find(name, m->image);
		if (!k)
			r = CUDA_ERROR_NOT_FOUND;
	}
	if (!r) {
		struct thing *t = add(FUNCTION);

		t->kernel = k;
		*function = (CUfunction)(void *)t;
	}
	return leave(r);
}

/* ---- memory -------------------------------------------------------------- */

static struct thing *
add_memory(enum kind kind, size_t nbytes)
{
	struct thing *t = add(kind);
	void *bytes;

	if (posix_memalign(&bytes, 256, nbytes) != 0)
		abort();
	memset(bytes, POISON, nbytes);
	t->bytes = bytes;
	t->nbytes = nbytes;
	return t;
}

EXPORT CUresult
cuMemGetInfo(size_t *available, size_t *total)
{
	CUresult r = enter(true);

	if (!r) {
		*available = set.memory - used;
		*total = set.memory;
	}
	return leave(r);
}

EXPORT CUresult
cuMemAlloc(CUdeviceptr *p, size_t nbytes)
{
	CUresult r = enter(true);

	if (!r && nbytes == 0)
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r && nbytes > set.memory - used)
		r = CUDA_ERROR_OUT_OF_MEMORY;
	if (!r) {
		*p = (CUdeviceptr)(uintptr_t)add_memory(DEVICE_MEMORY, nbytes)
			     ->bytes;
		used += nbytes;
	}
	return leave(r);
}

EXPORT CUresult
cuMemAllocHost(void **p, size_t nbytes)
{
	CUresult r = enter(true);

	if (!r && nbytes == 0)
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r)
		*p = add_memory(PINNED_MEMORY, nbytes)->bytes;
	return leave(r);
}

/* ---- streams ------------------------------------------------------------- */

static CUresult
copy(const struct work *w)
{
	bool up = inside(DEVICE_MEMORY, w->dst, w->nbytes);

	/* Either may have been freed since. */
	if (up ? !is_host(w->src, w->nbytes)
	       : !inside(DEVICE_MEMORY, w->src, w->nbytes) ||
			    !is_host(w->dst, w->nbytes))
		return CUDA_ERROR_ILLEGAL_ADDRESS;
	memcpy(w->dst, w->src, w->nbytes);
	return CUDA_SUCCESS;
}

static CUresult
drain(struct thing *stream)
{
	CUresult r = CUDA_SUCCESS;
	struct work *w = stream->first, *next;

	for (; w; w = next) {
		next = w->next;
		if (!r && w->kernel)
			r = fake_kernel_run(w->kernel, &w->grid, &w->block,
					    w->args);
		else if (!r)
			r = copy(w);
		free(w);
	}
	stream->first = NULL;
	stream->last = &stream->first;
	return r;
}

static struct work *
enqueue(struct thing *stream, size_t nbytes)
{
	struct work *w = calloc(1, sizeof(*w) + nbytes);

	if (!w)
		abort();
	*stream->last = w;
	stream->last = &w->next;
	return w;
}

/* Even where it reports an error it frees, as the real one does. */
static CUresult
free_memory(enum kind kind, const void *p, CUresult r)
{
	struct thing *t = find(kind, p);

	if (!t || t->bytes != p)
		return r ? r : CUDA_ERROR_INVALID_VALUE;
	for (struct thing *s = things; s; s = s->next)
		if (s->kind == STREAM && !r)
			r = drain(s);
	discard(t);
	return r;
}

EXPORT CUresult
cuMemFree(CUdeviceptr p)
{
	CUresult r = enter(true);

	return leave(free_memory(DEVICE_MEMORY, (void *)(uintptr_t)p, r));
}

EXPORT CUresult
cuMemFreeHost(void *p)
{
	CUresult r = enter(true);

	return leave(free_memory(PINNED_MEMORY, p, r));
}

EXPORT CUresult
cuStreamCreate(CUstream *stream, unsigned flags)
{
	CUresult r = enter(true);

	if (!r && flags > CU_STREAM_NON_BLOCKING)
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r)
		*stream = (CUstream)(void *)add(STREAM);
	return leave(r);
}

EXPORT CUresult
cuStreamDestroy(CUstream stream)
{
	CUresult r = enter(true);
	struct thing *t = find(STREAM, stream);

	if (!t)
		return leave(r ? r : CUDA_ERROR_INVALID_HANDLE);
	drain(t);
	discard(t);
	return leave(r);
}

EXPORT CUresult
cuStreamSynchronize(CUstream stream)
{
	CUresult r = enter(true);
	struct thing *t = find(STREAM, stream);

	if (!r && !t)
		r = CUDA_ERROR_INVALID_HANDLE;
	return leave(r ? r : drain(t));
}

static CUresult
enqueue_copy(CUstream stream, char *dst, const char *src, size_t nbytes)
{
	struct thing *t = find(STREAM, stream);
	struct work *w;

	if (!t)
		return CUDA_ERROR_INVALID_HANDLE;
	w = enqueue(t, 0);
	w->dst = dst;
	w->src = src;
	w->nbytes = nbytes;
	return CUDA_SUCCESS;
}

EXPORT CUresult
cuMemcpyHtoDAsync(CUdeviceptr dst, const void *src, size_t nbytes,
		  CUstream stream)
{
	CUresult r = enter(true);
	char *to = (char *)(uintptr_t)dst;

	if (!r && (!inside(DEVICE_MEMORY, to, nbytes) || !is_host(src, nbytes)))
		r = CUDA_ERROR_INVALID_VALUE;
	return leave(r ? r : enqueue_copy(stream, to, src, nbytes));
}

EXPORT CUresult
cuMemcpyDtoHAsync(void *dst, CUdeviceptr src, size_t nbytes, CUstream stream)
{
	CUresult r = enter(true);
	const char *from = (const char *)(uintptr_t)src;

	if (!r &&
	    (!inside(DEVICE_MEMORY, from, nbytes) || !is_host(dst, nbytes)))
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r) {
		memset(dst, POISON, nbytes);
		r = enqueue_copy(stream, dst, from, nbytes);
	}
	return leave(r);
}

EXPORT CUresult
cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y,
	       unsigned grid_z, unsigned block_x, unsigned block_y,
	       unsigned block_z, unsigned shared, CUstream stream, void **args,
	       void **extra)
{
	CUresult r = enter(true);
	const struct thing *f = find(FUNCTION, function);
	struct thing *t = find(STREAM, stream);
	struct fake_dim grid = { grid_x, grid_y, grid_z };
	struct fake_dim block = { block_x, block_y, block_z };
	struct work *w;

	if (!r && (!f || !t))
		r = CUDA_ERROR_INVALID_HANDLE;
	if (!r && (!fake_kernel_fits(&grid, &block, shared) || !args || extra))
		r = CUDA_ERROR_INVALID_VALUE;
	if (r)
		return leave(r);
	w = enqueue(t, f->kernel->nbytes);
	w->kernel = f->kernel;
	w->grid = grid;
	w->block = block;
	memcpy(w->args, args[0], f->kernel->nbytes);
	return leave(CUDA_SUCCESS);
}
