/*
 * tslice.c - the command tslice: a slice of an array
 *
 * The road of one slice: the slice string, or vectors and masks, becomes an
 * encoding (compile); with the shape of the input the encoding becomes a
 * selection, the selection a job (run), and the job an output (run_job).
 */
#include "lib/tslice.h"
#include "applet.h"
#include "explain.h"
#include "hint.h"
#include "json.h"
#include "message.h"
#include "npyio/file/reader.h"
#include "options.h"
#include "run.h"
#include "vectors.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const struct usage usage = {
	.synopsis = "  tslice [OPTION]... IN [SPEC] [-o OUT]\n"
		    "  tslice [OPTION]... IN --begin LIST --end LIST "
		    "[--strides LIST]\n"
		    "         [--MASK N]... [-o OUT]\n"
		    "  tslice [OPTION]... IN --encoding FILE [-o OUT]\n"
		    "  tslice --explain [--json] [IN | --shape SHAPE] SPEC\n",
	.purpose =
		"Writes the slice SPEC of the array in the .npy file IN ('-': "
		"standard input).\n"
		"SPEC is what stands between the brackets of a NumPy basic "
		"index, in quotes;\n"
		"see tslice-spec(7).  Without it the whole array is written, "
		"or shown.",
	.examples =
		"  tslice in.npy                            show it: shape, "
		"dtype, elements\n"
		"  tslice in.npy '10:20' -o out.npy         rows 10 to 19\n"
		"  tslice in.npy '..., ::-1' -o out.npy     last axis "
		"reversed\n"
		"  cat in.npy | tslice - '[:, 3]' | ...     one column, from "
		"pipe to pipe\n"
		"  tslice --explain in.npy '::2, None, 0'   what it compiles "
		"to, and would do\n",
	.max_operands = INT_MAX, /* what is one too many may be told why */
};

#define ALL_OF_IT "..."

struct options {
	struct common_options co;
	const char *list[VECTORS_LISTS];
	const char *mask[VECTORS_MASKS];
	const char *encoding;
	const char *shape;
	bool explain, all;
};

/* What is to be done, after the command line has been understood. */
struct request {
	const struct options *o;
	const char *in; /* NULL: none */
	const char *text; /* the slice string; NULL: given as vectors */
	struct tsl_spec spec; /* of text */
	struct tsl_encoding encoding;
};

/* ---- the command line ---------------------------------------------------- */

static bool
any(const char *const *values, int n)
{
	for (int i = 0; i < n; i++)
		if (values[i])
			return true;
	return false;
}

/* Which options go together.  Returns 0, or an exit status. */
static int
check_options(const struct options *o)
{
	bool lists = any(o->list, VECTORS_LISTS);
	bool vectors = lists || any(o->mask, VECTORS_MASKS);

	if (vectors && o->encoding)
		return message_usage("--encoding does not go with other "
				     "vectors and masks");
	if (vectors && !(o->list[VECTORS_BEGIN] && o->list[VECTORS_END]))
		return message_usage("vectors need both --begin and --end");
	if (o->shape && !o->explain)
		return message_usage("--shape goes with --explain only");
	if (o->all && (o->explain || o->co.no_drain))
		return message_usage("--all takes every array there is; it "
				     "does not go with --%s",
				     o->explain ? "explain" : "no-drain");
	if (o->explain && (o->co.output || o->co.print))
		return message_usage("--explain makes no result to write");
	return 0;
}

static int
too_many(char *const *operands, int n, int wanted)
{
	struct tsl_error err;

	tsl_fail(&err, TSL_EUSAGE, "unexpected operand '%s'", operands[wanted]);
	hint_unquoted(&err, operands, n);
	hint_globbed(&err, operands[wanted]);
	return message_error(&err, NULL);
}

/* How the slice is given: exactly one way. Returns 0, or an exit status. */
static int
read_operands(struct request *r, struct options *o, char **operands, int n)
{
	bool as_text = !o->list[VECTORS_BEGIN] && !o->encoding;
	int wanted = 1 + as_text; /* IN, and SPEC */

	if (n > wanted)
		return too_many(operands, n, wanted);
	if (o->shape && n == wanted)
		return message_usage("--shape stands for an input; '%s' is "
				     "one too many",
				     operands[0]);
	/* An explanation needs no input, anything else no SPEC. */
	if (n == 0 && (as_text || !o->explain))
		return options_misuse(&usage);
	if (n == wanted && o->encoding && strcmp(o->encoding, "-") == 0 &&
	    strcmp(operands[0], "-") == 0)
		return message_usage("the input and its encoding cannot both "
				     "be standard input");
	o->co.overview = as_text && n < wanted && !o->explain;
	r->in = n == wanted || o->co.overview ? operands[0] : NULL;
	r->text = o->co.overview ? ALL_OF_IT : as_text ? operands[n - 1] : NULL;
	return 0;
}

