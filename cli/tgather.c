/*
 * tgather.c - the command tgather: rows of an array named by index tuples
 */
#include "applet.h"
#include "command.h"
#include "device.h"
#include "lib/base/integer.h"
#include "lib/op/gather_nd.h"
#include "message.h"

#include <string.h>

static const struct usage usage = {
	.synopsis = "  tgather [OPTION]... PARAMS INDICES [-o OUT]\n",
	.purpose =
		"Writes the parts of PARAMS that the index tuples in INDICES "
		"name (gather_nd):\n"
		"out.shape = indices.shape[:-1] + "
		"params.shape[indices.shape[-1]:].",
	.examples =
		"  tgather table.npy rows.npy -o out.npy    rows.npy of shape "
		"(N, 1): whole rows\n"
		"  tgather image.npy points.npy             shape (N, 2): an "
		"element for each\n"
		"  tslice t.npy ':9' | tgather - i.npy      params from a "
		"pipe\n",
	.min_operands = 2,
	.max_operands = 2,
};

enum { BAD_INDICES_ERROR, BAD_INDICES_ZERO };
static const char *const bad_indices_choices[] = { "error", "zero", NULL };

struct request {
	struct common_options co;
	const char *batch_dims;
	int bad_indices; /* -1: not said */
	struct tsl_gather_options options;
	struct tsl_gather_job gather;
};

enum { PARAMS, INDICES };

static int
settle(struct command *c, char **operands, int n)
{
	struct request *r = c->request;
	const char *text = r->batch_dims;
	enum tsl_status status = TSL_OK;

	(void)operands;
	(void)n;
	/* The op's rule on each device; which one is to be asked for by name.
	 */
	if (r->bad_indices < 0 && r->co.device && device_is_gpu(r->co.device))
		r->bad_indices = BAD_INDICES_ZERO;
	r->options.zero_bad = r->bad_indices == BAD_INDICES_ZERO;
	if (text)
		status = tsl_parse_int64(text, strlen(text),
					 &r->options.batch_dims);
	if (status)
		return message_fail(status,
				    "--batch-dims takes an integer, not '%s'",
				    text);
	return 0;
}

static enum tsl_status
make_job(void *request, const struct inputs *inputs, struct tsl_job **job,
	 struct tsl_error *err)
{
	struct request *r = request;

	*job = &r->gather.job;
	return tsl_gather_job_init(&r->gather, inputs_array(inputs, PARAMS),
				   inputs_array(inputs, INDICES), &r->options,
				   err);
}

static int
tgather_main(int argc, char **argv)
{
	struct request r = { .co = COMMON_DEFAULTS, .bad_indices = -1 };
	const struct opt table[] = {
		OPT_CHOICE(0, "bad-indices", "WHAT", &r.bad_indices,
			   bad_indices_choices,
			   "error or zero, for an index out of range (default: "
			   "error; "
			   "with --device cuda: zero)"),
		OPT_STRING(0, "batch-dims", "N", &r.batch_dims,
			   "leading dimensions that both share (default: 0)"),
		COMMON_OPTIONS(&r.co, "C"),
		{ 0 },
	};
	struct command c = {
		.table = table,
		.usage = &usage,
		.co = &r.co,
		.request = &r,
		.settle = settle,
		.make_job = make_job,
	};

	return command_main(&c, argc, argv);
}

const struct applet tgather_applet = { "tgather", tgather_main };
