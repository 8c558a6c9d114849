/*
 * tscatter.c - the command tscatter: rows replaced where index tuples say
 */
#include "applet.h"
#include "cli/operand/fill_value.h"
#include "cli/option/device.h"
#include "cli/option/many_check.h"
#include "cli/report/message.h"
#include "cli/run/command.h"
#include "lib/op/scatter_nd.h"

#include <stdlib.h>
#include <string.h>

static const struct usage usage = {
	.synopsis = "  tscatter [OPTION]... IN INDICES UPDATES [-o OUT]\n"
		    "  tscatter [OPTION]... --shape SHAPE INDICES UPDATES "
		    "[-o OUT]\n"
		    "  tscatter [OPTION]... FILE INDICES UPDATES --in-place\n",
	.purpose =
		"Writes IN with the parts that the index tuples in INDICES "
		"name replaced by\n"
		"those in UPDATES (tensor_scatter_nd_update); of several for "
		"one place the last.\n"
		"updates.shape = indices.shape[:-1] + "
		"in.shape[indices.shape[-1]:].",
	.examples =
		"  tscatter t.npy rows.npy new.npy -o t.npy rows.npy of shape "
		"(N, 1): whole rows\n"
		"  tscatter t.npy rows.npy new.npy --in-place\n"
		"                                           nothing else is "
		"written\n"
		"  tscatter --shape '(480, 640)' at.npy v.npy -o out.npy\n"
		"                                           zeros elsewhere\n",
	.min_operands = 2,
	.max_operands = 3,
};

enum { BAD_INDICES_ERROR, BAD_INDICES_SKIP };
static const char *const bad_indices_choices[] = { "error", "skip", NULL };

enum { DUPLICATES_LAST, DUPLICATES_ERROR };
static const char *const duplicates_choices[] = { "last", "error", NULL };

struct request {
	struct common_options co;
	const char *shape_text; /* NULL: there is an input */
	struct tsl_shape shape;
	char *zero; /* an element */
	int bad_indices; /* -1: not said */
	int duplicates;
	struct tsl_scatter_options options;
	struct tsl_scatter_job scatter;
};

/* Returns 0, or an exit status. */
static int
settle_shape(struct request *r)
{
	const char *text = r->shape_text;
	struct tsl_error err;

	if (tsl_shape_parse(&r->shape, text, strlen(text), &err))
		return message_error(&err, NULL);
	if (!tsl_shape_is_known(&r->shape))
		return message_fail(TSL_ESYNTAX,
				    "--shape takes sizes that are known, not "
				    "'%s'",
				    text);
	return 0;
}

static int
settle(struct invocation *c, char **operands, int n)
{
	struct request *r = c->request;

	if (!r->shape_text && n < usage.max_operands)
		return options_misuse(&usage);
	if (r->shape_text && n > usage.min_operands)
		return message_usage("--shape stands for IN; '%s' is one too "
				     "many",
				     operands[0]);
	if (r->shape_text && r->co.many)
		return message_usage("--shape stands for IN, of which there "
				     "are to be many");
	if (r->shape_text && r->co.in_place)
		return message_usage("--shape makes a new array: it does not "
				     "go with --in-place");
	/* The op's rule on each device; which one is to be asked for by name.
	 */
	if (r->bad_indices < 0 && r->co.device && device_is_gpu(r->co.device))
		r->bad_indices = BAD_INDICES_SKIP;
	r->options.skip_bad = r->bad_indices == BAD_INDICES_SKIP;
	r->options.refuse_duplicates = r->duplicates == DUPLICATES_ERROR;
	return r->shape_text ? settle_shape(r) : 0;
}

static enum tsl_status
make_job(void *request, const struct inputs *inputs, struct tsl_job **job,
	 struct tsl_error *err)
{
	struct request *r = request;
	const struct tsl_array *indices = inputs_array(inputs, inputs->n - 2);
	const struct tsl_array *updates = inputs_array(inputs, inputs->n - 1);
	enum tsl_order order = (enum tsl_order)(r->co.order + 1);
	enum tsl_status status;

	*job = &r->scatter.job;
	if (!r->shape_text)
		return tsl_scatter_job_init(&r->scatter,
					    inputs_array(inputs, 0), indices,
					    updates, &r->options, order, err);
	status = fill_value_new(&r->zero, &updates->dtype, NULL, NULL, err);
	return status ? status
		      : tsl_scatter_new_init(&r->scatter, &r->shape, r->zero,
					     indices, updates, &r->options,
					     order, err);
}

static void
forget(void *request)
{
	struct request *r = request;

	free(r->zero);
	r->zero = NULL;
}

static int
count_behind(const void *request, char *const *operands, int n)
{
	(void)request;
	(void)operands;
	(void)n;
	return 2; /* INDICES, UPDATES */
}

static const struct command command = {
	.usage = &usage,
	.settle = settle,
	.count_behind = count_behind,
	.request_size = sizeof(struct request),
	.make_job = make_job,
	.forget = forget,
};

static int
tscatter_main(int argc, char **argv)
{
	struct request r = { .co = COMMON_DEFAULTS, .bad_indices = -1 };
	const struct opt table[] = {
		OPT_CHOICE(0, "bad-indices", "WHAT", &r.bad_indices,
			   bad_indices_choices,
			   "error or skip, for an index out of range (default: "
			   "error; with --device cuda: skip)",
			   OPT_RARE),
		OPT_CHOICE(0, "duplicates", "WHAT", &r.duplicates,
			   duplicates_choices,
			   "last or error, for tuples that name one place "
			   "(default: last)"),
		OPT_STRING(0, "shape", "SHAPE", &r.shape_text,
			   "begin with zeros of this shape instead of IN"),
		IN_PLACE_OPTION(&r.co),
		MANY_OPTIONS(&r.co),
		COMMON_OPTIONS(&r.co, "that of IN"),
		{ 0 },
	};

	return command_main(&command, &r, &r.co, table, argc, argv);
}

const struct applet tscatter_applet = { "tscatter", tscatter_main };
