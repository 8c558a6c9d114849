/*
 * test_scalar.c - elements given as text
 *
 * The bytes wanted are those of numpy.array(text, dtype), NumPy 1.24.2.
 */
#include "check.h"

#include "lib/base/scalar.h"

#include <float.h>
#include <locale.h>

#define MAX_SIZE 64

static struct tsl_dtype
dtype_of(const char *descr)
{
	struct tsl_dtype t = { descr[2], descr[1], atoi(descr + 3), descr,
			       TSL_NO_MINIFLOAT };

	if (t.kind == 'U')
		t.size *= 4;
	return t;
}

/* As hexadecimal digits, or the kind of the error. */
static void
parse(const char *descr, const char *text, size_t len, char *got, size_t room)
{
	struct tsl_dtype t = dtype_of(descr);
	struct tsl_error err = { 0 };
	char element[MAX_SIZE];

	memset(element, 0x55, sizeof(element));
	if (tsl_scalar_parse(&t, text, len, element, &err)) {
		snprintf(got, room, "%s", tsl_status_kind(err.code));
		return;
	}
	*got = '\0';
	for (int64_t i = 0; i < t.size; i++)
		sprintf(got + 2 * i, "%02x", (unsigned char)element[i]);
}

/* 'descr' as in a header, with its quotes. */
static void
check_scalar(const char *descr, const char *text, const char *want)
{
	char got[2 * MAX_SIZE + 1];

	parse(descr, text, strlen(text), got, sizeof(got));
	CHECK(strcmp(got, want) == 0, "%s %s: got %s, want %s", descr, text,
	      got, want);
}

/* A long double of x86: others are another type of the same name. */
static void
check_x87(const char *descr, const char *text, const char *want)
{
	if (LDBL_MANT_DIG == 64)
		check_scalar(descr, text, want);
}

static void
test_booleans_are_six_words(void)
{
	check_scalar("'|b1'", "true", "01");
	check_scalar("'|b1'", "True", "01");
	check_scalar("'|b1'", "1", "01");
	check_scalar("'|b1'", "false", "00");
	check_scalar("'|b1'", "False", "00");
	check_scalar("'|b1'", "0", "00");
	check_scalar("'|b1'", "TRUE", "bad_value");
	check_scalar("'|b1'", "tru", "bad_value");
	check_scalar("'|b1'", "truer", "bad_value");
	check_scalar("'|b1'", "2", "bad_value");
	check_scalar("'|b1'", "", "bad_value");
}

static void
test_integers_fit_or_are_refused(void)
{
	check_scalar("'|i1'", "-128", "80");
	check_scalar("'|i1'", "127", "7f");
	check_scalar("'|i1'", "128", "bad_value");
	check_scalar("'|i1'", "-129", "bad_value");
	check_scalar("'|u1'", "255", "ff");
	check_scalar("'|u1'", "256", "bad_value");
	check_scalar("'|u1'", "-1", "bad_value");
	check_scalar("'|u1'", "-0", "00");
	check_scalar("'<i2'", "-2", "feff");
	check_scalar("'>i2'", "-2", "fffe");
	check_scalar("'>u4'", "4294967295", "ffffffff");
	check_scalar("'>u4'", "+258", "00000102");
	check_scalar("'<i8'", "-9223372036854775808", "0000000000000080");
	check_scalar("'<i8'", "9223372036854775808", "bad_value");
	check_scalar("'<u8'", "18446744073709551615", "ffffffffffffffff");
	check_scalar("'<u8'", "18446744073709551616", "bad_value");
	check_scalar("'<u8'", "36893488147419103232", "bad_value");
	check_scalar("'<i8'", "000000000000000000000000012",
		     "0c00000000000000");
}

static void
test_other_spellings_of_integers_are_refused(void)
{
	static const char *const bad[] = { "",   "+",   "-",   "1.0",     "1e3",
					   " 1", "1 ",  "1_0", "0x1",     "--1",
					   "+-", "nan", "1L",  "\xd9\xa1" };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		check_scalar("'<i4'", bad[i], "bad_value");
}

