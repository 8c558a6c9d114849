/*
 * options.h - options as data: a table is parsed, and printed as help
 *
 * Each entry points to a variable of its own type, so that an entry with the
 * wrong pointer does not compile.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "print.h"

#include <stdbool.h>
#include <stdint.h>

struct opt {
	char letter; /* 0: none */
	const char *name;
	const char *arg; /* of the value, for people; NULL: a flag */
	const char *help; /* NULL: taken, but not shown */
	/* one of these is set; or a flag besides a choice */
	bool *flag;
	const char **string;
	int *number; /* a count, 1 or more */
	int *digits; /* a count, 0 or more */
	int64_t *size; /* bytes */
	int *choice; /* index into choices */
	const char *const *choices; /* ends with NULL */
	bool is_optional; /* the value; none stands for choice 1 */
};

#define OPT_FLAG(letter, name, var, help)               \
	{                                               \
		letter, name, NULL, help, .flag = (var) \
	}
#define OPT_STRING(letter, name, arg, var, help)         \
	{                                                \
		letter, name, arg, help, .string = (var) \
	}
#define OPT_NUMBER(letter, name, arg, var, help)         \
	{                                                \
		letter, name, arg, help, .number = (var) \
	}
#define OPT_CHOICE(letter, name, arg, var, list, help)                      \
	{                                                                   \
		letter, name, arg, help, .choice = (var), .choices = (list) \
	}
#define OPT_SIZE(letter, name, arg, var, help)         \
	{                                              \
		letter, name, arg, help, .size = (var) \
	}
#define OPT_DIGITS(letter, name, arg, var, help)         \
	{                                                \
		letter, name, arg, help, .digits = (var) \
	}
/* The value may be left out, which stands for choice 1. */
#define OPT_MAYBE(letter, name, arg, var, list, help)                        \
	{                                                                    \
		letter, name, arg, help, .choice = (var), .choices = (list), \
					 .is_optional = true                 \
	}

/* The same, with a flag that says that the option was given. */
#define OPT_FORM(letter, name, arg, given, var, list, help)                \
	{                                                                  \
		letter, name, arg, help, .flag = (given), .choice = (var), \
					 .choices = (list),                \
					 .is_optional = true               \
	}

/* The options that every command has. */
struct common_options {
	const char *output;
	bool print;
	int form; /* enum print_form */
	int precision; /* -1: not said */
	const char *device;
	int order; /* enum tsl_order less 1; -1: keep */
	int threads; /* 0: not said */
	int64_t max_memory; /* bytes; 0: not said */
	int progress; /* enum progress_when */
	bool no_clobber, sync, no_drain;
	bool json, quiet, verbose, help, version;
	bool in_place; /* where a command has it */
	bool overview; /* no option: text begins with shape and dtype */
};

extern const char *const order_choices[];
extern const char *const progress_choices[];
extern const char *const form_choices[];

/* Options that mean the same in every command. */
#define OUTPUT_OPTION(co)                                \
	OPT_STRING('o', "output", "FILE", &(co)->output, \
		   "write the result to FILE; '-' is standard output")
#define FILE_OPTIONS(co)                                                  \
	OPT_FLAG(0, "no-clobber", &(co)->no_clobber,                      \
		 "refuse to replace an existing file"),                   \
		OPT_FLAG(0, "sync", &(co)->sync,                          \
			 "fsync the file and its directory at the end"),  \
		OPT_FLAG(0, "no-drain", &(co)->no_drain,                  \
			 "leave the part of a stream that is not needed " \
			 "unread")
#define IN_PLACE_OPTION(co)                      \
	OPT_FLAG(0, "in-place", &(co)->in_place, \
		 "write into the file itself, and nothing else")
#define LAST_OPTIONS(co)                                               \
	OPT_FLAG('h', "help", &(co)->help, "show this help and exit"), \
		OPT_FLAG('V', "version", &(co)->version,               \
			 "show the version and exit")

