/*
 * tslice.c - the command tslice: a slice of an array
 *
 * The road of one slice: the slice string, or vectors and masks, becomes an
 * encoding (compile); with the shape of the input the encoding becomes a
 * selection, the selection, its axes and sizes arranged, a job (make_job), and
 * the job an output (run_job).
 */
#include "applet.h"
#include "cli/operand/arrange.h"
#include "cli/operand/explain.h"
#include "cli/operand/slice_operand.h"
#include "cli/option/many_check.h"
#include "cli/report/message.h"
#include "cli/run/command.h"
#include "cli/run/result_order.h"
#include "cli/run/run.h"
#include "lib/spec/parse.h"
#include "npyio/transfer/reflink.h"

#include <limits.h>
#include <string.h>

static const struct usage usage = {
	.synopsis = "  tslice [OPTION]... IN [SPEC] [-o OUT]\n"
		    "  tslice --explain [--json] [IN | --shape SHAPE] SPEC\n",
	.more = "  tslice [OPTION]... IN --begin LIST --end LIST "
		"[--strides LIST]\n"
		"         [--MASK N]... [-o OUT]\n"
		"  tslice [OPTION]... IN --encoding FILE [-o OUT]\n",
	.purpose =
		"Writes the slice SPEC of the array IN.  SPEC is what stands "
		"between the brackets\n"
		"of a NumPy basic index, in quotes; see tslice-spec(7).  "
		"Without it the whole\n"
		"array is written, or shown.  Then --axes, -T and --reshape "
		"put the axes in\n"
		"another order, or all of it in another shape.",
	.examples =
		"  tslice in.npy                            show it: shape, "
		"dtype, elements\n"
		"  tslice in.npy '10:20' -o out.npy         rows 10 to 19\n"
		"  tslice in.npy '::10, 3' --print=csv      column 3 of every "
		"tenth row\n"
		"  tslice data.npz:x '..., ::-1' -o x.npy   of an archive; "
		"last axis reversed\n"
		"  tslice in.npy --axes 2,0,1 -o out.npy    pixels of "
		"channels: channels first\n"
		"  cat in.npy | tslice - '[:, 3]' | ...     from pipe to "
		"pipe\n"
		"  tslice --explain in.npy '::2, None, 0'   what it compiles "
		"to, and would do\n",
	.max_operands = INT_MAX, /* what is one too many may be told why */
};

#define ALL_OF_IT "..."

struct request {
	struct common_options co;
	struct slice_operand slice;
	struct arrange arrange;
	const char *shape;
	bool explain, all;
	int explained; /* enum explained */
	struct tsl_job job;
};

/* What --explain prints. */
enum explained {
	EXPLAINED_RANGES, /* of the file, that are read */
	EXPLAINED_PLAN, /* and the encoding; without a word this is meant */
};

static const char *const explain_choices[] = {
	[EXPLAINED_RANGES] = "ranges", [EXPLAINED_PLAN] = "plan", NULL
};

static bool
explains_ranges(const struct request *r)
{
	return r->explain && r->explained == EXPLAINED_RANGES;
}

/* ---- the command line ---------------------------------------------------- */

/* Which options go together.  Returns 0, or an exit status. */
static int
check_options(const struct request *r)
{
	int exit_status = slice_operand_check(&r->slice);

	if (!exit_status)
		exit_status = arrange_check(&r->arrange);
	if (exit_status)
		return exit_status;
	if (r->shape && !r->explain)
		return message_usage("--shape goes with --explain only");
	if (r->all && (r->explain || r->co.no_drain))
		return message_usage("--all takes every array there is; it "
				     "does not go with --%s",
				     r->explain ? "explain" : "no-drain");
	if (r->explain && (r->co.output || r->co.print || r->co.target))
		return message_usage("--explain makes no result to write");
	if (r->shape && explains_ranges(r))
		return message_usage("--explain=ranges are those of a file; it "
				     "does not go with --shape");
	return 0;
}

/*
 * Of an explanation a single operand is the slice, unless there has to be an
 * input.  But where something follows it the slice may be left out, and what is
 * none is an input.
 */
static bool
is_slice(const struct request *r, const char *operand)
{
	struct tsl_spec spec;

	return r->explain && !explains_ranges(r) &&
	       (r->shape || !arrange_is_given(&r->arrange) ||
		tsl_parse(&spec, operand, strlen(operand), NULL) == TSL_OK);
}

