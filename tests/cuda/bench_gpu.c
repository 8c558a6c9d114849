/*
 * bench_gpu.c - how fast the kernels are, against a copy of as many bytes
 *
 * usage: bench_gpu [MIB]	of output in a case, 1024
 *
 * Everything is in the GPU's memory.  A line of JSON for each case: what it
 * is, bytes of output, and seconds: of the kernels and of a copy, each the
 * median of ROUNDS after a warm-up.  tests/bench/gpu.py makes a table of it.
 * Ends with 77, and says why, where there is no GPU.
 */
#include "cuda/backend_cuda.h"
#include "cuda/gpu.h"
#include "lib/op/gather_nd.h"
#include "lib/tslice.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 21
#define WARM_UP 5
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

/* What only a benchmark needs of the driver. */
#define FUNCTIONS(X)          \
	X(cuMemcpyDtoDAsync)  \
	X(cuEventCreate)      \
	X(cuEventRecord)      \
	X(cuEventSynchronize) \
	X(cuEventElapsedTime)

struct bench {
	struct tsl_cuda *gpu;
	const struct tsl_cuda_driver *d;
	CUstream stream;
	CUevent start, stop;
	CUdeviceptr in, out, side;
	int64_t nbytes; /* of each */
#define X(name) __typeof__(name) *name;
	FUNCTIONS(X)
#undef X
};

static void
stop_at(const char *what)
{
	fprintf(stderr, "bench_gpu: %s\n", what);
	exit(1);
}

static void
must(const struct bench *b, CUresult result, const char *what)
{
	struct tsl_error err;

	if (tsl_cuda_check(b->d, result, "bench_gpu", what, &err))
		stop_at(err.msg);
}

static void
open_bench(struct bench *b)
{
	void *library = dlopen("libcuda.so.1", RTLD_NOW);
	void *found;

	b->d = &b->gpu->driver;
#define X(name)                                              \
	found = library ? dlsym(library, TEXT(name)) : NULL; \
	if (!found)                                          \
		stop_at("the driver lacks " TEXT(name));     \
	memcpy(&b->name, &found, sizeof(found));
	FUNCTIONS(X)
#undef X
	must(b, b->d->cuStreamCreate(&b->stream, CU_STREAM_NON_BLOCKING),
	     "stream");
	must(b, b->cuEventCreate(&b->start, CU_EVENT_DEFAULT), "event");
	must(b, b->cuEventCreate(&b->stop, CU_EVENT_DEFAULT), "event");
	must(b, b->d->cuMemAlloc(&b->in, (size_t)b->nbytes), "memory");
	must(b, b->d->cuMemAlloc(&b->out, (size_t)b->nbytes), "memory");
	must(b, b->d->cuMemAlloc(&b->side, (size_t)b->nbytes), "memory");
}

static int
compare(const void *a, const void *b)
{
	float x = *(const float *)a, y = *(const float *)b;

	return (x > y) - (x < y);
}

/* Median seconds of a plan; NULL: of a copy of n bytes. */
static double
time_of(const struct bench *b, const struct tsl_cuda_plan *plan, int64_t n)
{
	float ms[ROUNDS];
	struct tsl_error err;

	for (int i = -WARM_UP; i < ROUNDS; i++) {
		must(b, b->cuEventRecord(b->start, b->stream), "event");
		if (!plan)
			must(b,
			     b->cuMemcpyDtoDAsync(b->out, b->in, (size_t)n,
						  b->stream),
			     "copy");
		else if (tsl_cuda_launch(b->gpu, plan, b->stream, &err))
			stop_at(err.msg);
		must(b, b->cuEventRecord(b->stop, b->stream), "event");
		must(b, b->cuEventSynchronize(b->stop), "running");
		if (i >= 0)
			must(b,
			     b->cuEventElapsedTime(&ms[i], b->start, b->stop),
			     "event");
	}
	qsort(ms, ROUNDS, sizeof(ms[0]), compare);
	return (double)ms[ROUNDS / 2] / 1000;
}

