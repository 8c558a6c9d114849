/*
 * test_bits.c - masks as bits, against a plain loop over bytes
 */
#include "kernels.h"
#include "lib/kernel/bits.h"
#include "lib/kernel/types.h"
#include "lib/op/mask.h"

#define MOST 400
#define NWORDS (MOST / TSL_BITS_WORD + 1)

/* A mask as bytes, and as bits. */
struct example {
	char *bytes; /* a block of its own: what is beyond is not to be read */
	uint64_t bits[NWORDS];
	int64_t n, lo, hi;
};

static void
example_init(struct example *x)
{
	int64_t full = check_between(&seed, 0, 8);

	x->n = check_between(&seed, 1, MOST);
	x->lo = check_between(&seed, 0, x->n);
	x->hi = check_between(&seed, x->lo, x->n);
	x->bytes = malloc((size_t)x->n);
	for (int64_t i = 0; i < x->n; i++)
		x->bytes[i] = check_between(&seed, 0, 7) < full
				      ? (char)check_between(&seed, 1, 255)
				      : 0;
}

static int64_t
count(const struct example *x, int64_t lo, int64_t hi)
{
	int64_t n = 0;

	for (int64_t i = lo; i < hi; i++)
		n += x->bytes[i] != 0;
	return n;
}

static void
check_packing(bool plain)
{
	struct example x;
	int64_t number = 0;

	example_init(&x);
	memset(x.bits, 0xff, sizeof(x.bits));
	tsl_plain_kernels = plain;
	CHECK_EQ(tsl_bits_pack(x.bits, x.bytes, x.n), count(&x, 0, x.n));
	tsl_plain_kernels = false;
	for (int64_t i = 0; i < (x.n + 63) / 64 * 64; i++)
		CHECK_EQ(x.bits[i / 64] >> i % 64 & 1,
			 i < x.n && x.bytes[i] != 0);
	CHECK_EQ(tsl_bits_count(x.bits, x.lo, x.hi), count(&x, x.lo, x.hi));
	for (int64_t i = x.lo; i < x.n; i++)
		if (x.bytes[i])
			CHECK_EQ(tsl_bits_find(x.bits, x.lo, number++), i);
	free(x.bytes);
}

static void
check_runs(void)
{
	struct example x;
	int64_t runs = 0;

	example_init(&x);
	tsl_bits_pack(x.bits, x.bytes, x.n);
	for (int64_t i = x.lo; i < x.hi; i++)
		runs += x.bytes[i] && (i == x.lo || !x.bytes[i - 1]);
	CHECK_EQ(tsl_bits_runs(x.bits, x.lo, x.hi), runs);
	for (int set = 0; set < 2; set++) {
		int64_t at = x.lo;

		while (at < x.hi && (x.bytes[at] != 0) != set)
			at++;
		CHECK_EQ(tsl_bits_next(x.bits, x.lo, x.hi, set), at);
	}
	free(x.bytes);
}

static void
check_moving(int64_t nbytes, bool same)
{
	struct example x;
	int64_t n, at = 0, step = same ? 0 : nbytes;
	struct source all, some;
	struct target got, want, put, wanted;

	example_init(&x);
	tsl_bits_pack(x.bits, x.bytes, x.n);
	n = count(&x, x.lo, x.hi);
	all = source_new((x.hi - x.lo) * nbytes);
	some = source_new(same ? nbytes : n * nbytes);
	got = target_new(n * nbytes + TSL_BITS_SLACK);
	want = target_new(n * nbytes + TSL_BITS_SLACK);
	put = target_new((x.hi - x.lo) * nbytes);
	wanted = target_new((x.hi - x.lo) * nbytes);
	for (int64_t i = x.lo; i < x.hi; i++) {
		if (!x.bytes[i])
			continue;
		memcpy(want.bytes + at * nbytes,
		       all.bytes + (i - x.lo) * nbytes, (size_t)nbytes);
		memcpy(wanted.bytes + (i - x.lo) * nbytes,
		       some.bytes + at * step, (size_t)nbytes);
		at++;
	}
	tsl_plain_kernels = check_between(&seed, 0, 1);
	tsl_bits_compress(got.bytes, all.bytes, x.bits, x.lo, x.hi,
			  (size_t)nbytes);
	tsl_plain_kernels = false;
	/* What is in the room behind is nobody's. */
	memset(got.bytes + n * nbytes, 0, TSL_BITS_SLACK);
	memset(want.bytes + n * nbytes, 0, TSL_BITS_SLACK);
	CHECK(target_is(&got, &want), "rows of %lld", (long long)nbytes);
	tsl_bits_put(put.bytes, some.bytes, step, x.bits, x.lo, x.hi,
		     (size_t)nbytes);
	CHECK(target_is(&put, &wanted), "rows of %lld", (long long)nbytes);
	free(all.block);
	free(some.block);
	free(got.block);
	free(want.block);
	free(put.block);
	free(wanted.block);
	free(x.bytes);
}

static void
test_bytes_to_bits(void)
{
	for (int i = 0; i < 300; i++)
		check_packing(i % 2);
}

static void
test_runs(void)
{
	for (int i = 0; i < 500; i++)
		check_runs();
}

static void
test_rows_by_bits(void)
{
	static const int64_t widths[] = { 1, 2, 3, 4, 8, 12, 16, 24, 100 };

	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++)
		for (int k = 0; k < 60; k++)
			check_moving(widths[i], k % 3 == 0);
}

static void
test_true_elements_are_found_in_their_blocks(void)
{
	/* Before each block; two have none. */
	int64_t before[] = { 0, 0, 3, 4, 4, 9 };
	static const int64_t block[] = { 1, 1, 1, 2, 4, 4, 4, 4, 4 };
	const struct tsl_mask mask = { .ntrue = 9,
				       .nblocks = 5,
				       .before = before };

	for (int64_t i = 0; i < mask.ntrue; i++)
		CHECK_EQ(tsl_mask_block(&mask, i), block[i]);
}

int
main(void)
{
	RUN(test_bytes_to_bits);
	RUN(test_runs);
	RUN(test_rows_by_bits);
	RUN(test_true_elements_are_found_in_their_blocks);
	return check_done();
}
