/*
 * tgetdiag.c - the command tgetdiag: a band of diagonals, packed
 */
#include "applet.h"
#include "cli/operand/band.h"
#include "cli/operand/fill_value.h"
#include "cli/option/many_check.h"
#include "cli/run/command.h"
#include "lib/op/get_diag.h"

#include <stdlib.h>

static const struct usage usage = {
	.synopsis = "  tgetdiag [OPTION]... IN [-o OUT]\n",
	.purpose = "Writes the diagonals of the matrices in IN "
		   "(matrix_diag_part): the main one, or\n"
		   "those that -k names, a row for each, the highest first.",
	.examples =
		"  tgetdiag m.npy                           main diagonal\n"
		"  tgetdiag m.npy -k 1 -o d.npy             the one above it\n"
		"  tgetdiag m.npy -k -1:2 -o band.npy       a band of four, "
		"highest first\n"
		"  tgetdiag m.npy -k -1:2 --padding nan     nan beside the "
		"short ones\n",
	.min_operands = 1,
	.max_operands = 1,
};

struct request {
	struct common_options co;
	struct substitutes sub;
	struct band band;
	const char *padding; /* NULL: zero bytes */
	struct tsl_band_options options;
	struct tsl_get_diag_job get;
};

static int
parse(struct invocation *c, char **operands, int n)
{
	struct request *r = c->request;

	(void)operands;
	(void)n;
	return band_parse(&r->band, &r->options);
}

static enum tsl_status
make_job(void *request, const struct inputs *inputs, struct tsl_job **job,
	 struct tsl_error *err)
{
	struct request *r = request;
	const struct tsl_array *in = inputs_array(inputs, 0);
	enum tsl_status status =
		tsl_get_diag_job_init(&r->get, in, &r->options, NULL, err);

	*job = &r->get.job;
	if (status)
		return status;
	/* What is wrong with the band is said first. */
	status = fill_value_new(&r->sub.element, &in->dtype, r->padding,
				npyio_reader_name(inputs->in[0]), err);
	r->get.job.fill = r->sub.element;
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
tgetdiag_main(int argc, char **argv)
{
	struct request r = { .co = COMMON_DEFAULTS, .band = BAND_DEFAULTS };
	const struct opt table[] = {
		BAND_OPTIONS(&r.band),
		OPT_STRING(0, "padding", "LITERAL", &r.padding,
			   "what short diagonals leave (default: zero bytes)"),
		MANY_OPTIONS(&r.co),
		COMMON_OPTIONS(&r.co, "C"),
		{ 0 },
	};

	return command_main(&command, &r, &r.co, table, argc, argv);
}

const struct applet tgetdiag_applet = { "tgetdiag", tgetdiag_main };