/* 'what' is the part of the line that says what a peer should do. */
static void
report(const struct bench *b, const struct tsl_cuda_plan *plan,
       const char *what, int64_t nbytes)
{
	printf("{%s, \"kernel\": \"%s\", \"nbytes\": %lld, \"seconds\": %.9f, "
	       "\"copy\": %.9f}\n",
	       what, plan->kernel, (long long)nbytes, time_of(b, plan, nbytes),
	       time_of(b, NULL, nbytes));
	fflush(stdout);
}

/* ---- slices -------------------------------------------------------------- */

struct slice_case {
	const char *spec; /* of an array of rows of 'columns' */
	int64_t width, columns;
	bool transposed; /* from C to Fortran order */
	int64_t multiple; /* that the number of rows is of; 0: it is odd */
};

static const struct slice_case slices[] = {
	{ ":,16:-16", 4, 4096, false, 0 }, { ":,1:-1", 1, 4099, false, 0 },
	{ ":,::-1", 4, 4096, false, 0 },   { ":,::-1", 1, 4096, false, 0 },
	{ "::-1,1:", 2, 4096, false, 0 },  { ":,::2", 4, 4096, false, 0 },
	{ ":,::2", 1, 4096, false, 0 },    { ":,::3", 2, 4096, false, 0 },
	{ ":,::8", 4, 4096, false, 0 },    { ":,::-2", 8, 4096, false, 0 },
	{ ":,:2", 1, 3, false, 0 },        { ":,::-1", 1, 3, false, 0 },
	{ ":,:3", 2, 4, false, 0 },        { ":,:25", 4, 26, false, 0 },
	{ ":,:101", 1, 102, false, 0 },    { ":,:501", 1, 502, false, 0 },
	{ ":,:101", 2, 102, false, 0 },    { ":,::2", 2, 9, false, 0 },
	{ ":,:", 1, 8192, true, 128 },     { ":,:", 2, 8192, true, 128 },
	{ ":,:", 4, 8192, true, 64 },      { ":,:", 8, 8192, true, 32 },
	{ ":,:", 16, 4096, true, 32 },     { ":,:", 1, 8192, true, 0 },
	{ ":,:", 2, 8192, true, 0 },       { "::-1,:", 1, 8192, true, 128 },
	{ "1:,1:", 1, 8191, true, 0 },     { "1:,1:", 4, 8191, true, 0 },
};

static void
run_slice(const struct bench *b, const struct slice_case *c)
{
	struct tsl_array a = { .ndim = 2, .dtype = { 'V', '|', 0, "" } };
	struct tsl_job slice;
	struct tsl_cuda_plan plan;
	struct tsl_selection sel;
	struct tsl_encoding e;
	struct tsl_shape shape;
	struct tsl_spec spec;
	char what[200];

	a.dtype.size = c->width;
	a.dim[1] = c->columns;
	a.dim[0] = (b->nbytes - 4096) / c->width / c->columns;
	if (c->multiple && a.dim[0] > c->multiple)
		a.dim[0] -= a.dim[0] % c->multiple;
	else
		a.dim[0] -= 1 + a.dim[0] % 2;
	shape = tsl_shape_of(&a);
	if (tsl_parse(&spec, c->spec, strlen(c->spec), NULL) ||
	    tsl_encode(&e, &spec, NULL) || tsl_resolve(&sel, &e, &shape, NULL))
		stop_at(c->spec);
	tsl_slice_job_init(&slice, &a, &sel, NULL,
			   c->transposed ? TSL_ORDER_F : TSL_ORDER_C);
	tsl_cuda_plan_view(&plan, &slice.view);
	tsl_cuda_place(&plan, b->in, 0, b->nbytes, b->out);
	snprintf(what, sizeof(what),
		 "\"op\": \"slice\", \"spec\": \"%s\", \"width\": %d, "
		 "\"shape\": [%lld, %lld], \"transposed\": %s",
		 c->spec, (int)c->width, (long long)a.dim[0],
		 (long long)a.dim[1], c->transposed ? "true" : "false");
	report(b, &plan, what, slice.nbytes);
}

/* ---- gather_nd ----------------------------------------------------------- */

/* Bytes; besides the powers of 4. */
static const int64_t odd_rows[] = { 3, 6, 33, 100, 501 };

