/*
 * options.c - options as data: a table is parsed, and printed as help
 */
#include "options.h"

#include "cli/print/print.h"
#include "cli/print/real.h"
#include "cli/report/message.h"
#include "completion.h"
#include "device.h"
#include "help.h"
#include "hint.h"
#include "lib/base/overflow.h"
#include "many_check.h"
#include "member_output.h"
#include "npyio/format/text.h"
#include "npyio/transfer/transfer.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_OPTIONS 64
#define MAX_NAME 40 /* of an option, in a message */
#define FIRST_LONG 256 /* what getopt_long() returns for the first entry */

/*
 * All writes to one file wait for each other: the kernel lets one in at a time.
 * Of 128 MiB they take 28 ms, reading them 20, putting them in order from 10,
 * of reversed rows, to 30, transposed; so two to three threads keep the writing
 * one busy, on however many processors, and more only wait for it.  Where next
 * to nothing is written, picks of a large array and gathers of short rows, they
 * would not, but each wants memory of its own, of which there is enough for
 * seven unless more is allowed.  Who has sixteen processors for it says so.
 */
#define MAX_DEFAULT_THREADS 4

const char *const device_choices[] = { "auto", "cpu", "cuda", NULL };
const char *const order_choices[] = { "C", "F", NULL };
const char *const byte_order_choices[] = { "little", "big", "native", NULL };
const char *const progress_choices[] = { "auto", "always", "never", NULL };
const char *const form_choices[] = {
	[PRINT_FULL] = "full",
	[PRINT_NUMPY] = "numpy",
	[PRINT_PLAIN] = "plain",
	[PRINT_CSV] = "csv",
	[PRINT_TSV] = "tsv",
	[PRINT_JSON] = "json",
	NULL,
};

const char *const colormap_choices[] = {
	[IMAGE_VIRIDIS] = "viridis",
	[IMAGE_GRAY] = "gray",
	NULL,
};

static int
count(const struct opt *table)
{
	int n = 0;

	while (table[n].name)
		n++;
	return n;
}

/* What getopt_long() wants; '-' first: operands come where they stand. */
static void
to_getopt(const struct opt *table, struct option *longs, char *shorts)
{
	*shorts++ = '-';
	*shorts++ = ':';
	for (int i = 0; table[i].name; i++) {
		longs[i] = (struct option){
			.name = table[i].name,
			.has_arg = !table[i].arg          ? no_argument
				   : table[i].is_optional ? optional_argument
							  : required_argument,
			.val = FIRST_LONG + i,
		};
		if (table[i].letter)
			*shorts++ = table[i].letter;
		if (table[i].letter && table[i].arg)
			*shorts++ = ':';
	}
	*shorts = '\0';
}

static bool
is_number(const char *s, int least, int *value)
{
	char *end;
	long n;

	errno = 0;
	n = strtol(s, &end, 10);
	if (*s < '0' || *s > '9' || *end || errno || n < least || n > INT_MAX)
		return false;
	*value = (int)n;
	return true;
}

/* A number of bytes, with K, M, G or T for powers of 1024. */
static bool
is_size(const char *s, int64_t *value)
{
	static const char units[] = "KMGT";
	int64_t factor = 1;
	char *end;
	long long n;

	errno = 0;
	n = strtoll(s, &end, 10);
	if (*s < '0' || *s > '9' || errno)
		return false;
	if (*end) {
		const char *unit = strchr(units, *end);

		if (!unit || end[1])
			return false;
		factor <<= 10 * (unit - units + 1);
	}
	return tsl_mul(n, factor, value) && *value >= NPYIO_MIN_MEMORY;
}

static int
bad_choice(const struct opt *o, const char *value)
{
	char list[64] = "";

	for (int i = 0; o->choices[i]; i++) {
		size_t n = strlen(list);

		snprintf(list + n, sizeof(list) - n, "%s%s",
			 i == 0              ? ""
			 : o->choices[i + 1] ? ", "
					     : " or ",
			 o->choices[i]);
	}
	return message_usage("--%s is %s, not '%s'", o->name, list, value);
}

