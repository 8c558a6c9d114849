/*
 * tscatter.c - the command tscatter: rows replaced where index tuples say
 */
#include "applet.h"
#include "cli/operand/fill_value.h"
#include "cli/operand/indices.h"
#include "cli/option/device.h"
#include "cli/option/many_check.h"
#include "cli/report/message.h"
#include "cli/run/command.h"
#include "cli/run/mask.h"
#include "lib/op/scatter_nd.h"

#include <stdlib.h>
#include <string.h>

static const struct usage usage = {
	.synopsis = "  tscatter [OPTION]... IN INDICES UPDATES [-o OUT]\n"
		    "  tscatter [OPTION]... IN MASK UPDATES [-o OUT]\n"
		    "  tscatter [OPTION]... IN INDICES --value LITERAL "
		    "[-o OUT]\n"
		    "  tscatter [OPTION]... IN --indices LIST|@FILE UPDATES "
		    "[-o OUT]\n"
		    "  tscatter [OPTION]... --shape SHAPE INDICES UPDATES "
		    "[-o OUT]\n"
		    "  tscatter [OPTION]... FILE INDICES UPDATES --in-place\n",
	.purpose =
		"Writes IN with the parts that the index tuples in INDICES "
		"name replaced by\n"
		"those in UPDATES (tensor_scatter_nd_update); of several for "
		"one place the last.\n"
		"updates.shape = indices.shape[:-1] + "
		"in.shape[indices.shape[-1]:].\n"
		"INDICES of bools are a mask: IN[MASK] = UPDATES.",
	.examples =
		"  tscatter t.npy rows.npy new.npy -o t.npy rows.npy of shape "
		"(N, 1): whole rows\n"
		"  tscatter x.npy bad.npy --value nan --in-place\n"
		"                                           where a mask is "
		"true\n"
		"  tscatter --shape '(480, 640)' at.npy v.npy -o out.npy\n"
		"                                           zeros elsewhere\n",
	.min_operands = 1,
	.max_operands = 3,
};

enum { BAD_INDICES_ERROR, BAD_INDICES_SKIP };
static const char *const bad_indices_choices[] = { "error", "skip", NULL };

enum { DUPLICATES_LAST, DUPLICATES_ERROR };
static const char *const duplicates_choices[] = { "last", "error", NULL };

struct request {
	struct common_options co;
	struct substitutes sub;
	const char *shape_text; /* NULL: there is an input */
	struct tsl_shape shape;
	int bad_indices; /* -1: not said */
	int duplicates;
	struct tsl_scatter_options options;
	struct tsl_scatter_job scatter;
};

/* The inputs, of which the first or the last may not be there. */
static int
number_of_indices(const struct request *r)
{
	return r->shape_text ? 0 : 1;
}

/* ---- the command line ---------------------------------------------------- */

/* Returns 0, or an exit status. */
static int
parse_shape(struct request *r)
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

/* Options stand for operands. */
static int
check_operands(const struct request *r, char **operands, int n)
{
	int wanted = usage.max_operands - (r->shape_text != NULL) -
		     substitutes_count(&r->sub);

	if (r->shape_text && r->sub.literal)
		return message_usage("--value has IN's dtype: it does not go "
				     "with --shape");
	if (n < wanted)
		return options_misuse(&usage);
	if (n > wanted && r->shape_text)
		return message_usage("--shape stands for IN; '%s' is one too "
				     "many",
				     operands[0]);
	if (n > wanted)
		return message_usage("%s stands for %s; '%s' is one too many",
				     r->sub.literal ? "--value" : "--indices",
				     r->sub.literal ? "UPDATES" : "INDICES",
				     operands[n - 1]);
	if (r->shape_text && r->co.many)
		return message_usage("--shape stands for IN, of which there "
				     "are to be many");
	if (r->shape_text && r->co.in_place)
		return message_usage("--shape makes a new array: it does not "
				     "go with --in-place");
	return 0;
}

