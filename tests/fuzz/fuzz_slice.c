/*
 * fuzz_slice.c - any text as a slice, applied to a small shape
 *
 * Property: what is selected lies within the array, and the job that comes of
 * it produces its whole output from the bytes it says it needs.
 */
#include "lib/tslice.h"
#include "lib/walk.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
must(bool ok)
{
	if (!ok)
		abort();
}

static void
run_job(const struct tsl_job *job)
{
	int64_t stride[TSL_MAX_DIMS + 1];
	int64_t lo, hi;
	char *in, *out;

	if (job->nbytes == 0)
		return;
	tsl_view_span(&job->view, &lo, &hi);
	must(lo >= 0 && lo < hi && hi <= tsl_array_nbytes(&job->in));
	in = calloc(1, (size_t)(hi - lo));
	out = malloc((size_t)job->nbytes);
	must(in && out);
	tsl_view_dense(&job->view, stride);
	tsl_view_fill(&job->view, stride, in, lo, out);
	free(in);
	free(out);
}

/* The first bytes choose the array: rank, order, width, sizes. */
static size_t
choose_array(struct tsl_array *a, const uint8_t *data, size_t size)
{
	static const int64_t dims[] = { 0, 1, 2, 3, 5, 7 };

	*a = (struct tsl_array){ .dtype.size = 1 };
	if (size < 6)
		return 0; /* a scalar */
	a->ndim = data[0] % 5;
	a->fortran_order = data[0] & 0x80;
	a->dtype.size = 1 << data[1] % 5;
	for (int i = 0; i < a->ndim; i++)
		a->dim[i] = dims[data[2 + i] % 6];
	return 6;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tsl_spec spec;
	struct tsl_encoding encoding;
	struct tsl_selection sel;
	struct tsl_job job;
	struct tsl_array a;
	struct tsl_shape shape;
	struct tsl_error err;
	size_t skip = choose_array(&a, data, size);

	if (tsl_parse(&spec, (const char *)data + skip, size - skip, &err) ||
	    tsl_encode(&encoding, &spec, &err)) {
		must(err.pos < 0 || (size_t)err.pos <= size - skip);
		return 0;
	}
	shape = tsl_shape_of(&a);
	if (tsl_resolve(&sel, &encoding, &shape, &err)) {
		must(err.item < spec.nitems);
		return 0;
	}
	tsl_slice_job_init(&job, &a, &sel,
			   (enum tsl_order)(skip ? data[5] % 3 : 0));
	run_job(&job);
	return 0;
}