/* Returns 0, or an exit status. */
static int
set(const struct opt *o, const char *value)
{
	if (o->flag)
		*o->flag = true;
	if (o->string)
		*o->string = value;
	if (o->number && !is_number(value, 1, o->number))
		return message_fail(TSL_ESYNTAX,
				    "--%s takes a number, 1 or more, not '%s'",
				    o->name, value);
	if (o->digits && !is_number(value, 0, o->digits))
		return message_fail(TSL_ESYNTAX,
				    "--%s takes a number, 0 or more, not '%s'",
				    o->name, value);
	if (o->size && !is_size(value, o->size))
		return message_fail(TSL_ESYNTAX,
				    "--%s takes a size of 1M or more, such as "
				    "512M or 2G, not '%s'",
				    o->name, value);
	if (!o->choice)
		return 0;
	if (!value) {
		*o->choice = 1;
		return 0;
	}
	for (int i = 0; o->choices[i]; i++) {
		if (strcmp(value, o->choices[i]) == 0) {
			*o->choice = i;
			return 0;
		}
	}
	return bad_choice(o, value);
}

static const struct opt *
find(const struct opt *table, int c)
{
	if (c >= FIRST_LONG)
		return &table[c - FIRST_LONG];
	for (int i = 0; table[i].name; i++)
		if (table[i].letter == c)
			return &table[i];
	return NULL;
}

/* "-1" and "-:3" are slices. */
static bool
is_negative_operand(const char *arg)
{
	return arg[0] == '-' &&
	       (arg[1] == ':' || (arg[1] >= '0' && arg[1] <= '9'));
}

/* "--print" of "--print=yes", or of "-print". */
static void
long_name(const char *word, char name[MAX_NAME])
{
	word += strspn(word, "-");
	snprintf(name, MAX_NAME, "%.*s", (int)strcspn(word, "="), word);
}

/* The options that begin with 'name', which stay in the table's order. */
static int
with_prefix(const struct opt *table, const char *name,
	    const char *found[MAX_OPTIONS])
{
	int n = 0;

	for (int i = 0; table[i].name; i++)
		if (strncmp(table[i].name, name, strlen(name)) == 0)
			found[n++] = table[i].name;
	return n;
}

static int
ambiguous(const char *word, const char *const names[], int n)
{
	char list[128] = "";
	size_t len = 0;

	for (int i = 0; i < n && len < sizeof(list); i++)
		len += (size_t)snprintf(list + len, sizeof(list) - len,
					"%s--%s",
					i == 0      ? ""
					: i < n - 1 ? ", "
						    : " or ",
					names[i]);
	return message_usage("'%s' is ambiguous: %s", word, list);
}

/* An option that there is not, or one that stands for several. */
static int
unknown_option(const struct opt *table, const char *word)
{
	const char *names[MAX_OPTIONS];
	bool is_long = strncmp(word, "--", 2) == 0;
	char name[MAX_NAME];
	struct tsl_error err;
	int n;

	tsl_fail(&err, TSL_EUSAGE, "unknown option '%s'",
		 optopt > 0 && !is_long ? (char[]){ '-', (char)optopt, '\0' }
					: word);
	long_name(word, name);
	/* A letter behind one dash is no beginning of anything. */
	n = name[0] && (is_long || name[1]) ? with_prefix(table, name, names)
					    : 0;
	if (is_long && n > 1)
		return ambiguous(word, names, n);
	if (n == 0)
		n = with_prefix(table, "", names);
	if (!hint_name(&err, "--", name, names, n))
		hint_help(&err);
	return message_error(&err, NULL);
}

/* What getopt_long() has found wrong, 'c', in a word of the command line. */
static int
misuse(const struct opt *table, const char *word, int c)
{
	char name[MAX_NAME + 2] = { '-', (char)optopt, '\0' };

	if (c == '?' && optopt < FIRST_LONG)
		return unknown_option(table, word);
	if (optopt >= FIRST_LONG)
		snprintf(name, sizeof(name), "--%s",
			 table[optopt - FIRST_LONG].name);
	return message_usage("option '%s' takes %s value", name,
			     c == ':' ? "a" : "no");
}

