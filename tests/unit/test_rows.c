/*
 * test_rows.c - rows from anywhere and to anywhere, against a plain loop
 */
#include "kernels.h"
#include "lib/kernel/kernel.h"

#define NROWS 200

static void
check_gather(int64_t nbytes, int64_t n)
{
	struct source s = source_new(nbytes * 50);
	struct target got = target_new(n * nbytes);
	struct target want = target_new(n * nbytes);
	int64_t row[NROWS], order[NROWS];
	uint64_t place[NROWS];
	int bits = (int)check_between(&seed, 8, 40);
	int64_t npicked = n > 0 ? check_between(&seed, 1, n) : 0;

	shuffle(order, n);
	for (int64_t i = 0; i < n; i++)
		row[i] = 1000 + check_between(&seed, 0, 49) * nbytes;
	for (int64_t i = 0; i < npicked; i++) {
		place[i] = (uint64_t)row[order[i]] << bits | (uint64_t)order[i];
		memcpy(want.bytes + order[i] * nbytes,
		       s.bytes + (row[order[i]] - 1000), (size_t)nbytes);
	}
	tsl_gather_rows(got.bytes, s.bytes, 1000, place, bits, npicked,
			(size_t)nbytes);
	CHECK(target_is(&got, &want), "rows of %lld bytes", (long long)nbytes);
	free(s.block);
	free(got.block);
	free(want.block);
}

/* Some rows, to places of which some are named twice; the last one wins. */
static void
check_scatter(int64_t nbytes, int64_t n)
{
	struct source s = source_new(n * nbytes);
	struct target got = target_new(nbytes * 50);
	struct target want = target_new(nbytes * 50);
	uint64_t place[NROWS];
	int bits = (int)check_between(&seed, 8, 40);
	int64_t nput = 0;

	for (int64_t i = 0; i < n; i++) {
		int64_t row = check_between(&seed, 0, 39) * nbytes;

		if (check_between(&seed, 0, 3) == 0)
			continue;
		place[nput++] = (uint64_t)(1000 + row) << bits | (uint64_t)i;
		memcpy(want.bytes + row, s.bytes + i * nbytes, (size_t)nbytes);
	}
	tsl_put_rows(got.bytes, 1000, s.bytes, place, bits, nput,
		     (size_t)nbytes);
	CHECK(target_is(&got, &want), "rows of %lld bytes", (long long)nbytes);
	free(s.block);
	free(got.block);
	free(want.block);
}

/* The same rows of each table, behind the last of which there is nothing. */
static void
check_take(int64_t nbytes, int64_t n, int64_t ntables, int64_t apart,
	   bool some_bad)
{
	struct source s = source_new(ntables * apart);
	struct target got = target_new(ntables * n * nbytes);
	struct target want = target_new(ntables * n * nbytes);
	int64_t row[NROWS];

	for (int64_t i = 0; i < n; i++) {
		row[i] = check_between(&seed, 0, apart - nbytes);
		if (some_bad && check_between(&seed, 0, 2) == 0)
			row[i] = -1;
	}
	for (int64_t i = 0; i < ntables * n; i++) {
		int64_t at = row[i % n];
		char *to = want.bytes + i * nbytes;

		if (at < 0)
			memset(to, 0, (size_t)nbytes);
		else
			memcpy(to, s.bytes + i / n * apart + at,
			       (size_t)nbytes);
	}
	tsl_take_rows(got.bytes, s.bytes, ntables, apart, row, n,
		      (size_t)nbytes);
	CHECK(target_is(&got, &want), "%lld rows of %lld bytes of %lld tables",
	      (long long)n, (long long)nbytes, (long long)ntables);
	free(s.block);
	free(got.block);
	free(want.block);
}

static void
test_rows_of_table_after_table(void)
{
	for (int64_t nbytes = 1; nbytes <= 70; nbytes++) {
		for (int64_t n = 1; n <= 6; n++) {
			check_take(nbytes, n, 9, nbytes * 3, false);
			check_take(nbytes, n, 5, nbytes * 3, true);
		}
		check_take(nbytes, NROWS, 3, nbytes * 50, true);
		check_take(nbytes, NROWS, 2, 40000, true);
		check_take(nbytes, NROWS, 2, 40000, false);
	}
	check_take(5000, 20, 3, 50000, true);
}

static void
test_rows_to_anywhere(void)
{
	for (int64_t nbytes = 1; nbytes <= 130; nbytes++) {
		check_scatter(nbytes, NROWS);
		check_scatter(nbytes, check_between(&seed, 0, 20));
	}
	check_scatter(1024, NROWS);
	check_scatter(5000, 40);
}

static void
test_rows_from_anywhere(void)
{
	for (int64_t nbytes = 1; nbytes <= 130; nbytes++) {
		check_gather(nbytes, NROWS);
		check_gather(nbytes, check_between(&seed, 0, 20));
	}
	check_gather(1024, NROWS);
	check_gather(5000, 40);
}

int
main(void)
{
	RUN(test_rows_from_anywhere);
	RUN(test_rows_to_anywhere);
	RUN(test_rows_of_table_after_table);
	return check_done();
}
