/*
 * test_cut.c - boxes of transposed arrays whose runs are pages of a file
 *
 * Arrays large enough for that, of any shape: what the runs of all boxes say
 * is the whole output, none of them twice, and they begin where they should.
 */
#include "check.h"

#include "lib/tslice.h"
#include "lib/view/cut.h"
#include "lib/view/walk.h"

#define KIB ((int64_t)1024)
#define MAX_NBYTES (16 * KIB * KIB)

/* Three dims of an array that is to be turned round. */
struct drawn {
	struct tsl_array a;
	struct tsl_cut_limits limits;
};

static void
draw(struct drawn *d, uint64_t *seed)
{
	struct tsl_array *a = &d->a;
	int64_t inner = check_between(seed, 1, 2000);
	int64_t size = (int64_t)1 << check_between(seed, 0, 4);

	/* Half of them have rows that all begin alike. */
	if (check_between(seed, 0, 1))
		inner = (int64_t)1 << check_between(seed, 0, 11);
	*a = (struct tsl_array){ .dtype = { .size = size },
				 .ndim = 3,
				 .fortran_order = true };
	a->dim[0] = check_between(seed, 2, 130);
	a->dim[2] = inner;
	a->dim[1] =
		check_between(seed, 1, MAX_NBYTES / (size * a->dim[0] * inner));
	if (check_between(seed, 0, 1))
		a->dim[1] = (a->dim[1] + 63) / 64 * 64;
	d->limits = (struct tsl_cut_limits){
		.out = check_between(seed, KIB * KIB, MAX_NBYTES),
		.in = INT64_MAX,
		.run = check_between(seed, 16, 256),
		.is_aligned = true,
		.origin = check_between(seed, 0, 100) * 48,
		.element = check_between(seed, 0, 3) ? size : 3 * size,
	};
}

/* Any multiple of the unit: what a row has before and behind is its own. */
static void
check_begin(const struct tsl_cut *cut, const struct tsl_run *run,
	    int64_t element)
{
	int64_t in_row = run->first % cut->row;

	CHECK(in_row == 0 || (cut->origin + run->first) % cut->unit == 0,
	      "a run begins at %lld of a row", (long long)in_row);
	CHECK_EQ((in_row ? run->first : 0) % element, 0);
	CHECK(run->nbytes > 0 && in_row + run->nbytes <= cut->row,
	      "%lld bytes of a row from %lld on", (long long)run->nbytes,
	      (long long)in_row);
}

static int64_t
put_box(const struct tsl_cut *cut, int64_t i, int64_t element, const char *in,
	char *got, char *out)
{
	int64_t stride[TSL_MAX_DIMS + 1];
	int64_t nbytes = 0;
	struct tsl_box box;
	struct tsl_run run;

	tsl_cut_box(cut, i, &box);
	tsl_box_stride(&box, stride);
	tsl_view_fill(&box.view, stride, in, 0, got);
	tsl_box_first_run(&box, &run);
	do {
		if (cut->unit)
			check_begin(cut, &run, element);
		CHECK(run.at >= 0 && run.at + run.nbytes <= tsl_cut_nbytes(cut),
		      "a run outside of its box");
		memcpy(out + run.first, got + run.at, (size_t)run.nbytes);
		nbytes += run.nbytes;
	} while (tsl_box_next_run(&box, &run));
	return nbytes;
}

static bool
is_turned(const struct tsl_array *a, const char *in, const char *out)
{
	int64_t size = a->dtype.size;
	int64_t x = a->dim[0], y = a->dim[1], z = a->dim[2];

	for (int64_t i = 0; i < x; i++)
		for (int64_t j = 0; j < y; j++)
			for (int64_t k = 0; k < z; k++)
				if (memcmp(out + ((i * y + j) * z + k) * size,
					   in + (i + (j + k * y) * x) * size,
					   (size_t)size) != 0)
					return false;
	return true;
}

/* Returns whether runs were aligned. */
static bool
check_drawn(const struct drawn *d, const char *in, char *out)
{
	struct tsl_cut cut;
	struct tsl_job job;
	int64_t written = 0;
	char *got;

	tsl_slice_all_init(&job, &d->a, TSL_ORDER_C);
	tsl_cut_init(&cut, &job.view, &d->limits);
	got = malloc((size_t)tsl_cut_nbytes(&cut));
	memset(out, 0, (size_t)job.nbytes);
	for (int64_t i = 0; i < cut.count; i++)
		written += put_box(&cut, i, d->limits.element, in, got, out);
	CHECK_EQ(written, job.nbytes);
	CHECK(is_turned(&d->a, in, out), "%lld x %lld x %lld of %lld differ",
	      (long long)d->a.dim[0], (long long)d->a.dim[1],
	      (long long)d->a.dim[2], (long long)d->a.dtype.size);
	free(got);
	return cut.unit > 0;
}

static void
test_aligned_runs_are_all_of_the_output(void)
{
	char *in = malloc((size_t)(2 * MAX_NBYTES));
	char *out = malloc((size_t)(2 * MAX_NBYTES));
	uint64_t seed = 29;
	int aligned = 0;

	for (int64_t i = 0; i < 2 * MAX_NBYTES; i += 8) {
		uint64_t any = check_random(&seed);

		memcpy(in + i, &any, 8);
	}
	for (int i = 0; i < 120; i++) {
		struct drawn d;

		draw(&d, &seed);
		if (tsl_array_nbytes(&d.a) <= 2 * MAX_NBYTES)
			aligned += check_drawn(&d, in, out);
	}
	CHECK(aligned > 10, "%d of them were aligned", aligned);
	free(in);
	free(out);
}

int
main(void)
{
	RUN(test_aligned_runs_are_all_of_the_output);
	return check_done();
}