/* Returns 0 with the operands in argv[1..], or an exit status. */
static int
parse_all(int argc, char **argv, const struct opt *table, int *noperands)
{
	struct option longs[MAX_OPTIONS] = { 0 };
	char shorts[2 * MAX_OPTIONS + 3];
	int status = 0;
	int n = 0;

	to_getopt(table, longs, shorts);
	opterr = 0;
	optind = 1;
	while (!status) {
		const char *word;
		int c;

		if (optind < argc && is_negative_operand(argv[optind])) {
			argv[1 + n++] = argv[optind++];
			continue;
		}
		word = argv[optind < argc ? optind : argc - 1];
		c = getopt_long(argc, argv, shorts, longs, NULL);
		if (c == -1)
			break;
		if (c == 1)
			argv[1 + n++] = optarg;
		else if (c == '?' || c == ':')
			status = misuse(table, word, c);
		else
			status = set(find(table, c), optarg);
	}
	while (optind < argc)
		argv[1 + n++] = argv[optind++];
	*noperands = n;
	return status;
}

/* Before anything can be wrong it must be known how to say so. */
static bool
wants_json(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strcmp(argv[i], "--json") == 0)
			return true;
	return false;
}

static bool
has_option(const struct opt *table, const char *name)
{
	while (table->name && strcmp(table->name, name) != 0)
		table++;
	return table->name;
}

int
options_misuse(const struct usage *usage)
{
	const char *line = usage->synopsis + 2; /* indented, in the help */

	return message_usage("usage: %.*s", (int)strcspn(line, "\n"), line);
}

/* Returns the exit status. */
static int
too_many(const struct opt *table, const char *surplus)
{
	struct tsl_error err;

	tsl_fail(&err, TSL_EUSAGE, "unexpected operand '%.80s'", surplus);
	hint_value(&err, table, surplus);
	hint_output(&err, surplus);
	return message_error(&err, NULL);
}

bool
options_parse(int argc, char **argv, const struct opt *table,
	      struct common_options *co, const struct usage *usage,
	      int *noperands, int *status)
{
	if (count(table) >= MAX_OPTIONS)
		abort(); /* a table, not an input */
	message_init(argv[0], wants_json(argc, argv));
	co->table = table;
	/* A command that makes no data is every process's own. */
	if (has_option(table, "mpi"))
		launch_listen(argc, argv);
	*status = 0;
	if (argc == 2 && strcmp(argv[1], COMPLETE_ARGUMENT) == 0) {
		completion_list(table, usage->word);
		return false;
	}
	*status = parse_all(argc, argv, table, noperands);
	if (*status)
		return false;
	message_init(argv[0], co->json);
	if (co->help || co->help_all)
		help_print(table, usage, co->help_all);
	else if (co->version)
		help_print_version();
	else if (*noperands < usage->min_operands && !co->files0)
		*status = options_misuse(usage);
	else if (*noperands > usage->max_operands && !many_may_be(co))
		*status = too_many(table, argv[1 + usage->max_operands]);
	else
		return true;
	return false;
}

static int
default_threads(void)
{
	int n = device_processors();

	return n > MAX_DEFAULT_THREADS ? MAX_DEFAULT_THREADS : n;
}

/* A name is taken as it is, but one may mislead. */
static void
note_output(const struct common_options *co)
{
	const char *name = co->output;

	if (name && npyio_ends_in(name, strlen(name), ".png") && !co->image &&
	    !co->print && !co->quiet && !co->launcher)
		message_note("%s is to be an .npy file; --image makes a "
			     "picture",
			     name);
}

/* Returns as said below. */
static int
resolve_image(struct common_options *co)
{
	struct image_how *how = &co->image_how;
	char *end = NULL;

	if (co->image && co->print)
		return message_usage("--image does not go with --print");
	if (!co->image && (co->range || how->map >= 0))
		return message_usage("--range and --colormap go with --image");
	if (!co->range)
		return 0;
	how->has_range = true;
	how->low = strtod(co->range, &end);
	if (end > co->range && *end == ':') {
		const char *high = end + 1;

		how->high = strtod(high, &end);
		if (end > high && *end == '\0' && how->low < how->high &&
		    how->low > -HUGE_VAL && how->high < HUGE_VAL)
			return 0;
	}
	return message_fail(TSL_ESYNTAX,
			    "--range is LO:HI, two numbers of which the first "
			    "is less, not '%s'",
			    co->range);
}

