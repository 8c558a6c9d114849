/*
 * ignored_options.h - options that a command takes, for all have them, and that
 * do nothing there
 */
#ifndef CLI_IGNORED_OPTIONS_H
#define CLI_IGNORED_OPTIONS_H

#include "common_options.h"

/*
 * Those that a command takes, as all do, but that mean nothing to it: of a
 * result that is an array, and of work that takes its time.
 */
#define IGNORED_RESULT_OPTIONS(co)                                            \
	OPT_FORM(0, "print", "FORM", &(co)->print, &(co)->form, form_choices, \
		 NULL),                                                       \
		OPT_DIGITS(0, "precision", "N", &(co)->precision, NULL),      \
		OPT_FLAG(0, "image", &(co)->image, NULL),                     \
		OPT_FLAG(0, "raw", &(co)->raw, NULL),                         \
		OPT_STRING(0, "range", "LO:HI", &(co)->range, NULL),          \
		OPT_CHOICE(0, "colormap", "NAME", &(co)->image_how.map,       \
			   colormap_choices, NULL),                           \
		OPT_STRING(0, "device", "D", &(co)->device, NULL),            \
		OPT_CHOICE(0, "order", "C|F", &(co)->order, order_choices,    \
			   NULL),                                             \
		OPT_CHOICE(0, "byte-order", "B", &(co)->byte_order,           \
			   byte_order_choices, NULL)
#define IGNORED_OPTIONS(co)                                                 \
	IGNORED_RESULT_OPTIONS(co),                                         \
		OPT_STRING(0, "field", "NAME", &(co)->field, NULL),         \
		OPT_NUMBER('j', "threads", "N", &(co)->threads, NULL),      \
		OPT_SIZE(0, "max-memory", "SIZE", &(co)->max_memory, NULL), \
		OPT_MAYBE(0, "progress", "WHEN", &(co)->progress,           \
			  progress_choices, NULL),                          \
		OPT_FLAG('v', "verbose", &(co)->verbose, NULL)

#endif /* CLI_IGNORED_OPTIONS_H */
