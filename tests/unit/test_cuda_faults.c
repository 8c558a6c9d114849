/*
 * test_cuda_faults.c - whatever a GPU's driver refuses becomes a status
 *
 * Needs the stand-in of tests/cuda: a real driver does not fail to order.
 */
#define _GNU_SOURCE /* setenv */
#ifdef TSL_HAVE_CUDA

#include "check.h"

#include "tests/cuda/drive.h"

#include <dlfcn.h>
#include <pthread.h>

static int (*fake_live)(long *made);
static bool (*fake_sleeps)(void);

static int
live(void)
{
	long made;

	return fake_live(&made);
}

static long
calls(void)
{
	long made;

	fake_live(&made);
	return made;
}

static void
set(const char *name, long value)
{
	char text[32];

	snprintf(text, sizeof(text), "%ld", value);
	setenv(name, text, 1);
}

/* A transposed table of bytes, 40 x 50. */
static void
init_slice(struct tsl_job *slice)
{
	struct tsl_array a = { .dtype = { 'V', '|', 4, "'|V4'" },
			       .ndim = 2,
			       .dim = { 40, 50 } };
	struct tsl_shape shape = tsl_shape_of(&a);
	struct tsl_selection sel;

	tsl_select_all(&sel, &shape);
	tsl_slice_job_init(slice, &a, &sel, NULL, TSL_ORDER_F);
}

/* The whole life of a GPU: two blocks of a slice. */
static enum tsl_status
slice_twice(struct tsl_error *err)
{
	static char in[8000], out[8000];
	struct tsl_job slice;
	struct tsl_block b = { &slice.view, 0, 8000, NULL, 0 };
	struct part part = { 0, 8000, false };
	struct tsl_cuda *gpu;
	enum tsl_status status = tsl_cuda_open(&gpu, 0, err);

	init_slice(&slice);
	for (int i = 0; i < 2 && !status; i++)
		status = drive_alone(tsl_cuda_backend(gpu), &slice, &b, &part,
				     1, in, out, err);
	tsl_cuda_close(gpu);
	return status;
}

/* Rows in two windows: both staging buffers, and memory from elsewhere. */
static enum tsl_status
gather_in_windows(struct tsl_error *err)
{
	static char in[800];
	int64_t offset[] = { 780, -1, 20 };
	struct part part[] = { { 0, 400, false },
			       { 400, 800, false },
			       { 400, 800, true } };
	char out[60];
	struct tsl_block b = { NULL, 0, 60, (char *)offset, sizeof(offset) };
	struct tsl_gather_job g = { .run_nbytes = 20 };
	struct tsl_cuda *gpu;
	enum tsl_status status = tsl_cuda_open(&gpu, 0, err);

	if (status)
		return status;
	status = drive_alone(tsl_cuda_backend(gpu), &g.job, &b, part, 3, in,
			     out, err);
	tsl_cuda_close(gpu);
	return status;
}

static void
check_refused(enum tsl_status (*scenario)(struct tsl_error *err),
	      const char *words)
{
	struct tsl_error err = { .msg = "" };
	enum tsl_status status = scenario(&err);

	CHECK_EQ(status, TSL_EDEVICE);
	CHECK(strstr(err.msg, words) != NULL, "'%s' in '%s'", words, err.msg);
	CHECK_EQ(live(), 0);
}

/*
 * Of what fails while things are given back nobody is told: those calls come
 * last, after a success.
 */
