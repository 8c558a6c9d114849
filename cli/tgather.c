/*
 * tgather.c - the command tgather: rows of an array named by index tuples
 */
#include "applet.h"
#include "device.h"
#include "lib/base/integer.h"
#include "lib/op/gather_nd.h"
#include "message.h"
#include "options.h"
#include "run.h"

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

struct options {
	struct common_options co;
	const char *batch_dims;
	int bad_indices; /* -1: not said */
};

enum { PARAMS, INDICES };

static enum tsl_status
run(const struct options *o, const struct tsl_gather_options *options,
    const char *const *paths, struct tsl_error *err)
{
	struct run_inputs inputs;
	struct tsl_gather_job gather;
	enum tsl_status status = run_open(&inputs, &o->co, paths, 2, err);

	if (!status)
		status = tsl_gather_job_init(
			&gather, run_array(&inputs, PARAMS),
			run_array(&inputs, INDICES), options, err);
	if (!status)
		status = run_job(&o->co, &gather.job, &inputs, err);
	run_blame(&inputs, status, err);
	run_close(&inputs, status);
	return status;
}

/* Returns 0, or an exit status. */
static int
settle(struct options *o, struct tsl_gather_options *options)
{
	const char *text = o->batch_dims;
	enum tsl_status status = TSL_OK;

	/* The op's rule on each device; which one is to be asked for by name.
	 */
	if (o->bad_indices < 0 && o->co.device && device_is_gpu(o->co.device))
		o->bad_indices = BAD_INDICES_ZERO;
	options->zero_bad = o->bad_indices == BAD_INDICES_ZERO;
	options->batch_dims = 0;
	if (text)
		status = tsl_parse_int64(text, strlen(text),
					 &options->batch_dims);
	if (status)
		return message_fail(status,
				    "--batch-dims takes an integer, not '%s'",
				    text);
	return options_settle(&o->co);
}

static int
tgather_main(int argc, char **argv)
{
	struct options o = { .co = COMMON_DEFAULTS, .bad_indices = -1 };
	const struct opt table[] = {
		OPT_CHOICE(0, "bad-indices", "WHAT", &o.bad_indices,
			   bad_indices_choices,
			   "error or zero, for an index out of range (default: "
			   "error; "
			   "with --device cuda: zero)"),
		OPT_STRING(0, "batch-dims", "N", &o.batch_dims,
			   "leading dimensions that both share (default: 0)"),
		COMMON_OPTIONS(&o.co, "C"),
		{ 0 },
	};
	struct tsl_gather_options options;
	struct tsl_error err;
	int noperands, exit_status;

	if (!options_parse(argc, argv, table, &o.co, &usage, &noperands,
			   &exit_status))
		return exit_status;
	exit_status = settle(&o, &options);
	if (exit_status)
		return exit_status;
	if (run(&o, &options, (const char *const *)argv + 1, &err))
		return message_error(&err, NULL);
	return 0;
}

const struct applet tgather_applet = { "tgather", tgather_main };
