/*
 * tsetdiag.c - the command tsetdiag: a band of diagonals replaced
 */
#include "applet.h"
#include "cli/operand/band.h"
#include "cli/operand/fill_value.h"
#include "cli/option/many_check.h"
#include "cli/report/message.h"
#include "cli/run/command.h"
#include "lib/op/set_diag.h"

#include <stdlib.h>

static const struct usage usage = {
	.synopsis = "  tsetdiag [OPTION]... IN DIAGONAL [-o OUT]\n"
		    "  tsetdiag [OPTION]... IN --value LITERAL [-o OUT]\n"
		    "  tsetdiag [OPTION]... FILE DIAGONAL --in-place\n",
	.purpose =
		"Writes the matrices in IN with diagonals replaced by those in "
		"DIAGONAL,\n"
		"or by one element (matrix_set_diag): the main one, or those "
		"that -k names.",
	.examples =
		"  tsetdiag m.npy d.npy -o out.npy          main diagonal\n"
		"  tsetdiag m.npy d.npy -k 1 -o out.npy     the one above it\n"
		"  tsetdiag m.npy band.npy -k -1:2          a band of four, "
		"highest first\n"
		"  tsetdiag cov.npy --value 0 --in-place    zeros on the "
		"diagonals\n",
	.min_operands = 1,
	.max_operands = 2,
};

struct request {
	struct common_options co;
	struct substitutes sub;
	struct band band;
	struct tsl_band_options options;
	struct tsl_set_diag_job set;
};

enum { IN, DIAGONAL };

static int
parse(struct invocation *c, char **operands, int n)
{
	struct request *r = c->request;

	if (!r->sub.literal && n < usage.max_operands)
		return options_misuse(&usage);
	if (r->sub.literal && n == usage.max_operands)
		return message_usage("--value stands for DIAGONAL; '%s' is one "
				     "too many",
				     operands[DIAGONAL]);
	return band_parse(&r->band, &r->options);
}

static enum tsl_status
make_job(void *request, const struct inputs *inputs, struct tsl_job **job,
	 struct tsl_error *err)
{
	struct request *r = request;
	const struct tsl_array *in = inputs_array(inputs, IN);
	enum tsl_status status = tsl_set_diag_job_init(
		&r->set, in,
		r->sub.literal ? NULL : inputs_array(inputs, DIAGONAL),
		&r->options, err);

	*job = &r->set.job;
	if (status || !r->sub.literal)
		return status;
	/* What is wrong with the band is said first. */
	status = fill_value_new(&r->sub.element, &in->dtype, r->sub.literal,
				npyio_reader_name(inputs->in[IN]), err);
	r->set.job.fill = r->sub.element;
	return status;
}

static const struct command command = {
	.usage = &usage,
	.parse = parse,
	.substitutes = offsetof(struct request, sub),
	.request_size = sizeof(struct request),
	.make_job = make_job,
};

static int
tsetdiag_main(int argc, char **argv)
{
	struct request r = { .co = COMMON_DEFAULTS, .band = BAND_DEFAULTS };
	const struct opt table[] = {
		BAND_OPTIONS(&r.band),
		OPT_STRING(0, "value", "LITERAL", &r.sub.literal,
			   "an element, in place of DIAGONAL: all of them"),
		IN_PLACE_OPTION(&r.co),
		MANY_OPTIONS(&r.co),
		COMMON_OPTIONS(&r.co, "C"),
		{ 0 },
	};

	return command_main(&command, &r, &r.co, table, argc, argv);
}

const struct applet tsetdiag_applet = { "tsetdiag", tsetdiag_main };
