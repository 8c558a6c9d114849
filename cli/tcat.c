/*
 * tcat.c - the command tcat: arrays put together
 */
#include "applet.h"
#include "cli/operand/name_list.h"
#include "cli/option/member_output.h"
#include "cli/report/message.h"
#include "cli/run/cat.h"
#include "cli/run/command.h"
#include "lib/base/integer.h"
#include "npyio/input/input_name.h"
#include "npyio/output/member_name.h"

#include <limits.h>
#include <string.h>

static const struct usage usage = {
	.synopsis = "  tcat [OPTION]... [--axis K | --new-axis K] IN... "
		    "[-o OUT]\n"
		    "  tcat [OPTION]... --append FILE [--axis -1] [IN...]\n",
	.purpose =
		"Writes the arrays IN one behind the other along an axis "
		"(numpy.concatenate), or\n"
		"along a new one (numpy.stack); or adds them to the array in "
		"FILE.",
	.examples = "  tcat a.npy b.npy c.npy -o all.npy        row by row\n"
		    "  tcat --axis -1 x.npy y.npy -o xy.npy     side by side\n"
		    "  tcat --new-axis -1 r.npy g.npy b.npy -o rgb.npy\n"
		    "                                           planes into "
		    "pixels\n"
		    "  tcat --append log.npy today.npy          at the cost of "
		    "what is added\n"
		    "  producer | tcat --all - -o all.npy       as many as "
		    "come\n",
	.min_operands = 0, /* without inputs a file is put right */
	.max_operands = INT_MAX,
};

struct request {
	struct common_options co;
	const char *axis, *new_axis; /* as text; NULL: not said */
	struct cat cat;
	struct name_list list; /* of inputs, in a file */
	struct name_list members; /* of those that are archives */
};

/* The option that says, with --append, what FILE says, or NULL. */
static const char *
misplaced_option(const struct request *r)
{
	const struct common_options *co = &r->co;

	return r->new_axis           ? "--new-axis"
	       : co->order >= 0      ? "--order"
	       : co->byte_order >= 0 ? "--byte-order"
	       : co->output          ? "--output"
	       : co->print           ? "--print"
	       : co->image           ? "--image"
	       : co->raw             ? "--raw"
	       : co->no_clobber      ? "--no-clobber"
				     : NULL;
}

/* FILE is an .npy file, also where it is still to be made. */
static int
check_file(const char *file)
{
	size_t file_len;

	if (strcmp(file, "-") == 0)
		return message_usage("--append takes the name of a file, "
				     "not '-'");
	if (npyio_input_is_url(file))
		return message_usage("nothing can be written to a URL");
	if (npyio_input_has_scheme(file))
		return message_usage("--append adds to an .npy file; one that "
				     "is called '%s' is ./%s",
				     file, file);
	if (npyio_member_name_of(file, &file_len) ||
	    member_output_is_archive(file))
		return message_usage("--append adds to an .npy file, and not "
				     "to an archive or a member of one");
	return 0;
}

static int
check_append(const struct request *r)
{
	const char *option = misplaced_option(r);

	if (option)
		return message_usage("--append adds to FILE as it is; it does "
				     "not go with %s",
				     option);
	return check_file(r->cat.append);
}

static int
read_axis(struct request *r)
{
	const char *text = r->new_axis ? r->new_axis : r->axis;
	struct tsl_cat_options *options = &r->cat.options;
	enum tsl_status status = TSL_OK;

	options->is_new = r->new_axis;
	if (text)
		status = tsl_parse_int64(text, strlen(text), &options->axis);
	if (status)
		return message_fail(status, "--%s takes an integer, not '%s'",
				    r->new_axis ? "new-axis" : "axis", text);
	return 0;
}

static int
parse(struct invocation *c, char **operands, int n)
{
	struct request *r = c->request;

	if (n == 0 && !r->cat.append && !r->co.files0)
		return options_misuse(&usage);
	if (n > 0 && r->co.files0)
		return message_usage("--files0-from names the inputs; '%s' is "
				     "one too many",
				     operands[0]);
	if (r->axis && r->new_axis)
		return message_usage("--axis and --new-axis exclude each "
				     "other");
	if (r->cat.all && r->co.no_drain)
		return message_usage("--all takes every array there is; it "
				     "does not go with --no-drain");
	r->co.alone = r->cat.all ? "--all" : r->cat.append ? "--append" : NULL;
	r->cat.operands = operands;
	r->cat.noperands = n;
	/* They are opened as they are needed. */
	c->ninputs = 0;
	if (r->cat.append && check_append(r))
		return 2;
	return read_axis(r);
}

/* The inputs are those that are listed. */
static enum tsl_status
read_list(struct request *r, struct tsl_error *err)
{
	enum tsl_status status = name_list_read(&r->list, r->co.files0, err);

	r->cat.operands = r->list.name;
	r->cat.noperands = r->list.n;
	if (!status && r->list.n == 0)
		status = tsl_fail(err, TSL_EUSAGE,
				  "there is no input: '%s' names none",
				  r->co.files0);
	return status;
}

/* By now it is known, also where another option decides. */
static enum tsl_status
compile(void *request, struct tsl_error *err)
{
	struct request *r = request;

	(void)err;
	r->cat.options.order = (enum tsl_order)(r->co.order + 1);
	return TSL_OK;
}

static enum tsl_status
run(const struct invocation *c, const struct inputs *inputs,
    struct tsl_error *err)
{
	struct request *r = c->request;
	enum tsl_status status = TSL_OK;

	(void)inputs;
	if (r->co.files0)
		status = read_list(r, err);
	r->cat.names = &r->members;
	return status ? status : cat_run(&r->cat, err);
}

static void
release(void *request)
{
	struct request *r = request;

	name_list_free(&r->list);
	name_list_free(&r->members);
}

static const struct command command = {
	.usage = &usage,
	.parse = parse,
	.compile = compile,
	.run = run,
	.release = release,
};

static int
tcat_main(int argc, char **argv)
{
	struct request r = { .co = COMMON_DEFAULTS };
	const struct opt table[] = {
		OPT_STRING(0, "axis", "K", &r.axis,
			   "concatenate along axis K (default: 0)"),
		OPT_STRING(0, "new-axis", "K", &r.new_axis,
			   "stack along a new axis K"),
		OPT_FLAG(0, "all", &r.cat.all,
			 "take every array of each input"),
		OPT_STRING(0, "append", "FILE", &r.cat.append,
			   "add to FILE, in place"),
		OPT_STRING(0, "files0-from", "FILE", &r.co.files0,
			   "take the inputs' names, each ended by a NUL byte, "
			   "from FILE"),
		COMMON_OPTIONS(&r.co, "C"),
		{ 0 },
	};

	r.cat.co = &r.co;
	return command_main(&command, &r, &r.co, table, argc, argv);
}

const struct applet tcat_applet = { "tcat", tcat_main };