static void fail_every_call(enum tsl_status (*scenario)(struct tsl_error *err))
{
	long n, told = 0;

	set("FAKE_CUDA_FAIL", 0);
	CHECK_EQ(scenario(NULL), TSL_OK);
	n = calls();
	for (long i = 1; i <= n; i++) {
		struct tsl_error err = { .msg = "" };
		enum tsl_status status;

		set("FAKE_CUDA_FAIL", i);
		status = scenario(&err);
		CHECK(status == TSL_OK || status == TSL_EDEVICE, "call %ld: %d",
		      i, (int)status);
		CHECK(!status || strstr(err.msg, "unspecified launch failure"),
		      "call %ld: '%s'", i, err.msg);
		CHECK(live() == 0, "call %ld: %d things left", i, live());
		told += status != TSL_OK;
	}
	CHECK(told > n / 2, "%ld of %ld failures were told", told, n);
	set("FAKE_CUDA_FAIL", 0);
}

static void
test_every_call_failing(void)
{
	fail_every_call(slice_twice);
	fail_every_call(gather_in_windows);
}

static void
test_every_call_failing_for_good(void)
{
	set("FAKE_CUDA_STICKY", 1);
	fail_every_call(slice_twice);
	fail_every_call(gather_in_windows);
	set("FAKE_CUDA_STICKY", 0);
}

static void
test_no_device(void)
{
	set("FAKE_CUDA_DEVICES", 0);
	check_refused(slice_twice, "no CUDA-capable device is detected");
	set("FAKE_CUDA_DEVICES", 1);
}

static void
test_device_that_is_not_there(void)
{
	struct tsl_error err = { .msg = "" };
	struct tsl_cuda *gpu;

	CHECK_EQ(tsl_cuda_open(&gpu, 3, &err), TSL_EDEVICE);
	CHECK(strstr(err.msg, "cuda:3") &&
		      strstr(err.msg, "invalid device ordinal"),
	      "%s", err.msg);
	CHECK_EQ(live(), 0);
}

/* Minor versions are the driver's business, and what an image holds. */
static void
test_old_driver(void)
{
	char words[100];
	int major = 0;

	CHECK(sscanf(tsl_cuda_built_in(), "CUDA %d.", &major) == 1, "%s",
	      tsl_cuda_built_in());
	snprintf(words, sizeof(words),
		 "driver is for CUDA %d.4; this program needs %d.0", major - 1,
		 major);
	set("FAKE_CUDA_VERSION", (major - 1) * 1000 + 40);
	check_refused(slice_twice, words);
	/* Not a word of devices or images: it is asked first. */
	CHECK_EQ(calls(), 2);
	set("FAKE_CUDA_VERSION", major * 1000);
	CHECK_EQ(slice_twice(NULL), TSL_OK);
	set("FAKE_CUDA_VERSION", (major + 1) * 1000);
	CHECK_EQ(slice_twice(NULL), TSL_OK);
	unsetenv("FAKE_CUDA_VERSION");
}

/* A lane that waits leaves its core to others. */
static void
test_waiting_sleeps(void)
{
	CHECK_EQ(slice_twice(NULL), TSL_OK);
	CHECK(fake_sleeps(), "it does not");
}

static void
test_too_little_memory(void)
{
	for (long n = 0; n < 16000; n += 500) {
		set("FAKE_CUDA_MEMORY", n);
		check_refused(slice_twice, "out of memory");
	}
	unsetenv("FAKE_CUDA_MEMORY");
}