static int
parse(struct invocation *c, char **operands, int n)
{
	struct request *r = c->request;
	int exit_status = check_operands(r, operands, n);

	if (exit_status)
		return exit_status;
	/* The op's rule on each device; which one is to be asked for by name.
	 */
	if (r->bad_indices < 0 && r->co.device && device_is_gpu(r->co.device))
		r->bad_indices = BAD_INDICES_SKIP;
	r->options.skip_bad = r->bad_indices == BAD_INDICES_SKIP;
	r->options.refuse_duplicates = r->duplicates == DUPLICATES_ERROR;
	return r->shape_text ? parse_shape(r) : 0;
}

/* ---- the inputs ---------------------------------------------------------- */

/* What the mask goes over; of a new array nothing else is known yet. */
static struct tsl_array
masked_array(const struct request *r, const struct inputs *inputs)
{
	struct tsl_array array = { .ndim = r->shape.ndim };

	if (!r->shape_text)
		return *inputs_array(inputs, 0);
	memcpy(array.dim, r->shape.dim, (size_t)array.ndim * sizeof(int64_t));
	return array;
}

static enum tsl_status
count_mask(struct request *r, const struct inputs *inputs,
	   struct tsl_error *err)
{
	struct npyio_reader *mask = inputs->in[number_of_indices(r)];
	struct tsl_array in = masked_array(r, inputs);
	enum tsl_status status;

	r->options.mask = NULL;
	if (!tsl_is_mask(npyio_reader_array(mask)))
		return TSL_OK;
	status = tsl_mask_check(&in, npyio_reader_array(mask), NULL, err);
	if (status && err)
		err->item = number_of_indices(r);
	if (!status)
		status = mask_count(&r->sub.mask, &r->co, mask, err);
	r->options.mask = &r->sub.mask;
	return status;
}

static enum tsl_status
make_new(struct request *r, const struct inputs *inputs, struct tsl_error *err)
{
	const struct tsl_array *updates = inputs_array(inputs, 1);
	enum tsl_status status = fill_value_new(
		&r->sub.element, &updates->dtype, NULL, NULL, err);

	return status ? status
		      : tsl_scatter_new_init(
				&r->scatter, &r->shape, r->sub.element,
				inputs_array(inputs, 0), updates, &r->options,
				(enum tsl_order)(r->co.order + 1), err);
}

/* What is wrong with the indices is said first. */
static enum tsl_status
make_changed(struct request *r, const struct inputs *inputs,
	     struct tsl_error *err)
{
	const struct tsl_array *in = inputs_array(inputs, 0);
	enum tsl_status status = tsl_scatter_job_init(
		&r->scatter, in, inputs_array(inputs, 1),
		r->sub.literal ? NULL : inputs_array(inputs, 2), &r->options,
		(enum tsl_order)(r->co.order + 1), err);

	if (status || !r->sub.literal)
		return status;
	status = fill_value_new(&r->sub.element, &in->dtype, r->sub.literal,
				npyio_reader_name(inputs->in[0]), err);
	r->scatter.job.fill = r->sub.element;
	return status;
}

static enum tsl_status
make_job(void *request, const struct inputs *inputs, struct tsl_job **job,
	 struct tsl_error *err)
{
	struct request *r = request;
	enum tsl_status status = count_mask(r, inputs, err);

	*job = &r->scatter.job;
	if (status)
		return status;
	return r->shape_text ? make_new(r, inputs, err)
			     : make_changed(r, inputs, err);
}

static const struct command command = {
	.usage = &usage,
	.parse = parse,
	.substitutes = offsetof(struct request, sub),
	.request_size = sizeof(struct request),
	.make_job = make_job,
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
			   "(default: last)",
			   OPT_RARE),
		OPT_STRING(0, "indices", "LIST", &r.sub.indices.text,
			   "1,2,3, [[0],[1]], or @FILE, a tuple a line; in "
			   "place of INDICES"),
		OPT_STRING(0, "shape", "SHAPE", &r.shape_text,
			   "begin with zeros of this shape instead of IN"),
		OPT_STRING(0, "value", "LITERAL", &r.sub.literal,
			   "an element, in place of UPDATES: all of them"),
		IN_PLACE_OPTION(&r.co),
		MANY_OPTIONS(&r.co),
		COMMON_OPTIONS(&r.co, "that of IN"),
		{ 0 },
	};

	return command_main(&command, &r, &r.co, table, argc, argv);
}

const struct applet tscatter_applet = { "tscatter", tscatter_main };
