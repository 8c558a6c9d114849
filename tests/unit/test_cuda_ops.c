/*
 * test_cuda_ops.c - gather_nd and matrix_set_diag on a GPU
 */
#ifdef TSL_HAVE_CUDA

#include "check.h"

#include "lib/view/cut.h"
#include "tests/cuda/compare.h"

/* ---- gather_nd ----------------------------------------------------------- */

/*
 * Windows of the table such that each run lies in one.  They overlap, and some
 * runs are fetched twice.
 */
static int
draw_windows(int64_t table, int64_t run, struct part part[], int max)
{
	int64_t lo = 0;
	int n = 0;

	while (lo < table && n < max) {
		struct part *p = &part[n++];

		p->lo = lo;
		p->hi = n == max ? table
				 : min(table, lo + between(run, 3 * run));
		p->elsewhere = between(0, 1);
		/* The next begins so that no run is lost between the two. */
		lo = p->hi == table ? table : p->hi - run + 1;
	}
	return n;
}

/* Runs of a table in any order, some of zeros. */
static void
check_rows(const struct tsl_gather_job *g, int64_t n)
{
	int64_t table = tsl_array_extent(&g->job.in), nbytes = g->run_nbytes;
	int64_t begin = tsl_array_offset(&g->job.in), apart;
	char *in = random_bytes(table);
	char *want = calloc((size_t)n, (size_t)nbytes);
	int64_t *offset = malloc((size_t)n * sizeof(*offset));
	struct tsl_block b = { .n = n * nbytes };
	struct part part[16];
	int nparts = draw_windows(table, nbytes, part, 16);
	bool none = between(0, 9) == 0;

	tsl_array_strides(&g->job.in, &apart);
	for (int64_t i = 0; i < n; i++) {
		offset[i] = -1;
		if (none || between(0, 15) == 0)
			continue;
		offset[i] = begin + between(0, g->job.in.dim[0] - 1) * apart;
		memcpy(want + i * nbytes, in + offset[i], (size_t)nbytes);
	}
	b.side = (const char *)offset;
	b.side_nbytes = n * (int64_t)sizeof(*offset);
	/* Of zeros alone nothing need be fed. */
	check_block(&g->job, &b, part, none ? (int)between(0, 1) : nparts, in,
		    want);
	free(offset);
	free(want);
	free(in);
}

static void
check_runs(int64_t nbytes, int64_t table, int64_t n)
{
	const struct tsl_gather_job g = {
		.job.in = { .dtype = { 'V', '|', nbytes, "'|V'" },
			    .ndim = 1,
			    .dim = { table } },
		.depth = 1,
		.run_nbytes = nbytes,
	};

	check_rows(&g, n);
}

static void
test_runs_in_windows(void)
{
	for (int i = 0; i < 600; i++)
		check_runs(between(1, between(0, 3) ? 40 : 8), between(1, 60),
			   between(1, 300));
}

static void
test_long_runs(void)
{
	for (int i = 0; i < 40; i++)
		check_runs(between(40, 9000), between(1, 20), between(1, 30));
}

/* A field is anywhere in its record. */
static void
test_runs_of_fields(void)
{
	for (int i = 0; i < 300; i++) {
		int64_t nbytes = between(1, between(0, 3) ? 40 : 8);
		int64_t offset = between(0, 20);
		const struct tsl_field f = {
			.records.size = offset + nbytes + between(0, 20),
			.offset = offset,
		};
		struct tsl_gather_job g = {
			.job.in = { .ndim = 1,
				    .dim = { between(1, 60) },
				    .field = &f },
			.depth = 1,
			.run_nbytes = nbytes,
		};

		g.job.in.dtype.size = nbytes;
		check_rows(&g, between(1, 300));
	}
}

/* ---- matrix_set_diag ----------------------------------------------------- */

/* Any new values, over a part of the copy of the input that 'plain' is. */
static void
check_band_block(const struct tsl_set_diag_job *s, const char *in,
		 const char *plain)
{
	const struct tsl_job *job = &s->job;
	struct tsl_cut_limits limits = { .out = between(1, job->nbytes),
					 .in = INT64_MAX,
					 .in_order = true };
	struct part part = { .elsewhere = between(0, 1) };
	struct tsl_box box;
	struct tsl_run run;
	struct tsl_block b = { .view = &box.view };
	struct tsl_cut c;
	char *side, *want;

	tsl_cut_init(&c, &job->view, &limits);
	tsl_cut_box(&c, between(0, c.count - 1), &box);
	tsl_box_first_run(&box, &run);
	b.first = run.first;
	b.n = run.nbytes;
	tsl_view_span(&box.view, &part.lo, &part.hi);
	b.side_nbytes = job->op->side_nbytes(job, b.first, b.n);
	side = malloc((size_t)(b.side_nbytes ? b.side_nbytes : 1));
	for (int64_t i = 0; i < b.side_nbytes; i++)
		side[i] = (char)check_random(&seed);
	want = malloc((size_t)b.n);
	memcpy(want, plain + b.first, (size_t)b.n);
	job->op->patch(job, b.first, b.n, side, want);
	b.side = side;
	check_block(job, &b, &part, 1, in, want);
	free(want);
	free(side);
}

