/*
 * tassign.c - the command tassign: a slice of an array replaced
 */
#include "applet.h"
#include "cli/operand/fill_value.h"
#include "cli/operand/slice_operand.h"
#include "cli/option/hint.h"
#include "cli/option/many_check.h"
#include "cli/run/command.h"
#include "lib/op/assign.h"
#include "lib/spec/parse.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct usage usage = {
	.synopsis = "  tassign [OPTION]... IN SPEC VALUE [-o OUT]\n"
		    "  tassign [OPTION]... IN SPEC --value LITERAL [-o OUT]\n"
		    "  tassign [OPTION]... IN --begin LIST --end LIST "
		    "[--strides LIST]\n"
		    "          [--MASK N]... VALUE [-o OUT]\n"
		    "  tassign [OPTION]... IN --encoding FILE VALUE [-o OUT]\n"
		    "  tassign [OPTION]... FILE SPEC VALUE --in-place\n",
	.purpose = "Writes the array in IN with the slice SPEC replaced by "
		   "VALUE, an array that is\n"
		   "repeated as in NumPy, or by one element "
		   "(strided_slice_assign).\n"
		   "SPEC is as for tslice; see tslice-spec(7).",
	.examples =
		"  tassign x.npy '10:20' rows.npy -o y.npy  rows 10 to 19\n"
		"  tassign x.npy '[:, 3]' --value 0 -o y.npy\n"
		"                                           a column of "
		"zeros\n"
		"  tassign big.npy 7 row.npy --in-place     nothing else is "
		"written\n"
		"  tslice x.npy ::-1 | tassign x.npy ... -  back to front\n",
	.min_operands = 1,
	.max_operands = INT_MAX, /* what is one too many may be told why */
};

struct request {
	struct common_options co;
	struct substitutes sub;
	struct slice_operand slice;
	struct tsl_assign_job assign;
};

enum { IN, VALUE };

static const char value_is_given[] = "--value stands for VALUE";

static bool
is_slice(const char *s)
{
	struct tsl_spec spec;

	return tsl_parse(&spec, s, strlen(s), NULL) == TSL_OK;
}

/*
 * Of many inputs the last operand is SPEC.  Where that is no slice, and the one
 * before it, which is no file, is, they are SPEC and VALUE.
 */
static bool
has_value_too_many(const struct invocation *c)
{
	const struct request *r = c->request;
	char *const *last = c->many + c->nmany;

	return c->co->many && c->nmany > 1 && r->sub.literal &&
	       slice_operand_is_text(&r->slice) && !is_slice(last[0]) &&
	       is_slice(last[-1]) && access(last[-1], F_OK) != 0;
}

static int
parse(struct invocation *c, char **operands, int n)
{
	struct request *r = c->request;
	int as_text = slice_operand_is_text(&r->slice);
	int as_array = !r->sub.literal;
	int wanted = 1 + as_text + as_array; /* IN, SPEC, VALUE */
	int exit_status = slice_operand_check(&r->slice);

	if (exit_status)
		return exit_status;
	if (n < wanted)
		return options_misuse(&usage);
	if (has_value_too_many(c))
		return slice_operand_too_many(c->co->table, c->many,
					      c->nmany + 1, c->many[c->nmany],
					      value_is_given);
	if (n > wanted)
		return slice_operand_too_many(c->co->table, operands,
					      n - as_array, operands[wanted],
					      as_array ? NULL : value_is_given);
	if (as_text)
		c->slice = r->slice.text = operands[1];
	c->ninputs = 1 + as_array;
	c->input[VALUE] = operands[n - 1];
	for (int i = 0; i < c->ninputs && !exit_status; i++)
		exit_status = slice_operand_check_stdin(&r->slice, c->input[i]);
	return exit_status;
}

static enum tsl_status
compile(void *request, struct tsl_error *err)
{
	struct request *r = request;

	return slice_operand_compile(&r->slice, err);
}

static enum tsl_status
make_job(void *request, const struct inputs *inputs, struct tsl_job **job,
	 struct tsl_error *err)
{
	struct request *r = request;
	const struct tsl_array *in = inputs_array(inputs, IN);
	const char *name = npyio_reader_name(inputs->in[IN]);
	struct tsl_selection sel;
	enum tsl_status status =
		slice_operand_select(&r->slice, &sel, in, name, err);

	if (!status && r->sub.literal)
		status = fill_value_new(&r->sub.element, &in->dtype,
					r->sub.literal, name, err);
	*job = &r->assign.job;
	if (status)
		return status;
	return tsl_assign_job_init(
		&r->assign, in, &sel,
		r->sub.literal ? NULL : inputs_array(inputs, VALUE),
		r->sub.element, (enum tsl_order)(r->co.order + 1), err);
}

static void
hint(const struct invocation *c, struct tsl_error *err)
{
	if (c->ninputs > VALUE && err->subject == c->input[VALUE])
		hint_literal(err, c->input[VALUE]);
}

static int
count_others(const void *request, char *const *operands, int n)
{
	const struct request *r = request;

	(void)operands;
	(void)n;
	return slice_operand_is_text(&r->slice) + !r->sub.literal;
}

static const struct command command = {
	.usage = &usage,
	.parse = parse,
	.compile = compile,
	.count_others = count_others,
	.substitutes = offsetof(struct request, sub),
	.request_size = sizeof(struct request),
	.make_job = make_job,
	.hint = hint,
};

static int
tassign_main(int argc, char **argv)
{
	struct request r = { .co = COMMON_DEFAULTS };
	const struct opt table[] = {
		OPT_STRING(0, "value", "LITERAL", &r.sub.literal,
			   "an element for all of the slice, instead of VALUE"),
		IN_PLACE_OPTION(&r.co),
		SLICE_OPTIONS(&r.slice),
		MANY_OPTIONS(&r.co),
		COMMON_OPTIONS(&r.co, "that of IN"),
		{ 0 },
	};

	return command_main(&command, &r, &r.co, table, argc, argv);
}

const struct applet tassign_applet = { "tassign", tassign_main };