/* A shape alone is given, of which all is to be arranged. */
static bool
is_all_of_shape(const struct request *r)
{
	return r->shape && arrange_is_given(&r->arrange);
}

/* How the slice is given: exactly one way. Returns 0, or an exit status. */
static int
read_operands(struct invocation *c, char **operands, int n)
{
	struct request *r = c->request;
	bool as_text = slice_operand_is_text(&r->slice);
	bool left_out;
	int wanted = 1 + as_text; /* IN, and SPEC */

	if (n > wanted)
		return slice_operand_too_many(c->co->table, operands, n,
					      operands[wanted], NULL);
	if (r->shape && n == wanted)
		return message_usage("--shape stands for an input; '%s' is "
				     "one too many",
				     operands[0]);
	/* An explanation needs no input, anything else no SPEC. */
	if (n == 0 && (!r->explain || explains_ranges(r) ||
		       (as_text && !is_all_of_shape(r))))
		return options_misuse(&usage);
	left_out = as_text && n < wanted && (n == 0 || !is_slice(r, *operands));
	r->co.overview = left_out && !r->explain;
	c->ninputs = n == wanted || (left_out && n > 0) ? 1 : 0;
	r->slice.text = left_out ? ALL_OF_IT : as_text ? operands[n - 1] : NULL;
	c->slice = r->slice.text;
	return c->ninputs == 0
		       ? 0
		       : slice_operand_check_stdin(&r->slice, c->input[0]);
}

/* ---- doing --------------------------------------------------------------- */

static enum tsl_status
compile(void *request, struct tsl_error *err)
{
	struct request *r = request;
	enum tsl_status status = slice_operand_compile(&r->slice, err);

	return status ? status : arrange_compile(&r->arrange, err);
}

/* What the slice selects, arranged. */
static enum tsl_status
arrange(const struct request *r, const struct tsl_selection *sel, int64_t width,
	struct tsl_arrangement *a, struct tsl_error *err)
{
	struct tsl_shape shape = tsl_selection_shape(sel);

	return tsl_arrange(a, &r->arrange.lists, &shape, width, err);
}

static enum tsl_status
make_job(void *request, const struct inputs *inputs, struct tsl_job **job,
	 struct tsl_error *err)
{
	struct request *r = request;
	const struct tsl_array *in = inputs_array(inputs, 0);
	const char *name = npyio_reader_name(inputs->in[0]);
	struct tsl_arrangement a;
	struct tsl_selection sel;
	enum tsl_status status =
		slice_operand_select(&r->slice, &sel, in, name, err);

	*job = &r->job;
	if (status)
		return status;
	status = arrange(r, &sel, in->dtype.size, &a, err);
	if (status)
		err->subject = name;
	else
		tsl_slice_job_init(&r->job, in, &sel, &a,
				   (enum tsl_order)(r->co.order + 1));
	return status;
}

static enum tsl_status
print_explanation(const struct request *r, const struct explanation *x,
		  struct tsl_error *err)
{
	if (r->co.json)
		return explain_json(x, err);
	explain_text(x);
	return TSL_OK;
}

static enum tsl_status
explain_shape(const struct request *r, struct tsl_error *err)
{
	struct explanation x = { .encoding = &r->slice.encoding };
	struct tsl_arrangement a;
	struct tsl_selection sel;
	struct tsl_shape shape;
	enum tsl_status status;

	if (!r->shape)
		return print_explanation(r, &x, err);
	status = tsl_shape_parse(&shape, r->shape, strlen(r->shape), err);
	if (!status)
		status = slice_operand_resolve(&r->slice, &sel, &shape, err);
	if (!status)
		status = arrange(r, &sel, 1, &a, err);
	if (status)
		return status;
	x.shape = &shape;
	x.result = &a.shape;
	return print_explanation(r, &x, err);
}

static enum tsl_status
explain_input(struct request *r, const struct inputs *inputs,
	      struct tsl_error *err)
{
	struct result_order order = { .descr = NULL };
	struct tsl_job *job;
	enum tsl_status status = make_job(r, inputs, &job, err);
	struct explanation x = { .encoding = &r->slice.encoding, .job = job };
	struct tsl_shape shape, result;