static void
check_set_diag(const struct tsl_array *a)
{
	int64_t nrows = a->dim[a->ndim - 2], ncols = a->dim[a->ndim - 1];
	struct tsl_band_options o = { 0 };
	struct tsl_array diagonal = *a;
	struct tsl_set_diag_job s;
	int64_t stride[TSL_MAX_DIMS + 1];
	char *in, *plain;

	o.lower = between(1 - nrows, ncols - 1);
	o.upper = between(0, 1) ? o.lower : between(o.lower, ncols - 1);
	if (between(0, 4) == 0) { /* all of the matrix */
		o.lower = 1 - nrows;
		o.upper = ncols - 1;
	}
	diagonal.ndim = a->ndim - 1 + (o.lower < o.upper);
	diagonal.dim[a->ndim - 2] = o.upper - o.lower + 1;
	diagonal.dim[diagonal.ndim - 1] =
		min(nrows + min(o.upper, 0), ncols + min(-o.lower, 0));
	if (tsl_set_diag_job_init(&s, a, &diagonal, &o, NULL) != TSL_OK)
		abort();
	in = random_bytes(s.job.nbytes);
	plain = malloc((size_t)s.job.nbytes);
	tsl_view_dense(&s.job.view, stride);
	tsl_view_fill(&s.job.view, stride, in, 0, plain);
	for (int i = 0; i < 3; i++)
		check_band_block(&s, in, plain);
	free(plain);
	free(in);
}

static void
test_bands(void)
{
	for (int i = 0; i < 500; i++) {
		struct tsl_array a;

		draw_array(&a, 0, 0);
		a.ndim = (int)between(2, 4);
		for (int d = 0; d < a.ndim; d++)
			a.dim[d] = between(1, d < a.ndim - 2 ? 4 : 40);
		check_set_diag(&a);
	}
}

/*
 * Row numbers of more than 32 bits, in a matrix of 2^32 rows and three columns
 * of which only the block's are there; the band is diagonals -1 and 0, or all.
 */
static void
check_bands_far_down(int64_t width, int64_t row, bool all)
{
	struct tsl_array a = { .dtype = { 'V', '|', width, "'|V'" },
			       .ndim = 2,
			       .dim = { 3, 3 } };
	struct tsl_array d = { .dtype = a.dtype, .ndim = 2, .dim = { 2, 3 } };
	struct tsl_band_options o = { .lower = -1 };
	struct part part = { 0, 9 * width, false };
	struct tsl_view v = { .ndim = 1, .width = 1, .stride = { 1 } };
	char in[9 * 16], side[9 * 16], want[9 * 16];
	struct tsl_set_diag_job s;
	struct tsl_block b = { .view = &v, .side = side };

	v.dim[0] = b.n = 9 * width;
	for (int i = 0; i < 9 * 16; i++) {
		in[i] = want[i] = 'i';
		side[i] = (char)('A' + i);
	}
	if (tsl_set_diag_job_init(&s, &a, &d, &o, NULL) != TSL_OK)
		abort();
	s.band.nrows = INT64_C(1) << 32;
	if (all) {
		s.band.options.lower = 1 - s.band.nrows;
		s.band.options.upper = 2;
		s.band.ndiags = s.band.nrows + 2;
	}
	b.first = row * 3 * width;
	b.side_nbytes = s.job.op->side_nbytes(&s.job, b.first, b.n);
	s.job.op->patch(&s.job, b.first, b.n, side, want);
	check_block(&s.job, &b, &part, 1, in, want);
}

static void
test_bands_of_more_than_32_bits(void)
{
	for (int64_t width = 1; width <= 16; width *= 2)
		for (int all = 0; all < 2; all++) {
			check_bands_far_down(width, 0, all);
			/* Far down a narrow band has left the matrix. */
			check_bands_far_down(width, (INT64_C(1) << 32) - 3,
					     all);
		}
}

static void
test_every_kernel_ran(void)
{
	check_all_ran("gather");
	check_all_ran("band");
}

int
main(void)
{
	open_gpu();
	RUN(test_runs_in_windows);
	RUN(test_long_runs);
	RUN(test_runs_of_fields);
	RUN(test_bands);
	RUN(test_bands_of_more_than_32_bits);
	RUN(test_every_kernel_ran);
	tsl_cuda_close(gpu);
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
