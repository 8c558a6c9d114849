/*
 * tgather.c - the command tgather: rows of an array named by index tuples
 */
#include "applet.h"
#include "lib/lex.h"
#include "lib/op_gather_nd.h"
#include "lib/overflow.h"
#include "message.h"
#include "npyio/elements.h"
#include "options.h"
#include "run.h"

#include <stdlib.h>
#include <string.h>

/* Memory for index tuples on their way to becoming offsets. */
#define CHUNK (1024 * 1024)

static const struct usage usage = {
	.synopsis = "  tgather [OPTION]... PARAMS INDICES [-o OUT]\n",
	.purpose =
		"Writes what the tuples of indices in INDICES name in PARAMS "
		"(gather_nd):\n"
		"out.shape = indices.shape[:-1] + "
		"params.shape[indices.shape[-1]:].",
	.examples =
		"  tgather table.npy rows.npy -o out.npy    rows.npy of shape "
		"(N, 1): whole rows\n"
		"  tgather image.npy points.npy             shape (N, 2): one "
		"element for each point\n"
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
	int bad_indices;
};

enum { PARAMS, INDICES };

/* Takes 'n' tuples from 'first' on, by way of 'buf', which holds them. */
static enum tsl_status
take_tuples(struct tsl_gather_job *gather, const struct npyio_elements *e,
	    int64_t first, int64_t n, char *buf, struct tsl_error *err)
{
	int64_t tuple = gather->depth * gather->indices.dtype.size;
	enum tsl_status status = TSL_OK;

	if (tuple > 0)
		status = npyio_elements_get(e, first * tuple, n * tuple, buf,
					    err);
	return status ? status
		      : tsl_gather_job_index(gather, buf, first, n, err);
}

static enum tsl_status
take_all_tuples(struct tsl_gather_job *gather, struct npyio_reader *indices,
		struct tsl_error *err)
{
	int64_t tuple = gather->depth * gather->indices.dtype.size;
	int64_t chunk = tuple > 0 ? CHUNK / tuple : CHUNK;
	struct npyio_elements e;
	enum tsl_status status;
	char *buf = malloc(CHUNK);

	if (!buf)
		return tsl_fail(err, TSL_EMEMORY, "out of memory");
	status = npyio_elements_init(&e, indices, TSL_ORDER_C, err);
	for (int64_t i = 0; i < gather->ntuples && !status; i += chunk) {
		int64_t left = gather->ntuples - i;

		status = take_tuples(gather, &e, i, left < chunk ? left : chunk,
				     buf, err);
	}
	free(buf);
	return status;
}

static enum tsl_status
make_rows(struct tsl_gather_job *gather, struct npyio_reader *indices,
	  struct tsl_error *err)
{
	int64_t nbytes;
	enum tsl_status status;

	if (!tsl_gather_job_has_rows(gather))
		return TSL_OK;
	if (tsl_mul(gather->ntuples, (int64_t)sizeof(int64_t), &nbytes))
		gather->row = malloc((size_t)nbytes);
	if (!gather->row)
		return tsl_fail(err, TSL_EMEMORY,
				"out of memory for %lld index tuples",
				(long long)gather->ntuples);
	status = take_all_tuples(gather, indices, err);
	if (status == TSL_EINDEX_OUT_OF_RANGE)
		err->item = INDICES;
	return status;
}

static enum tsl_status
run(const struct options *o, const struct tsl_gather_options *options,
    const char *const *paths, struct tsl_error *err)
{
	struct run_inputs inputs;
	struct tsl_gather_job gather = { .row = NULL };
	enum tsl_status status = run_open(&inputs, paths, 2, err);

	if (!status)
		status = tsl_gather_job_init(
			&gather, run_array(&inputs, PARAMS),
			run_array(&inputs, INDICES), options, err);
	if (!status)
		status = make_rows(&gather, inputs.in[INDICES], err);
	if (!status)
		status = run_job(&o->co, &gather.job, &inputs, err);
	run_blame(&inputs, status, err);
	free(gather.row);
	run_close(&inputs, status);
	return status;
}

/* Returns 0, or an exit status. */
static int
settle(struct options *o, struct tsl_gather_options *options)
{
	const char *text = o->batch_dims;
	enum tsl_status status = TSL_OK;

	options->order = (enum tsl_order)(o->co.order + 1);
	options->zero_bad = o->bad_indices == BAD_INDICES_ZERO;
	options->batch_dims = 0;
	if (text)
		status = tsl_parse_int64(text, strlen(text),
					 &options->batch_dims);
	if (status)
		return message_fail(
			status, "--batch-dims takes an int64, not '%s'", text);
	return options_settle(&o->co);
}

static int
tgather_main(int argc, char **argv)
{
	struct options o = { .co = COMMON_DEFAULTS };
	const struct opt table[] = {
		OPT_CHOICE(0, "bad-indices", "WHAT", &o.bad_indices,
			   bad_indices_choices,
			   "what an index out of range gives (default: error)"),
		OPT_STRING(0, "batch-dims", "N", &o.batch_dims,
			   "leading dims that both have (default: 0)"),
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