static void
test_floats_round_to_nearest_even(void)
{
	check_scalar("'<f8'", "0.1", "9a9999999999b93f");
	check_scalar("'>f8'", "-2.5e-3", "bf647ae147ae147b");
	check_scalar("'<f8'", "2.4703282292062327e-324", "0000000000000000");
	check_scalar("'<f8'", "2.4703282292062328e-324", "0100000000000000");
	check_scalar("'<f4'", "16777217", "0000804b");
	check_scalar("'>f4'", "3.4028236e38", "7f800000");
	check_scalar("'<f2'", "2049", "0068");
	check_scalar("'<f2'", "2051", "0268");
	check_scalar("'<f2'", "65519.99", "ff7b");
	check_scalar("'<f2'", "65520", "007c");
	check_scalar("'<f2'", "1.00048828125", "003c");
	check_scalar("'<f2'", "6.103515625e-05", "0004");
	check_scalar("'<f2'", "6.1005353927612305e-05", "0004");
	check_scalar("'<f2'", "2.98023223876953125e-08", "0000");
	check_scalar("'<f2'", "2.9802322387695316e-08", "0100");
	check_scalar("'<f2'", "8.940696716308594e-08", "0200");
	check_scalar("'>f2'", "-1e-9", "8000");
	check_x87("'<f16'", "0.1", "cdccccccccccccccfb3f000000000000");
	check_x87("'>f16'", "0.1", "0000000000003ffbcccccccccccccccd");
}

/* From the text at once it would be 0x3f800001. */
static void
test_a_float_is_rounded_by_way_of_a_double(void)
{
	check_scalar("'<f4'", "1.00000005960464477539062500001", "0000803f");
}

static void
test_floats_without_bounds(void)
{
	check_scalar("'<f8'", "1e400", "000000000000f07f");
	check_scalar("'<f8'", "-1e999999999999999999999", "000000000000f0ff");
	check_scalar("'<f8'", "1e-999999999999999999999", "0000000000000000");
	check_scalar("'<f8'", "-0e999999999999999999999", "0000000000000080");
	check_scalar("'<f8'", "inf", "000000000000f07f");
	check_scalar("'<f8'", "-Infinity", "000000000000f0ff");
	check_scalar("'<f8'", "NaN", "000000000000f87f");
	check_scalar("'<f8'", "-nan", "000000000000f8ff");
	check_scalar("'<f2'", "-nan", "00fe");
	check_x87("'<f16'", "-nan", "00000000000000c0ff7f000000000000");
	check_x87("'<f16'", "1e5000", "0000000000000080ff7f000000000000");
}

static void
test_spellings_of_floats(void)
{
	static const char *const bad[] = { "",    "+",      ".",     "e5",
					   "1e",  "1e+",    "1.2.3", "0x1p3",
					   "1f",  "nan(1)", "inf1",  "infini",
					   "1_0", " 1",     "1 ",    "--1",
					   "1,5", "1\n",    "1e5.0" };

	check_scalar("'<f8'", ".5", "000000000000e03f");
	check_scalar("'<f8'", "1.", "000000000000f03f");
	check_scalar("'<f8'", "+1.5", "000000000000f83f");
	check_scalar("'<f8'", "001E+01", "0000000000002440");
	check_scalar("'<f8'", "-0", "0000000000000080");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		check_scalar("'<f8'", bad[i], "bad_value");
}

/* 'head', so many zeros, 'tail'. */
static void
check_long(const char *head, int zeros, const char *tail, const char *want)
{
	size_t start = strlen(head), len = start + (size_t)zeros;
	char *text = malloc(len + strlen(tail) + 1), got[17];

	memset(text, '0', len);
	memcpy(text, head, start);
	strcpy(text + len, tail);
	parse("'<f8'", text, strlen(text), got, sizeof(got));
	CHECK_STR(got, want);
	free(text);
}

static void
test_any_number_of_digits(void)
{
	/* 2^53 + 1 lies in the middle: the even one, or what the end says. */
	check_long("9007199254740993.", 20000, "", "0000000000004043");
	check_long("9007199254740993.", 20000, "1", "0100000000004043");
	check_long("1", 20000, "e-20000", "000000000000f03f");
	check_long("0.", 20000, "1e20001", "000000000000f03f");
	check_long("0.", 200000, "1e200001", "000000000000f03f");
}

static void
test_complex_numbers(void)
{
	check_scalar("'<c16'", "1+2j", "000000000000f03f0000000000000040");
	check_scalar("'<c16'", "1-2J", "000000000000f03f00000000000000c0");
	check_scalar("'<c16'", "-0", "00000000000000800000000000000000");
	check_scalar("'<c16'", "-2j", "000000000000000000000000000000c0");
	check_scalar("'<c16'", "j", "0000000000000000000000000000f03f");
	check_scalar("'<c16'", "1-j", "000000000000f03f000000000000f0bf");
	check_scalar("'<c16'", "nan", "000000000000f87f0000000000000000");
	check_scalar("'<c16'", "inf-infj", "000000000000f07f000000000000f0ff");
	check_scalar("'>c8'", "1e3-2.5e-3j", "447a0000bb23d70a");
	check_scalar("'<c8'", "1e300+1e+0j", "0000807f0000803f");
	check_x87("'<c32'", "0.1",
		  "00d0ccccccccccccfb3f000000000000"
		  "00000000000000000000000000000000");
}

