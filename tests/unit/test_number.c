/*
 * test_number.c - many numbers from text, each rounded once
 */
#include "check.h"

#include "lib/base/number.h"
#include "lib/base/short_number.h"

#include <inttypes.h>
#include <math.h>

static struct tsl_powers powers;

static void
test_powers_are_exact_or_cut(void)
{
	/* 5^0, 5^55 (128 bits), 5^56, and the inverses of 5 and of 5^28 */
	static const struct {
		int q;
		uint64_t high, low;
	} some[] = {
		{ 0, UINT64_C(0x8000000000000000), 0 },
		{ 55, UINT64_C(0xd0cf4b50cfe20765),
		  UINT64_C(0xfff4b4e3f741cf6d) },
		{ 56, UINT64_C(0x82818f1281ed449f),
		  UINT64_C(0xbff8f10e7a8921a4) },
		{ -1, UINT64_C(0xcccccccccccccccc),
		  UINT64_C(0xcccccccccccccccd) },
		{ -28, UINT64_C(0xfd87b5f28300ca0d),
		  UINT64_C(0x8bca9d6e188853fc) },
	};

	for (size_t i = 0; i < sizeof(some) / sizeof(some[0]); i++) {
		CHECK(powers.of[some[i].q - TSL_LEAST_POWER].high ==
			      some[i].high,
		      "the high half of %d", some[i].q);
		CHECK(powers.of[some[i].q - TSL_LEAST_POWER].low == some[i].low,
		      "the low half of %d", some[i].q);
	}
}

static uint64_t
bits_of(const char *text, int nbytes)
{
	uint64_t bits = 0;
	size_t got =
		tsl_number_read(text, strlen(text), &powers, nbytes, &bits);

	CHECK(got == strlen(text), "%s: %zu bytes", text, got);
	return bits;
}

static void
test_hard_numbers(void)
{
	static const struct {
		int nbytes;
		const char *text;
		uint64_t bits;
	} hard[] = {
		{ 2, "65519.99", 0x7bff },
		{ 2, "65520", 0x7c00 },
		{ 2, "2049", 0x6800 },
		{ 2, "2049.00000000000000000000000000001", 0x6801 },
		{ 2, "2050.9999999", 0x6801 },
		{ 2, "2.98023223876953125e-8", 0 },
		{ 2, "2.98023223876953126e-8", 1 },
		{ 2, "0.000000029802322387695312500000000000001", 1 },
		{ 2, "-1e400", 0xfc00 },
		{ 4, "16777217", 0x4b800000 },
		{ 4, "16777217.0000000000001", 0x4b800001 },
		{ 4, "9007199791611905", 0x5a000001 },
		{ 4, "7.0064923216240854e-46", 1 },
		{ 4, "7.0064923216240853e-46", 0 },
		{ 4, "3.4028236e38", 0x7f800000 },
		{ 8, "9007199254740993", UINT64_C(0x4340000000000000) },
		{ 8, "9007199254740993.00000000000000000000000000001",
		  UINT64_C(0x4340000000000001) },
		{ 8, "2.4703282292062327e-324", 0 },
		{ 8, "2.4703282292062328e-324", 1 },
		{ 8, "1e23", UINT64_C(0x44b52d02c7e14af6) },
		{ 8, "9e-265", UINT64_C(0x091d05244fe5066a) },
		{ 8, "1.7976931348623159e308", UINT64_C(0x7ff0000000000000) },
		{ 8, "0e99999999999999999999", 0 },
		{ 8, "-0", UINT64_C(0x8000000000000000) },
		{ 8, "1e-99999999999999999999", 0 },
	};

	for (size_t i = 0; i < sizeof(hard) / sizeof(hard[0]); i++) {
		uint64_t got = bits_of(hard[i].text, hard[i].nbytes);

		CHECK(got == hard[i].bits, "f%d %s: %" PRIx64, hard[i].nbytes,
		      hard[i].text, got);
	}
}

static void
test_scans_end_where_numbers_do(void)
{
	static const struct {
		const char *text;
		size_t n;
	} scans[] = {
		{ "1e", 1 },   { "1e+", 1 },   { "1.", 2 },    { ".5x", 2 },
		{ ".", 0 },    { "", 0 },      { "-", 0 },     { "e5", 0 },
		{ "0x10", 1 }, { "+1,", 2 },   { "1.2.3", 3 }, { "inf", 0 },
		{ "1_0", 1 },  { "-.5e1", 5 },
	};
	uint64_t bits;

	for (size_t i = 0; i < sizeof(scans) / sizeof(scans[0]); i++)
		CHECK(tsl_number_read(scans[i].text, strlen(scans[i].text),
				      &powers, 8, &bits) == scans[i].n,
		      "%s", scans[i].text);
}

