/*
 * test_duplicate_strings.c - strings that are there twice, also among many that
 * somebody chose so that they come to one place of a table
 */
#include "check.h"

#include "npyio/format/duplicate_strings.h"

#define COUNT 300

static char bytes[COUNT][8];
static struct npyio_string string[COUNT];

static void
check_twice(int64_t want)
{
	struct tsl_error err;
	int64_t twice;

	CHECK_EQ(npyio_find_duplicate_string(string, COUNT, &twice, &err),
		 TSL_OK);
	CHECK_EQ(twice >= 0, want >= 0);
	if (want >= 0 && twice >= 0)
		CHECK(memcmp(string[twice].s, string[want].s, 8) == 0,
		      "%lld is not there twice", (long long)twice);
}

/* None, and then the last one as the first. */
static void
check_all(void)
{
	for (int i = 0; i < COUNT; i++)
		string[i] = (struct npyio_string){ bytes[i], 8 };
	check_twice(-1);
	string[COUNT - 1].s = bytes[0];
	check_twice(0);
}

static void
test_strings(void)
{
	for (int i = 0; i < COUNT; i++)
		snprintf(bytes[i], sizeof(bytes[i]), "%07d", i);
	check_all();
}

/* What undoes the multiplication in hash_of(). */
static uint64_t
inverse_of(uint64_t odd)
{
	uint64_t inverse = odd;

	for (int i = 0; i < 6; i++)
		inverse *= 2 - odd * inverse;
	return inverse;
}

static void
test_strings_of_one_place(void)
{
	uint64_t inverse = inverse_of(UINT64_C(0x9E3779B97F4A7C15));

	for (int i = 0; i < COUNT; i++) {
		uint64_t hash = (uint64_t)i << 24;
		uint64_t word = (hash ^ hash >> 32) * inverse ^ 8;

		memcpy(bytes[i], &word, sizeof(word));
	}
	check_all();
}

int
main(void)
{
	RUN(test_strings);
	RUN(test_strings_of_one_place);
	return check_done();
}
