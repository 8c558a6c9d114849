/*
 * tsetdiag.c - the command tsetdiag: a band of diagonals replaced
 */
#include "applet.h"
#include "cli/operand/band.h"
#include "cli/option/many_check.h"
#include "cli/run/command.h"
#include "lib/op/set_diag.h"

static const struct usage usage = {
	.synopsis = "  tsetdiag [OPTION]... IN DIAGONAL [-o OUT]\n"
		    "  tsetdiag [OPTION]... FILE DIAGONAL --in-place\n",
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

struct request {
	struct common_options co;
	struct band band;
	struct tsl_band_options options;
	struct tsl_set_diag_job set;
};

enum { IN, DIAGONAL };

static int
settle(struct invocation *c, char **operands, int n)
{
	struct request *r = c->request;

	(void)operands;
	(void)n;
	return band_settle(&r->band, &r->options);
}

static enum tsl_status
make_job(void *request, const struct inputs *inputs, struct tsl_job **job,
	 struct tsl_error *err)
{
	struct request *r = request;

	*job = &r->set.job;
	return tsl_set_diag_job_init(&r->set, inputs_array(inputs, IN),
				     inputs_array(inputs, DIAGONAL),
				     &r->options, err);
}

static int
count_behind(const void *request, char *const *operands, int n)
{
	(void)request;
	(void)operands;
	(void)n;
	return 1;
}

static const struct command command = {
	.usage = &usage,
	.settle = settle,
	.count_behind = count_behind,
	.request_size = sizeof(struct request),
	.make_job = make_job,
};

static int
tsetdiag_main(int argc, char **argv)
{
	struct request r = { .co = COMMON_DEFAULTS, .band = BAND_DEFAULTS };
	const struct opt table[] = {
		BAND_OPTIONS(&r.band),
		IN_PLACE_OPTION(&r.co),
		MANY_OPTIONS(&r.co),
		COMMON_OPTIONS(&r.co, "C"),
		{ 0 },
	};

	return command_main(&command, &r, &r.co, table, argc, argv);
}

const struct applet tsetdiag_applet = { "tsetdiag", tsetdiag_main };
