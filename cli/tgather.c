/*
 * tgather.c - the command tgather: parts of an array that index tuples name, or
 * places along an axis
 */
#include "applet.h"
#include "cli/operand/indices.h"
#include "cli/option/device.h"
#include "cli/option/hint.h"
#include "cli/option/many_check.h"
#include "cli/report/message.h"
#include "cli/run/command.h"
#include "cli/run/mask.h"
#include "lib/base/integer.h"
#include "lib/op/take.h"

#include <string.h>

static const struct usage usage = {
	.synopsis = "  tgather [OPTION]... PARAMS INDICES [-o OUT]\n"
		    "  tgather [OPTION]... PARAMS --indices LIST|@FILE "
		    "[-o OUT]\n",
	.purpose =
		"Writes the parts of PARAMS that the index tuples in INDICES "
		"name (gather_nd):\n"
		"out.shape = indices.shape[:-1] + "
		"params.shape[indices.shape[-1]:].\n"
		"With --axis K the places along that axis (numpy.take):\n"
		"out.shape = params.shape[:K] + indices.shape + "
		"params.shape[K+1:].",
	.examples =
		"  tgather t.npy --axis 0 --indices 3,1,2   rows 3, 1 and 2\n"
		"  tgather t.npy --axis 1 --indices @c.txt  columns, by a "
		"file of numbers\n"
		"  tgather table.npy rows.npy -o out.npy    rows.npy of shape "
		"(N, 1): whole rows\n"
		"  tgather image.npy points.npy             shape (N, 2): an "
		"element for each\n"
		"  shuf -i 0-99 | tgather t.npy --axis 0 --indices @-\n"
		"                                           in random order\n",
	.min_operands = 1,
	.max_operands = 2,
};

enum { BAD_INDICES_ERROR, BAD_INDICES_ZERO };
static const char *const bad_indices_choices[] = { "error", "zero", NULL };

struct request {
	struct common_options co;
	struct substitutes sub;
	const char *batch_dims;
	const char *axis_text; /* NULL: tuples */
	int64_t axis;
	int bad_indices; /* -1: not said */
	struct tsl_gather_options options;
	struct tsl_gather_job gather;
};

enum { PARAMS, INDICES };

/* Returns 0, or an exit status. */
static int
parse_number(const char *option, const char *text, int64_t *value)
{
	enum tsl_status status =
		text ? tsl_parse_int64(text, strlen(text), value) : TSL_OK;

	return status ? message_fail(status, "%s takes an integer, not '%s'",
				     option, text)
		      : 0;
}

static int
parse(struct invocation *c, char **operands, int n)
{
	struct request *r = c->request;
	int exit_status;

	if (!r->sub.indices.text && n < usage.max_operands)
		return options_misuse(&usage);
	if (r->sub.indices.text && n == usage.max_operands)
		return message_usage("--indices stands for INDICES; '%s' is "
				     "one too many",
				     operands[1]);
	if (r->axis_text && r->batch_dims)
		return message_usage("--axis and --batch-dims do not go "
				     "together");
	/* The op's rule on each device; which one is to be asked for by name.
	 */
	if (r->bad_indices < 0 && r->co.device && device_is_gpu(r->co.device))
		r->bad_indices = BAD_INDICES_ZERO;
	r->sub.indices.flat = r->axis_text;
	r->options.zero_bad = r->bad_indices == BAD_INDICES_ZERO;
	exit_status = parse_number("--batch-dims", r->batch_dims,
				   &r->options.batch_dims);
	if (!exit_status)
		exit_status = parse_number("--axis", r->axis_text, &r->axis);
	return exit_status;
}

static enum tsl_status
make_masked(struct request *r, const struct inputs *inputs,
	    struct tsl_error *err)
{
	const struct tsl_array *params = inputs_array(inputs, PARAMS);
	int64_t *axis = r->axis_text ? &r->axis : NULL;
	enum tsl_status status;

	if (r->batch_dims)
		return tsl_fail_item(err, TSL_EBAD_INDEX_DTYPE, INDICES,
				     "a mask does not go with --batch-dims");
	status = tsl_mask_check(params, inputs_array(inputs, INDICES), axis,
				err);
	if (!status)
		status = mask_count(&r->sub.mask, &r->co, inputs->in[INDICES],
				    err);
	return status ? status
		      : tsl_mask_job_init(&r->gather, params,
					  inputs_array(inputs, INDICES),
					  &r->sub.mask, axis ? *axis : 0, err);
}

static enum tsl_status
make_job(void *request, const struct inputs *inputs, struct tsl_job **job,
	 struct tsl_error *err)
{
	struct request *r = request;
	const struct tsl_array *params = inputs_array(inputs, PARAMS);
	const struct tsl_array *indices = inputs_array(inputs, INDICES);

	*job = &r->gather.job;
	if (tsl_is_mask(indices))
		return make_masked(r, inputs, err);
	if (r->axis_text)
		return tsl_take_job_init(&r->gather, params, indices, r->axis,
					 r->options.zero_bad, err);
	return tsl_gather_job_init(&r->gather, params, indices, &r->options,
				   err);
}

static void
hint(const struct invocation *c, struct tsl_error *err)
{
	const struct request *r = c->request;

	if (c->ninputs > INDICES)
		hint_tuples(err, c->input[INDICES]);
	if (r->sub.indices.text && !r->axis_text)
		hint_axis(err, r->sub.indices.text);
}

static const struct command command = {
	.usage = &usage,
	.parse = parse,
	.substitutes = offsetof(struct request, sub),
	.request_size = sizeof(struct request),
	.make_job = make_job,
	.hint = hint,
};

static int
tgather_main(int argc, char **argv)
{
	struct request r = { .co = COMMON_DEFAULTS, .bad_indices = -1 };
	const struct opt table[] = {
		OPT_STRING(0, "axis", "K", &r.axis_text,
			   "indices name places along this axis (numpy.take)"),
		OPT_STRING(0, "indices", "LIST|@FILE", &r.sub.indices.text,
			   "1,2,3, or [[0],[1]], or text, a tuple a line"),
		OPT_CHOICE(0, "bad-indices", "WHAT", &r.bad_indices,
			   bad_indices_choices,
			   "error or zero, for an index out of range (default: "
			   "error; "
			   "with --device cuda: zero)",
			   OPT_RARE),
		OPT_STRING(0, "batch-dims", "N", &r.batch_dims,
			   "leading dimensions that both share (default: 0)",
			   OPT_RARE),
		MANY_OPTIONS(&r.co),
		COMMON_OPTIONS(&r.co, "C"),
		{ 0 },
	};

	return command_main(&command, &r, &r.co, table, argc, argv);
}

const struct applet tgather_applet = { "tgather", tgather_main };