/* ---- compiling ----------------------------------------------------------- */

static enum tsl_status
compile_text(struct request *r, struct tsl_error *err)
{
	enum tsl_status status =
		tsl_parse(&r->spec, r->text, strlen(r->text), err);

	if (status)
		hint_slice(err, r->text);
	return status ? status : tsl_encode(&r->encoding, &r->spec, err);
}

static enum tsl_status
set_vectors(struct vectors *v, const struct options *o, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;

	for (int i = 0; i < VECTORS_LISTS && !status; i++)
		if (o->list[i])
			status = vectors_set_list(v, (enum vectors_list)i,
						  o->list[i], err);
	for (int i = 0; i < VECTORS_MASKS && !status; i++)
		if (o->mask[i])
			status = vectors_set_mask(v, (enum vectors_mask)i,
						  o->mask[i], err);
	return status;
}

static enum tsl_status
read_encoding(struct vectors *v, const char *path, struct tsl_error *err)
{
	char *text;
	size_t len;
	enum tsl_status status = run_read_file(path, &text, &len, err);

	if (!status) {
		status = json_read_vectors(v, text, len, err);
		if (status)
			err->subject = path;
	}
	free(text);
	return status;
}

static enum tsl_status
compile(struct request *r, struct tsl_error *err)
{
	struct vectors v;
	enum tsl_status status;

	if (r->text)
		return compile_text(r, err);
	vectors_init(&v);
	status = r->o->encoding ? read_encoding(&v, r->o->encoding, err)
				: set_vectors(&v, r->o, err);
	if (!status)
		status = vectors_encode(&r->encoding, &v, err);
	if (status && !err->subject && r->o->encoding)
		err->subject = r->o->encoding;
	vectors_free(&v);
	return status;
}

/* ---- doing --------------------------------------------------------------- */

static enum tsl_status
resolve(const struct request *r, struct tsl_selection *sel,
	const struct tsl_shape *shape, struct tsl_error *err)
{
	enum tsl_status status = tsl_resolve(sel, &r->encoding, shape, err);

	if (status && r->text)
		tsl_spec_locate(&r->spec, err);
	return status;
}

static enum tsl_status
make_job(const struct request *r, const struct npyio_reader *in,
	 struct tsl_job *job, struct tsl_error *err)
{
	struct tsl_shape shape = tsl_shape_of(npyio_reader_array(in));
	struct tsl_selection sel;
	enum tsl_status status = resolve(r, &sel, &shape, err);

	if (status)
		err->subject = npyio_reader_name(in);
	else
		tsl_slice_job_init(job, npyio_reader_array(in), &sel,
				   (enum tsl_order)(r->o->co.order + 1));
	return status;
}

static enum tsl_status
print_explanation(const struct request *r, const struct explanation *x,
		  struct tsl_error *err)
{
	if (r->o->co.json)
		return explain_json(x, err);
	explain_text(x);
	return TSL_OK;
}

static enum tsl_status
explain_shape(const struct request *r, struct tsl_error *err)
{
	struct explanation x = { .encoding = &r->encoding };
	struct tsl_shape shape, result;
	struct tsl_selection sel;
	enum tsl_status status;

	if (!r->o->shape)
		return print_explanation(r, &x, err);
	status = tsl_shape_parse(&shape, r->o->shape, strlen(r->o->shape), err);
	if (!status)
		status = resolve(r, &sel, &shape, err);
	if (status)
		return status;
	result = tsl_selection_shape(&sel);
	x.shape = &shape;
	x.result = &result;
	return print_explanation(r, &x, err);
}

static enum tsl_status
explain_input(const struct request *r, const struct run_inputs *inputs,
	      const struct tsl_job *job, struct tsl_error *err)
{
	struct tsl_shape shape = tsl_shape_of(&job->in);
	struct tsl_shape result = tsl_shape_of(&job->out);
	const struct explanation x = { &r->encoding, &shape, &result, job };
	enum tsl_status status = run_check_stdout(inputs->in[0], err);

	if (!status)
		status = run_drain(inputs, err);
	return status ? status : print_explanation(r, &x, err);
}