#define PRINT_OPTIONS(co)                                                      \
	OPT_FORM(0, "print", "FORM", &(co)->print, &(co)->form, form_choices,  \
		 "print the result as text: numpy, as NumPy would (default), " \
		 "full, plain, csv or tsv"),                                   \
		OPT_DIGITS(0, "precision", "N", &(co)->precision,              \
			   "digits behind the point of printed numbers, at "   \
			   "most")

/* Those of a command that makes data; 'order_default' is for people. */
#define COMMON_OPTIONS(co, order_default)                                     \
	OUTPUT_OPTION(co), PRINT_OPTIONS(co),                                 \
		OPT_STRING(0, "device", "D", &(co)->device,                   \
			   "auto, cpu, cuda or cuda:N (default: auto)"),      \
		OPT_CHOICE(                                                   \
			0, "order", "C|F", &(co)->order, order_choices,       \
			"memory order of the result (default: " order_default \
			")"),                                                 \
		OPT_NUMBER('j', "threads", "N", &(co)->threads,               \
			   "worker threads (default: one per processor, "     \
			   "at most 4)"),                                     \
		OPT_SIZE(0, "max-memory", "SIZE", &(co)->max_memory,          \
			 "working memory, in K, M, G or T (default: 56M)"),   \
		FILE_OPTIONS(co),                                             \
		OPT_MAYBE(0, "progress", "WHEN", &(co)->progress,             \
			  progress_choices,                                   \
			  "show a progress bar: auto, always or never"),      \
		OPT_FLAG(0, "json", &(co)->json,                              \
			 "facts, explanations and errors as JSON"),           \
		OPT_FLAG('q', "quiet", &(co)->quiet,                          \
			 "no notes on standard error"),                       \
		OPT_FLAG('v', "verbose", &(co)->verbose,                      \
			 "say on standard error what is done and how"),       \
		LAST_OPTIONS(co)

/* Those that a command takes, as all do, but that mean nothing to it. */
#define IGNORED_OPTIONS(co)                                                   \
	OPT_FORM(0, "print", "FORM", &(co)->print, &(co)->form, form_choices, \
		 NULL),                                                       \
		OPT_DIGITS(0, "precision", "N", &(co)->precision, NULL),      \
		OPT_STRING(0, "device", "D", &(co)->device, NULL),            \
		OPT_CHOICE(0, "order", "C|F", &(co)->order, order_choices,    \
			   NULL),                                             \
		OPT_NUMBER('j', "threads", "N", &(co)->threads, NULL),        \
		OPT_SIZE(0, "max-memory", "SIZE", &(co)->max_memory, NULL),   \
		OPT_MAYBE(0, "progress", "WHEN", &(co)->progress,             \
			  progress_choices, NULL),                            \
		OPT_FLAG('v', "verbose", &(co)->verbose, NULL)

#define COMMON_DEFAULTS                                            \
	{                                                          \
		.order = -1, .form = PRINT_NUMPY, .precision = -1, \
	}

/* What a command says of itself. */
struct usage {
	const char *synopsis; /* the first line is the one shown on misuse */
	const char *purpose;
	const char *examples;
	int min_operands, max_operands;
};

/*
 * options_parse() reads the command line.  Options and operands may be mixed;
 * "--" ends options; what begins with '-' and a digit, or with "-:", is an
 * operand.  Operands are moved to the front of argv[1..], '*noperands' of
 * them.  -h and -V are answered here.
 *
 * Returns true; or false with '*status' to exit with.
 */
bool options_parse(int argc, char **argv, const struct opt *table,
		   struct common_options *co, const struct usage *usage,
		   int *noperands, int *status);

/* options_misuse() prints the one usage line; returns the exit status. */
int options_misuse(const struct usage *usage);

/*
 * options_settle() takes from the environment what was not said, and checks
 * what remains.  Returns 0, or an exit status.
 */
int options_settle(struct common_options *co);

#endif /* CLI_OPTIONS_H */