static void
test_what_a_lane_cannot_do(void)
{
	struct tsl_lane_sizes sizes = { 8000, 8000, 0 };
	char in[8000] = { 0 }, out[8000];
	struct tsl_job slice;
	struct tsl_block b = { &slice.view, 0, 8000, NULL, 0 };
	struct tsl_block large = { &slice.view, 0, 8004, NULL, 0 };
	struct tsl_block small = { &slice.view, 0, 7996, NULL, 0 };
	struct tsl_error err;
	struct tsl_lane *lane;
	struct tsl_cuda *gpu;
	const struct tsl_backend *t;

	init_slice(&slice);
	if (tsl_cuda_open(&gpu, 0, NULL))
		abort();
	t = tsl_cuda_backend(gpu);
	CHECK_EQ(t->open(&lane, t, &slice, &sizes, NULL), TSL_OK);
	CHECK_EQ(t->end(lane, out, &err), TSL_EDEVICE);
	CHECK_EQ(t->feed(lane, in, 0, 8000, &err), TSL_EDEVICE);
	CHECK_EQ(t->begin(lane, &large, &err), TSL_EDEVICE);
	CHECK_EQ(t->begin(lane, &small, &err), TSL_EDEVICE);
	CHECK_EQ(t->begin(lane, &b, &err), TSL_OK);
	CHECK_EQ(t->feed(lane, in, 0, 7996, &err), TSL_EDEVICE);
	CHECK_EQ(t->end(lane, out, &err), TSL_EDEVICE);
	CHECK_EQ(t->feed(lane, in, 0, 8000, &err), TSL_OK);
	CHECK_EQ(t->end(lane, out, &err), TSL_OK);
	t->close(lane);
	t->close(NULL);
	tsl_cuda_close(gpu);
	tsl_cuda_close(NULL);
	CHECK_EQ(live(), 0);
}

/* ---- threads ------------------------------------------------------------- */

static const struct tsl_backend *shared;

static void *
work(void *failed)
{
	static const struct tsl_lane_sizes sizes = { 8000, 8000, 0 };
	char in[8000], out[8000], want[8000];
	int64_t stride[TSL_MAX_DIMS + 1];
	struct tsl_job slice;
	struct tsl_lane *lane;

	init_slice(&slice);
	*(bool *)failed =
		shared->open(&lane, shared, &slice, &sizes, NULL) != TSL_OK;
	for (int64_t i = 0; i < 50 && !*(bool *)failed; i++) {
		struct tsl_view box = slice.view;
		struct tsl_block b = { &box, 0, 8000 - i * 160, NULL, 0 };
		struct part part = { 0, 8000, i % 2 };

		/* Columns from the i-th on. */
		box.dim[0] -= i;
		box.offset += i * box.stride[0];
		memset(in, (int)i, sizeof(in));
		in[i] = 1;
		tsl_view_dense(&box, stride);
		tsl_view_fill(&box, stride, in, 0, want);
		*(bool *)failed = drive_block(shared, lane, &b, &part, 1, in,
					      out, NULL) != TSL_OK ||
				  memcmp(out, want, (size_t)b.n) != 0;
	}
	shared->close(lane);
	return NULL;
}

static void
test_lanes_of_several_threads(void)
{
	pthread_t thread[4];
	bool failed[4];
	struct tsl_cuda *gpu;

	if (tsl_cuda_open(&gpu, 0, NULL))
		abort();
	shared = tsl_cuda_backend(gpu);
	for (int i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, work, &failed[i]);
	for (int i = 0; i < 4; i++) {
		pthread_join(thread[i], NULL);
		CHECK(!failed[i], "thread %d", i);
	}
	tsl_cuda_close(gpu);
	CHECK_EQ(live(), 0);
}

int
main(void)
{
	void *library = dlopen("libcuda.so.1", RTLD_NOW);

	if (library) {
		*(void **)&fake_live = dlsym(library, "fake_cuda_live");
		*(void **)&fake_sleeps = dlsym(library, "fake_cuda_sleeps");
	}
	if (!fake_live || !fake_sleeps) {
		puts("1..0 # SKIP only a stand-in for the driver fails to "
		     "order");
		return 77;
	}
	RUN(test_every_call_failing);
	RUN(test_every_call_failing_for_good);
	RUN(test_no_device);
	RUN(test_device_that_is_not_there);
	RUN(test_old_driver);
	RUN(test_waiting_sleeps);
	RUN(test_too_little_memory);
	RUN(test_what_a_lane_cannot_do);
	RUN(test_lanes_of_several_threads);
	return check_done();
}

#else

#include <stdio.h>

int
main(void)
{
	puts("1..0 # SKIP this build has no CUDA");
	return 77;
}

#endif
