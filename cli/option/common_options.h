/*
 * common_options.h - the options that every command has, and what its help says
 */
#ifndef CLI_COMMON_OPTIONS_H
#define CLI_COMMON_OPTIONS_H

#include "cli/image/picture.h"
#include "cli/print/print_options.h"
#include "launch.h"
#include "npyio/transfer/common/request.h"
#include "option.h"

#include <stdbool.h>
#include <stdint.h>

enum { BYTE_ORDER_LITTLE, BYTE_ORDER_BIG, BYTE_ORDER_NATIVE };

/* The options that every command has. */
struct common_options {
	const char *output;
	bool raw; /* of the result the elements alone */
	bool print;
	int form; /* enum print_form */
	int precision; /* -1: not said */
	bool image;
	struct image_how image_how;
	const char *range; /* of it, as it was given */
	const char *device;
	int order; /* enum tsl_order less 1; -1: keep */
	int byte_order; /* of the result; -1: the input's */
	const char *field; /* NULL: all of each element */
	bool every_field; /* no option: that is one of every input */
	int threads; /* 0: not said */
	int64_t max_memory; /* bytes; 0: not said */
	int progress; /* enum progress_when */
	bool no_clobber, sync, no_drain;
	bool json, quiet, verbose, help, help_all, version;
	bool in_place; /* where a command has it */
	bool deflates; /* --deflate was given */
	const char *deflate_level; /* as it was given, or NULL */
	bool is_member; /* no option: the output is one of an archive */
	int level; /* no option: 1 to 9 deflates, 0 does not */
	const char *part; /* as it was given */
	const char *alone; /* no option: one that several cannot share */
	int mpi; /* enum launch_mpi; -1: not said */
	const struct npyio_launcher *launcher; /* no option; NULL: alone */
	struct npyio_portion portion; /* no option: what this process makes */
	bool threads_by_default; /* no option */
	int processes; /* no option: on this host; 0: this one */
	const struct opt *table; /* no option: where the others are */
	bool overview; /* no option: text begins with shape and dtype */
};

extern const char *const device_choices[];
extern const char *const order_choices[];
extern const char *const byte_order_choices[];
extern const char *const progress_choices[];
extern const char *const form_choices[];
extern const char *const colormap_choices[];

/* Options that mean the same in every command. */
#define OUTPUT_OPTION(co)                                \
	OPT_STRING('o', "output", "FILE", &(co)->output, \
		   "write the result to FILE; '-' is standard output")
#define RAW_OPTION(co)                 \
	OPT_FLAG(0, "raw", &(co)->raw, \
		 "the result's elements alone, without a header", OPT_RARE)
#define FILE_OPTIONS(co)                                                  \
	OPT_FLAG(0, "no-clobber", &(co)->no_clobber,                      \
		 "refuse to replace an existing file"),                   \
		OPT_FLAG(0, "sync", &(co)->sync,                          \
			 "fsync the file and its directory at the end",   \
			 OPT_RARE),                                       \
		OPT_FLAG(0, "no-drain", &(co)->no_drain,                  \
			 "leave the part of a stream that is not needed " \
			 "unread",                                        \
			 OPT_RARE)
#define IN_PLACE_OPTION(co)                      \
	OPT_FLAG(0, "in-place", &(co)->in_place, \
		 "write into the file itself, and nothing else")
#define LAST_OPTIONS(co)                                               \
	OPT_FLAG('h', "help", &(co)->help, "show this help and exit"), \
		OPT_FLAG(0, "help-all", &(co)->help_all,               \
			 "show all options and exit"),                 \
		OPT_FLAG('V', "version", &(co)->version,               \
			 "show the version and exit")