static void
test_other_spellings_of_complex_numbers(void)
{
	static const char *const bad[] = { "",      "+",     "2j+1",   "1+2i",
					   "abc",   "1+2",   "1+2j+3", "(1+2j)",
					   "1 +2j", "1+-2j", "1j2",    "1++j" };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		check_scalar("'<c16'", bad[i], "bad_value");
}

static void
test_text_is_padded(void)
{
	check_scalar("'|S5'", "abc", "6162630000");
	check_scalar("'|S5'", "abcde", "6162636465");
	check_scalar("'|S5'", "", "0000000000");
	check_scalar("'|S5'", "abcdef", "bad_value");
	check_scalar("'|S2'", "\xc3\xa9", "c3a9");
	check_scalar("'|S1'", "\xff", "ff");
	check_scalar("'<U2'", "\xe6\x97\xa5", "e565000000000000");
	check_scalar("'>U2'", "\xf0\x9f\x98\x80", "0001f60000000000");
	check_scalar("'<U2'", "", "0000000000000000");
	check_scalar("'<U2'", "e\xcc\x81x", "bad_value");
	check_scalar("'<U2'", "\xff", "bad_value");
	check_scalar("'<U2'", "a\xc3", "bad_value");
	check_scalar("'<U2'", "\xed\xa0\x80", "bad_value");
}

static void
test_other_types_have_no_text(void)
{
	check_scalar("'|V1'", "0", "bad_value");
	check_scalar("'<M8[D]'", "2020-01-01", "bad_value");
	check_scalar("'<m8[s]'", "5", "bad_value");
}

static void
test_only_so_many_bytes_are_read(void)
{
	char got[2 * MAX_SIZE + 1];

	parse("'|u1'", "129", 2, got, sizeof(got));
	CHECK_STR(got, "0c");
	parse("'<f8'", "1.5e3", 3, got, sizeof(got));
	CHECK_STR(got, "000000000000f83f");
	parse("'<f8'", "infinity", 3, got, sizeof(got));
	CHECK_STR(got, "000000000000f07f");
}

static void
test_a_message_has_room_for_long_text(void)
{
	struct tsl_dtype t = dtype_of("'<U2'");
	char text[301], element[8];
	struct tsl_error err;

	for (int i = 0; i < 100; i++)
		memcpy(text + 3 * i, "\xe6\x97\xa5", 4);
	CHECK_EQ(tsl_scalar_parse(&t, text, 299, element, &err),
		 TSL_EBAD_VALUE);
	CHECK(strstr(err.msg, "\xa5...' is not a value of type <U2") != NULL,
	      "'%s'", err.msg);
	CHECK_EQ(tsl_scalar_parse(&t, text, 300, element, NULL),
		 TSL_EBAD_VALUE);
}

/* The point stays a point where people write a comma. */
static void
test_the_locale_does_not_matter(void)
{
	if (!setlocale(LC_NUMERIC, "de_DE.UTF-8"))
		printf("# there is no locale de_DE.UTF-8 here\n");
	check_scalar("'<f8'", "1.5", "000000000000f83f");
	check_scalar("'<f8'", "1,5", "bad_value");
	setlocale(LC_NUMERIC, "C");
}

int
main(void)
{
	RUN(test_booleans_are_six_words);
	RUN(test_integers_fit_or_are_refused);
	RUN(test_other_spellings_of_integers_are_refused);
	RUN(test_floats_round_to_nearest_even);
	RUN(test_a_float_is_rounded_by_way_of_a_double);
	RUN(test_floats_without_bounds);
	RUN(test_spellings_of_floats);
	RUN(test_any_number_of_digits);
	RUN(test_complex_numbers);
	RUN(test_other_spellings_of_complex_numbers);
	RUN(test_text_is_padded);
	RUN(test_other_types_have_no_text);
	RUN(test_only_so_many_bytes_are_read);
	RUN(test_a_message_has_room_for_long_text);
	RUN(test_the_locale_does_not_matter);
	return check_done();
}
