/*
 * tsetdiag.c - the command tsetdiag: a band of diagonals replaced
 */
#include "applet.h"
#include "lib/base/integer.h"
#include "lib/op/set_diag.h"
#include "message.h"
#include "options.h"
#include "run.h"

#include <stdlib.h>
#include <string.h>

static const struct usage usage = {
	.synopsis = "  tsetdiag [OPTION]... IN DIAGONAL [-o OUT]\n",
	.purpose =
		"Writes the matrices in IN with diagonals replaced by those in "
		"DIAGONAL\n"
		"(matrix_set_diag): the main one, or those that -k names.",
	.examples =
		"  tsetdiag m.npy d.npy -o out.npy          main diagonal\n"
		"  tsetdiag m.npy d.npy -k 1 -o out.npy     the one above it\n"
		"  tsetdiag m.npy band.npy -k -1:2          a band of four, "
		"highest first\n",
	.min_operands = 2,
	.max_operands = 2,
};

static const char *const aligns[] = {
	[TSL_ALIGN_RIGHT_LEFT] = "RIGHT_LEFT",
	[TSL_ALIGN_LEFT_RIGHT] = "LEFT_RIGHT",
	[TSL_ALIGN_LEFT_LEFT] = "LEFT_LEFT",
	[TSL_ALIGN_RIGHT_RIGHT] = "RIGHT_RIGHT",
};

struct options {
	struct common_options co;
	const char *k;
	const char *align;
};

enum { IN, DIAGONAL };

/* ---- the command line ---------------------------------------------------- */

static bool
parse_k(const char *text, size_t len, int64_t *k)
{
	return tsl_parse_int64(text, len, k) == TSL_OK && *k >= INT32_MIN &&
	       *k <= INT32_MAX;
}

/* K, LO:HI or LO,HI. Returns 0, or an exit status. */
static int
settle_k(const char *text, struct tsl_band_options *options)
{
	size_t n = strcspn(text, ":,");
	const char *upper = text[n] ? text + n + 1 : text;

	if (!parse_k(text, n, &options->lower) ||
	    !parse_k(upper, strlen(upper), &options->upper))
		return message_fail(TSL_EBAD_K,
				    "-k takes K or LO:HI, integers of 32 bits, "
				    "not '%s'",
				    text);
	if (options->lower > options->upper)
		return message_fail(
			TSL_EK_ORDER,
			"-k: the lower end, %lld, is above the upper, %lld",
			(long long)options->lower, (long long)options->upper);
	return 0;
}

static int
settle_align(const char *text, struct tsl_band_options *options)
{
	for (size_t i = 0; i < sizeof(aligns) / sizeof(aligns[0]); i++) {
		if (strcmp(aligns[i], text) == 0) {
			options->align = (enum tsl_align)i;
			return 0;
		}
	}
	return message_fail(TSL_EBAD_ALIGN,
			    "--align is RIGHT_LEFT, LEFT_RIGHT, LEFT_LEFT or "
			    "RIGHT_RIGHT, not '%s'",
			    text);
}

static int
settle(struct options *o, struct tsl_band_options *options)
{
	int exit_status = settle_align(o->align, options);

	if (!exit_status)
		exit_status = settle_k(o->k, options);
	return exit_status ? exit_status : options_settle(&o->co);
}

/* ---- doing --------------------------------------------------------------- */

static enum tsl_status
run(const struct options *o, const struct tsl_band_options *options,
    const char *const *paths, struct tsl_error *err)
{
	struct run_inputs inputs;
	struct tsl_set_diag_job set;
	enum tsl_status status = run_open(&inputs, &o->co, paths, 2, err);

	if (!status)
		status = tsl_set_diag_job_init(&set, run_array(&inputs, IN),
					       run_array(&inputs, DIAGONAL),
					       options, err);
	if (!status)
		status = run_job(&o->co, &set.job, &inputs, err);
	run_blame(&inputs, status, err);
	run_close(&inputs, status);
	return status;
}

static int
tsetdiag_main(int argc, char **argv)
{
	struct options o = { .co = COMMON_DEFAULTS,
			     .k = "0",
			     .align = "RIGHT_LEFT" };
	const struct opt table[] = {
		OPT_STRING('k', "k", "K|LO:HI", &o.k,
			   "diagonal, or the lowest and the highest"),
		OPT_STRING(0, "align", "ALIGN", &o.align,
			   "where short diagonals lie (default: RIGHT_LEFT)"),
		COMMON_OPTIONS(&o.co, "C"),
		{ 0 },
	};
	struct tsl_band_options options;
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

const struct applet tsetdiag_applet = { "tsetdiag", tsetdiag_main };