/* "2/8": the first number is from 1 to the second. */
static bool
is_part(const char *s, struct npyio_portion *portion)
{
	char first[12];
	size_t n = strcspn(s, "/");
	int k;

	if (s[n] == '\0' || n >= sizeof(first))
		return false;
	memcpy(first, s, n);
	first[n] = '\0';
	if (!is_number(first, 1, &k) ||
	    !is_number(s + n + 1, 1, &portion->count) || k > portion->count)
		return false;
	portion->index = k - 1;
	portion->in_blocks = true;
	return true;
}

/* The option that says what several processes cannot make together, or NULL. */
static const char *
not_for_several(const struct common_options *co)
{
	return co->print       ? "--print"
	       : co->image     ? "--image"
	       : co->in_place  ? "--in-place"
	       : co->is_member ? "a member of an archive"
			       : co->alone;
}

/* Returns as said below. */
static int
resolve_part(struct common_options *co)
{
	const char *other = co->many ? NULL : not_for_several(co);

	if (!co->part)
		return 0;
	if (!is_part(co->part, &co->portion))
		return message_fail(TSL_ESYNTAX,
				    "--part is K/N, a number from 1 to N and "
				    "N, not '%s'",
				    co->part);
	if (other)
		return message_usage("--part makes a part of a file: it does "
				     "not go with %s",
				     other);
	if (!co->many && (!co->output || strcmp(co->output, "-") == 0))
		return message_usage("--part makes a part of a file: it needs "
				     "-o FILE");
	return 0;
}

/* Returns as said below. */
static int
resolve_team(struct common_options *co)
{
	const char *other = co->many ? NULL : not_for_several(co);
	int exit_status = launch_resolve(co->part ? LAUNCH_NEVER : co->mpi,
					 co->quiet, &co->launcher);

	if (exit_status || !co->launcher)
		return exit_status;
	if (co->many && many_check(co))
		return 2;
	if (other)
		return message_usage("several processes make one file: that "
				     "does not go with %s; use --mpi=never",
				     other);
	if (!co->many && (!co->output || strcmp(co->output, "-") == 0))
		return message_usage("several processes make one file: they "
				     "need -o FILE, or --mpi=never");
	return 0;
}

int
options_resolve(struct common_options *co)
{
	const char *threads = getenv("TSLICE_THREADS");
	const char *device = getenv("TSLICE_DEVICE");
	int exit_status = many_check(co);
	struct tsl_error err;

	if (!exit_status)
		exit_status = member_output_resolve(
			co, !has_option(co->table, "deflate"));
	if (!exit_status)
		exit_status = resolve_image(co);
	if (!exit_status)
		exit_status = resolve_part(co);
	if (!exit_status)
		exit_status = resolve_team(co);
	if (exit_status)
		return exit_status;
	note_output(co);
	if (!co->threads && threads && *threads &&
	    !is_number(threads, 1, &co->threads))
		return message_fail(
			TSL_ESYNTAX,
			"TSLICE_THREADS is a number, 1 or more, not '%s'",
			threads);
	co->threads_by_default = !co->threads;
	if (!co->threads)
		co->threads = default_threads();
	/* Nothing would say that it is another. */
	if (co->raw && co->order < 0)
		co->order = TSL_ORDER_C - 1;
	/* What is printed one by one is best made so. */
	if (co->image ||
	    (co->print && print_needs_c_order((enum print_form)co->form)))
		co->order = TSL_ORDER_C - 1;
	if (co->precision > MAX_PLACES)
		co->precision = MAX_PLACES;
	if (!co->device)
		co->device = device && *device ? device : "auto";
	if (device_check(co->device, &err))
		return message_error(&err, NULL);
	return 0;
}