/* What a loop reads by itself is the same; false: it does not. */
static bool
is_short(const char *text)
{
	char padded[128 + TSL_SHORT_NUMBER] = { 0 };
	uint64_t twice, once;
	size_t len = strlen(text), got;

	memcpy(padded, text, len);
	got = tsl_short_number(padded, &powers, 8, &twice);
	if (got == 0)
		return false;
	CHECK(got == len, "%s: %zu bytes", text, got);
	CHECK(twice == bits_of(text, 8), "f8 %s: %" PRIx64, text, twice);
	/* What lies between two of this size is no matter of a loop. */
	if (tsl_short_number(padded, &powers, 4, &once))
		CHECK(once == bits_of(text, 4), "f4 %s: %" PRIx64, text, once);
	return true;
}

static void
test_short_numbers(void)
{
	static const char *const some[] = {
		"0",
		"-0.0",
		"1",
		"0.5",
		"-12.25",
		"1234567",
		"9999999.99999",
		"0.1234567890123456",
		"0.12345678901234567",
		"1.5e-05",
		"2E+5",
		"3.455841920647860000e-01",
		"4.5035996273704965e10",
		"1234567.123456789012",
		"0.000000000000000001",
		"7.e-1",
		"9.999999999999999999e18",
		"1e18",
		"1e-27",
		"8388609.25",
		"4.5035996273704975e15",
	};
	static const char *const others[] = {
		"",
		"-",
		".5",
		"+1",
		"e5",
		"12345678",
		"1e19",
		"1e-28",
		"1e100",
		"1.23456789012345678901",
		"nan",
		"1e",
		"1e+",
		"2e005",
		"12345678901234567890123456",
		"0.00000000000000000000000001",
		"4.5035996273704965e15",
	};

	for (size_t i = 0; i < sizeof(some) / sizeof(some[0]); i++)
		CHECK(is_short(some[i]), "%s", some[i]);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		CHECK(!is_short(others[i]), "%s", others[i]);
}

static uint64_t
draw(void)
{
	static uint64_t s = 88172645463325252u;

	s ^= s << 13;
	s ^= s >> 7;
	s ^= s << 17;
	return s;
}

/* Both round what libc does, which is exact. */
static void
check_as_libc(const char *text)
{
	double d = strtod(text, NULL);
	float f = strtof(text, NULL);
	uint64_t twice;
	uint32_t once;

	memcpy(&twice, &d, sizeof(twice));
	memcpy(&once, &f, sizeof(once));
	CHECK(bits_of(text, 8) == twice, "%s", text);
	CHECK(bits_of(text, 4) == once, "%s", text);
	is_short(text);
}

/* As programs write them: the digits that there are, and a few. */
static void
test_usual_numbers_are_as_libc_has_them(void)
{
	static const char *const formats[] = { "%.17g", "%.9g",  "%.18e",
					       "%.3f",  "%.16f", "%.0f" };
	char text[128];

	for (int i = 0; i < 60000; i++) {
		double d =
			ldexp((double)(int64_t)draw(), (int)(draw() % 60) - 90);

		/* Halves and quarters lie between two floats, of many. */
		if (i % 5 == 0)
			d = (double)((int64_t)draw() >> 38) / 4;
		sprintf(text, formats[draw() % 6], d);
		check_as_libc(text);
	}
}

static void
test_random_numbers_are_as_libc_has_them(void)
{
	char text[128];

	for (int i = 0; i < 60000; i++) {
		uint64_t bits = draw(), more = draw();
		double d;

		memcpy(&d, &bits, sizeof(d));
		if (i % 3 == 0 || !isfinite(d))
			sprintf(text, "%" PRIu64 "e%d", bits >> more % 64,
				(int)(more % 680) - 345);
		else
			sprintf(text, "%.*e", (int)(more % 30), d);
		check_as_libc(text);
	}
}

int
main(void)
{
	tsl_powers_init(&powers);
	RUN(test_powers_are_exact_or_cut);
	RUN(test_hard_numbers);
	RUN(test_scans_end_where_numbers_do);
	RUN(test_short_numbers);
	RUN(test_usual_numbers_are_as_libc_has_them);
	RUN(test_random_numbers_are_as_libc_has_them);
	return check_done();
}