/* Slices the array at hand, and then each that follows it, to one output. */
static enum tsl_status
slice_all(const struct request *r, const struct run_inputs *inputs,
	  struct tsl_error *err)
{
	const struct common_options *co = &r->o->co;
	struct npyio_writer *out;
	enum tsl_status status = run_begin(&out, co, err);
	bool more = true;
	struct tsl_job job;

	if (status)
		return status;
	while (!status && more) {
		status = make_job(r, inputs->in[0], &job, err);
		if (!status)
			status = run_write(out, co, &job, inputs, err);
		if (!status)
			status = npyio_writer_next(out, err);
		if (!status)
			status = npyio_reader_next(inputs->in[0], &more, err);
	}
	return run_end(out, status, err);
}

static enum tsl_status
slice_one(const struct request *r, const struct run_inputs *inputs,
	  struct tsl_error *err)
{
	struct tsl_job job;
	enum tsl_status status = make_job(r, inputs->in[0], &job, err);

	if (status)
		return status;
	return r->o->explain ? explain_input(r, inputs, &job, err)
			     : run_job(&r->o->co, &job, inputs, err);
}

static enum tsl_status
run(const struct request *r, struct tsl_error *err)
{
	struct run_inputs inputs;
	enum tsl_status status;

	if (!r->in)
		return explain_shape(r, err);
	status = run_open(&inputs, &r->o->co, &r->in, 1, err);
	if (!status)
		status = r->o->all ? slice_all(r, &inputs, err)
				   : slice_one(r, &inputs, err);
	run_close(&inputs, status);
	return status;
}

/* Returns the exit status. */
static int
fail(const struct request *r, struct tsl_error *err)
{
	if (r->in)
		hint_globbed(err, r->in);
	if (r->text)
		hint_globbed(err, r->text);
	return message_error(err, r->text);
}

static int
tslice_main(int argc, char **argv)
{
	struct options o = { .co = COMMON_DEFAULTS };
	const struct opt table[] = {
		OPT_FLAG(0, "explain", &o.explain,
			 "show the encoding and the plan, read no data"),
		OPT_FLAG(0, "all", &o.all,
			 "slice every array of the input, one after the other"),
		OPT_STRING(0, "shape", "SHAPE", &o.shape,
			   "with --explain: a shape instead of an input"),
		OPT_STRING(0, "begin", "LIST", &o.list[VECTORS_BEGIN],
			   "strided_slice's begin, such as 0,-3"),
		OPT_STRING(0, "end", "LIST", &o.list[VECTORS_END],
			   "strided_slice's end"),
		OPT_STRING(0, "strides", "LIST", &o.list[VECTORS_STRIDES],
			   "strided_slice's strides (default: all 1)"),
		OPT_STRING(0, "begin-mask", "N", &o.mask[VECTORS_BEGIN_MASK],
			   "items whose begin is left out"),
		OPT_STRING(0, "end-mask", "N", &o.mask[VECTORS_END_MASK],
			   "items whose end is left out"),
		OPT_STRING(0, "ellipsis-mask", "N",
			   &o.mask[VECTORS_ELLIPSIS_MASK],
			   "the item that is '...'"),
		OPT_STRING(0, "new-axis-mask", "N",
			   &o.mask[VECTORS_NEW_AXIS_MASK],
			   "items that add an axis of 1"),
		OPT_STRING(0, "shrink-axis-mask", "N",
			   &o.mask[VECTORS_SHRINK_AXIS_MASK],
			   "items that are an index: the axis goes"),
		OPT_STRING(0, "encoding", "FILE", &o.encoding,
			   "the vectors and masks as JSON"),
		COMMON_OPTIONS(&o.co, "as numpy.save"),
		{ 0 },
	};
	struct request r = { .o = &o };
	struct tsl_error err;
	enum tsl_status status;
	int noperands, exit_status;

	if (!options_parse(argc, argv, table, &o.co, &usage, &noperands,
			   &exit_status))
		return exit_status;
	exit_status = check_options(&o);
	if (!exit_status)
		exit_status = read_operands(&r, &o, argv + 1, noperands);
	if (!exit_status)
		exit_status = options_settle(&o.co);
	if (exit_status)
		return exit_status;
	status = compile(&r, &err);
	if (!status)
		status = run(&r, &err);
	return status ? fail(&r, &err) : 0;
}

const struct applet tslice_applet = { "tslice", tslice_main };