static void
run_gather(const struct bench *b, int64_t row_nbytes)
{
	int64_t nrows = b->nbytes / row_nbytes;
	/* The offsets of the rows are to fit in 'side'. */
	int64_t n = nrows < b->nbytes / 8 ? nrows : b->nbytes / 8;
	int64_t *rows = malloc((size_t)n * sizeof(*rows));
	uint64_t x = 1;
	struct tsl_gather_job g = { .run_nbytes = row_nbytes };
	struct tsl_cuda_plan plan;
	char what[120];

	if (!rows)
		stop_at("out of memory");
	for (int64_t i = 0; i < n; i++) {
		/* Knuth's generator; its high bits are good enough. */
		x = x * 6364136223846793005u + 1442695040888963407u;
		rows[i] = (int64_t)((x >> 20) % (uint64_t)nrows) * row_nbytes;
	}
	must(b,
	     b->d->cuMemcpyHtoDAsync(b->side, rows, (size_t)n * sizeof(*rows),
				     b->stream),
	     "upload");
	must(b, b->d->cuStreamSynchronize(b->stream), "upload");
	free(rows);
	tsl_cuda_plan_runs(&plan, row_nbytes, tsl_gather_unit(&g), n);
	tsl_cuda_place(&plan, b->in, 0, b->nbytes, b->out);
	plan.args.view.run = (const int64_t *)(uintptr_t)b->side;
	snprintf(what, sizeof(what),
		 "\"op\": \"gather\", \"row\": %lld, \"rows\": %lld, "
		 "\"table\": %lld",
		 (long long)row_nbytes, (long long)n, (long long)nrows);
	report(b, &plan, what, n * row_nbytes);
}

/* ---- matrix_set_diag ----------------------------------------------------- */

/* The band alone: the matrices are uploaded to where they stay. */
static void
run_set_diag(const struct bench *b, int64_t side, int64_t upper)
{
	int64_t batch = b->nbytes / (side * side * 4);
	struct tsl_array a = { .dtype = { 'V', '|', 4, "" },
			       .ndim = 3,
			       .dim = { batch, side, side } };
	struct tsl_array d = { .dtype = a.dtype, .ndim = 2, .dim = { batch } };
	struct tsl_band_options o = { .upper = upper };
	struct tsl_set_diag_job s;
	struct tsl_cuda_plan plan;
	char what[120];

	d.ndim += upper > 0;
	d.dim[1] = upper > 0 ? upper + 1 : side;
	d.dim[2] = side;
	if (tsl_set_diag_job_init(&s, &a, &d, &o, NULL))
		stop_at("matrix_set_diag");
	tsl_cuda_plan_band(&plan, &s, 0, s.job.nbytes);
	plan.args.band.out = (char *)(uintptr_t)b->out;
	plan.args.band.side = (const char *)(uintptr_t)b->side;
	snprintf(what, sizeof(what),
		 "\"op\": \"set_diag\", \"side\": %lld, \"batch\": %lld, "
		 "\"diagonals\": %lld",
		 (long long)side, (long long)batch, (long long)upper + 1);
	report(b, &plan, what, batch * side * (upper + 1) * 4);
}

int
main(int argc, char **argv)
{
	long mib = argc > 1 ? strtol(argv[1], NULL, 10) : 1024;
	struct bench b = { .nbytes = (int64_t)mib * 1024 * 1024 };
	struct tsl_error err;

	if (mib < 1)
		stop_at("usage: bench_gpu [MIB]");
	if (tsl_cuda_open(&b.gpu, 0, &err)) {
		fprintf(stderr, "bench_gpu: %s\n", err.msg);
		return 77;
	}
	fprintf(stderr, "%s\n", tsl_cuda_describe(b.gpu));
	open_bench(&b);
	for (size_t i = 0; i < sizeof(slices) / sizeof(slices[0]); i++)
		run_slice(&b, &slices[i]);
	for (int64_t row = 1; row <= 4096; row *= 4)
		run_gather(&b, row);
	for (size_t i = 0; i < sizeof(odd_rows) / sizeof(odd_rows[0]); i++)
		run_gather(&b, odd_rows[i]);
	run_set_diag(&b, 1024, 0);
	run_set_diag(&b, 1024, 15);
	/* All of the memory goes with the context. */
	tsl_cuda_close(b.gpu);
	return 0;
}