	if (!status)
		status = result_order_set(&order, &r->co, job, err);
	if (status)
		return status;
	/* What is made in C order alone is turned in the end. */
	if ((enum tsl_order)(r->co.order + 1) == TSL_ORDER_F &&
	    !tsl_array_is_1d(&job->out))
		job->out.fortran_order = true;
	shape = tsl_shape_of(&job->in);
	result = tsl_shape_of(&job->out);
	x.shape = &shape;
	x.result = &result;
	x.can_reflink = npyio_can_reflink(job, inputs->in[0]);
	status = run_check_stdout(inputs, err);
	if (!status)
		status = inputs_drain(inputs, err);
	if (!status && explains_ranges(r))
		explain_ranges(job, inputs->in[0], r->co.json);
	else if (!status)
		status = print_explanation(r, &x, err);
	result_order_free(&order);
	return status;
}

static enum tsl_status
explain(const struct invocation *c, const struct inputs *inputs,
	struct tsl_error *err)
{
	return inputs->n == 0 ? explain_shape(c->request, err)
			      : explain_input(c->request, inputs, err);
}

/* Slices the array at hand, and then each that follows it, to one output. */
static enum tsl_status
slice_all(const struct invocation *c, const struct inputs *inputs,
	  struct tsl_error *err)
{
	struct npyio_writer *out;
	enum tsl_status status = run_begin(&out, c->co, err);
	struct result_order order = { .descr = NULL };
	bool more = true;
	struct tsl_job *job;

	if (status)
		return status;
	while (!status && more) {
		status = make_job(c->request, inputs, &job, err);
		if (!status)
			status = result_order_set(&order, c->co, job, err);
		if (!status)
			status = run_write(out, c->co, job, inputs, err);
		if (!status)
			status = npyio_writer_next(out, err);
		if (!status)
			status = npyio_reader_next(inputs->in[0], &more, err);
		if (!status && more && c->co->is_member)
			status = tsl_fail(err, TSL_EUSAGE,
					  "a member of an archive is one "
					  "array, and here are more");
		if (!status && more)
			status = inputs_select(inputs->in[0], c->co, err);
	}
	result_order_free(&order);
	return run_end(out, status, err);
}

/* Returns 0, or an exit status. */
static int
parse(struct invocation *c, char **operands, int n)
{
	struct request *r = c->request;
	int exit_status = check_options(r);

	r->co.alone = r->explain ? "--explain" : r->all ? "--all" : NULL;
	c->run = r->explain ? explain : r->all ? slice_all : NULL;
	return exit_status ? exit_status : read_operands(c, operands, n);
}

/*
 * The last operand is the slice; but where something follows it the slice may
 * be left out, and what is none is an input.
 */
static int
count_others(const void *request, char *const *operands, int n)
{
	const struct request *r = request;
	struct tsl_spec spec;

	if (!slice_operand_is_text(&r->slice))
		return 0;
	return !arrange_is_given(&r->arrange) ||
	       (n > 0 && tsl_parse(&spec, operands[n - 1],
				   strlen(operands[n - 1]), NULL) == TSL_OK);
}

static const struct command command = {
	.usage = &usage,
	.parse = parse,
	.compile = compile,
	.count_others = count_others,
	.request_size = sizeof(struct request),
	.make_job = make_job,
};

static int
tslice_main(int argc, char **argv)
{
	struct request r = { .co = COMMON_DEFAULTS };
	const struct opt table[] = {
		OPT_FORM(0, "explain", "WHAT", &r.explain, &r.explained,
			 explain_choices,
			 "show the encoding and the plan, read no data; "
			 "ranges: which bytes of the file would be read"),
		OPT_FLAG(0, "all", &r.all,
			 "slice every array of the input, one by one"),
		OPT_STRING(0, "shape", "SHAPE", &r.shape,
			   "with --explain: a shape instead of an input",
			   OPT_RARE),
		SLICE_OPTIONS(&r.slice),
		ARRANGE_OPTIONS(&r.arrange),
		MANY_OPTIONS(&r.co),
		COMMON_OPTIONS(&r.co, "as numpy.save"),
		{ 0 },
	};

	return command_main(&command, &r, &r.co, table, argc, argv);
}

const struct applet tslice_applet = { "tslice", tslice_main };
