/*
 * test_cases.c - slice strings against shapes, from tests/cases/slice.case
 */
#include "check.h"

#include "lib/tslice.h"

#define MAX_LINE 512

struct test_case {
	int line;
	char spec[MAX_LINE], shape[MAX_LINE], result[MAX_LINE];
};

static enum tsl_status
apply(const struct test_case *c, char *result, struct tsl_error *err)
{
	struct tsl_spec spec;
	struct tsl_encoding encoding;
	struct tsl_shape shape, out;
	struct tsl_selection sel;
	enum tsl_status status;

	status = tsl_parse(&spec, c->spec, strlen(c->spec), err);
	if (!status)
		status = tsl_encode(&encoding, &spec, err);
	if (!status)
		status = tsl_shape_parse(&shape, c->shape, strlen(c->shape),
					 err);
	if (!status)
		status = tsl_resolve(&sel, &encoding, &shape, err);
	if (status) {
		tsl_spec_locate(&spec, err);
		return status;
	}
	out = tsl_selection_shape(&sel);
	tsl_shape_format(&out, result);
	return status;
}

static void
run_case(const struct test_case *c)
{
	char got[TSL_SHAPE_TEXT + 64];
	struct tsl_error err;

	if (apply(c, got, &err)) {
		snprintf(got, sizeof(got), "! %s @%d %d",
			 tsl_status_kind(err.code), err.pos, err.len);
	}
	CHECK(strcmp(got, c->result) == 0, "line %d: %s: got %s, want %s",
	      c->line, c->spec, got, c->result);
}

/* The next line that is no comment, without its newline. */
static bool
read_line(FILE *f, char line[MAX_LINE], int *number)
{
	while (fgets(line, MAX_LINE, f)) {
		(*number)++;
		line[strcspn(line, "\n")] = '\0';
		if (line[0] != '#')
			return true;
	}
	return false;
}

static void
test_slice_cases(void)
{
	FILE *f = fopen("tests/cases/slice.case", "r");
	struct test_case c;
	int number = 0;

	CHECK(f != NULL, "cannot open tests/cases/slice.case");
	while (f && read_line(f, c.spec, &number)) {
		if (c.spec[0] == '\0')
			continue;
		c.line = number;
		if (!read_line(f, c.shape, &number))
			break;
		if (c.shape[0] == '!')
			strcpy(c.result, c.shape);
		else if (!read_line(f, c.result, &number))
			break;
		run_case(&c);
	}
	CHECK(number > 100, "only %d lines", number);
	if (f)
		fclose(f);
}

int
main(void)
{
	RUN(test_slice_cases);
	return check_done();
}