#define PRINT_OPTIONS(co)                                                     \
	OPT_FORM(0, "print", "FORM", &(co)->print, &(co)->form, form_choices, \
		 "as text: numpy, full, plain, csv, tsv or json"),            \
		OPT_DIGITS(0, "precision", "N", &(co)->precision,             \
			   "digits behind the point of printed numbers, at "  \
			   "most",                                            \
			   OPT_RARE),                                         \
		OPT_FLAG(0, "image", &(co)->image,                            \
			 "the result as a picture: PNG, or on a terminal"),   \
		OPT_STRING(0, "range", "LO:HI", &(co)->range,                 \
			   "with --image: the values of the first and the "   \
			   "last colour",                                     \
			   OPT_RARE),                                         \
		OPT_CHOICE(0, "colormap", "NAME", &(co)->image_how.map,       \
			   colormap_choices, "with --image: viridis or gray", \
			   OPT_RARE)

#define FIELD_OPTION(co)                             \
	OPT_STRING(0, "field", "NAME", &(co)->field, \
		   "that field of a structured input")

#define MEANS_OPTIONS(co)                                                  \
	OPT_NUMBER('j', "threads", "N", &(co)->threads,                    \
		   "threads (default: one per processor, at most 4)"),     \
		OPT_SIZE(0, "max-memory", "SIZE", &(co)->max_memory,       \
			 "working memory, in K, M, G or T (default: 56M)", \
			 OPT_RARE)
#define PROGRESS_OPTION(co)                                                 \
	OPT_MAYBE(0, "progress", "WHEN", &(co)->progress, progress_choices, \
		  "show a progress bar: auto, always or never", OPT_RARE)
#define VERBOSE_OPTION(co)                       \
	OPT_FLAG('v', "verbose", &(co)->verbose, \
		 "say on standard error what is done and how")

/* Those of a command that makes data; 'order_default' is for people. */
#define COMMON_OPTIONS(co, order_default)                                  \
	OUTPUT_OPTION(co), RAW_OPTION(co), PRINT_OPTIONS(co),              \
		OPT_WORD(0, "device", "D", &(co)->device, device_choices,  \
			 "auto, cpu, cuda or cuda:N (default: auto)",      \
			 OPT_RARE),                                        \
		OPT_CHOICE(0, "order", "C|F", &(co)->order, order_choices, \
			   "memory order (default: " order_default ")"),   \
		OPT_CHOICE(0, "byte-order", "B", &(co)->byte_order,        \
			   byte_order_choices,                             \
			   "little, big or native (default: the input's)", \
			   OPT_RARE),                                      \
		FIELD_OPTION(co), MEANS_OPTIONS(co), FILE_OPTIONS(co),     \
		OPT_MAYBE_STRING(0, "deflate", "1..9", &(co)->deflates,    \
				 &(co)->deflate_level,                     \
				 "deflate a member of an archive, "        \
				 "-o FILE.npz:NAME (default: 6)",          \
				 OPT_RARE),                                \
		OPT_STRING(0, "part", "K/N", &(co)->part,                  \
			   "make the K-th of N parts of the result",       \
			   OPT_RARE),                                      \
		OPT_CHOICE(0, "mpi", "WHEN", &(co)->mpi, launch_choices,   \
			   "share the work with a launcher's other "       \
			   "processes: auto, always or never",             \
			   OPT_RARE),                                      \
		PROGRESS_OPTION(co),                                       \
		OPT_FLAG(0, "json", &(co)->json,                           \
			 "facts, explanations and errors as JSON"),        \
		OPT_FLAG('q', "quiet", &(co)->quiet,                       \
			 "no notes on standard error", OPT_RARE),          \
		VERBOSE_OPTION(co), LAST_OPTIONS(co)

#define COMMON_DEFAULTS                                                 \
	{                                                               \
		.order = -1, .byte_order = -1, .form = PRINT_NUMPY,     \
		.precision = -1, .mpi = -1, .image_how = { .map = -1 }, \
	}

/* What a command says of itself. */
struct usage {
	const char *synopsis; /* the first line is the one shown on misuse */
	const char *more; /* ways to call it that few need; may be NULL */
	const char *purpose;
	const char *examples;
	const char *(*word)(int i); /* that an operand may be; at last NULL */
	int min_operands, max_operands;
	bool reads_text; /* its input is no array */
};

#endif /* CLI_COMMON_OPTIONS_H */
