/*
 * tcmp.c - the command tcmp: are two arrays the same?
 */
#include "applet.h"
#include "cli/option/ignored_options.h"
#include "cli/report/message.h"
#include "cli/run/command.h"
#include "cli/run/difference.h"
#include "cli/run/memory.h"
#include "cli/run/progress.h"
#include "cli/run/verbose.h"
#include "npyio/transfer/compare/compare.h"

static const struct usage usage = {
	.synopsis = "  tcmp [OPTION]... A B\n",
	.purpose = "Says whether two arrays are the same: shape, dtype apart "
		   "from the byte order,\nand every element, bit for bit.  "
		   "Status 0: they are; 1: they are not, and a\nline says what "
		   "differs first.",
	.examples =
		"  tcmp a.npy b.npy                         what differs "
		"first, "
		"and how much\n"
		"  tcmp --list 20 a.npy b.npy               the first 20 "
		"places, a line each\n"
		"  tcmp -q a.npy run.npz:a || echo no       the status alone\n"
		"  tslice a.npy ::2 | tcmp - b.npy          standard input\n",
	.min_operands = 2,
	.max_operands = 2,
};

struct request {
	struct common_options co;
	int list;
	bool differs;
};

static int
parse(struct invocation *c, char **operands, int n)
{
	const struct request *r = c->request;

	(void)operands;
	(void)n;
	if (r->co.quiet && r->co.output)
		return message_usage("-q prints nothing that -o could write");
	return 0;
}

static enum tsl_status
compare_elements(struct request *r, const struct inputs *inputs,
		 struct difference *d, struct tsl_error *err)
{
	const struct tsl_array *first = inputs_array(inputs, 0);
	const int64_t extent = tsl_array_extent(first);
	const struct npyio_comparison comparison = {
		.in = inputs->in,
		.threads = r->co.threads,
		.max_memory = memory_for(&r->co, extent),
		.max_mapped = memory_to_map(&r->co, extent),
		.progress = progress_add,
		.stop_early = r->co.quiet,
		.list = r->co.quiet ? 0 : r->list,
		.found = difference_found,
		.context = d,
	};
	enum tsl_status status;
	int64_t count;

	progress_start(&r->co, tsl_array_nbytes(first));
	status = npyio_compare(&comparison, &count, err);
	progress_end();
	if (status)
		return status;
	r->differs = count > 0;
	if (!r->co.quiet)
		difference_total(d, count);
	/* Who has stopped early does not know what is behind. */
	return r->differs && r->co.quiet ? TSL_OK : inputs_finish(inputs, err);
}

static enum tsl_status
compare(struct request *r, const struct inputs *inputs, struct difference *d,
	struct tsl_error *err)
{
	const struct tsl_array *a = inputs_array(inputs, 0);
	const struct tsl_array *b = inputs_array(inputs, 1);

	r->differs = difference_is_of_kinds(a, b);
	if (!r->differs)
		return compare_elements(r, inputs, d, err);
	if (!r->co.quiet)
		difference_kinds(d, a, b);
	return TSL_OK;
}

static enum tsl_status
run(const struct invocation *c, const struct inputs *inputs,
    struct tsl_error *err)
{
	struct request *r = c->request;
	struct difference d = { .writer = NULL };
	enum tsl_status status = TSL_OK;

	if (!r->co.quiet)
		status = difference_open(&d, &r->co, inputs, c->input, err);
	if (!status)
		status = compare(r, inputs, &d, err);
	verbose_spools(&r->co, inputs);
	if (!r->co.quiet)
		status = difference_close(&d, status, err);
	return status ? status : inputs_drain(inputs, err);
}

static const struct command command = {
	.usage = &usage,
	.parse = parse,
	.run = run,
};

static int
tcmp_main(int argc, char **argv)
{
	struct request r = { .co = COMMON_DEFAULTS, .list = 1 };
	const struct opt table[] = {
		OPT_NUMBER(0, "list", "N", &r.list,
			   "tell of up to N places, a line each"),
		OPT_FLAG('q', "quiet", &r.co.quiet,
			 "print nothing, and stop at the first difference"),
		OPT_FLAG(0, "json", &r.co.json,
			 "differences and errors as JSON"),
		OUTPUT_OPTION(&r.co),
		FIELD_OPTION(&r.co),
		MEANS_OPTIONS(&r.co),
		FILE_OPTIONS(&r.co),
		PROGRESS_OPTION(&r.co),
		VERBOSE_OPTION(&r.co),
		LAST_OPTIONS(&r.co),
		IGNORED_RESULT_OPTIONS(&r.co),
		{ 0 },
	};
	int exit_status;

	/* It makes no data: every process's result is its own. */
	r.co.mpi = LAUNCH_NEVER;
	r.co.every_field = true;
	exit_status = command_main(&command, &r, &r.co, table, argc, argv);
	return exit_status ? exit_status : r.differs;
}

const struct applet tcmp_applet = { "tcmp", tcmp_main };
