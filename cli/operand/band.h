/*
 * band.h - a band of diagonals as a command line names it
 */
#ifndef CLI_BAND_H
#define CLI_BAND_H

#include "cli/option/options.h"
#include "lib/op/band.h"

struct band {
	const char *k, *align;
};

#define BAND_DEFAULTS                           \
	{                                       \
		.k = "0", .align = "RIGHT_LEFT" \
	}

extern const char *const align_choices[];

#define BAND_OPTIONS(b)                                                   \
	OPT_STRING('k', "k", "K|LO:HI", &(b)->k,                          \
		   "diagonal, or the lowest and the highest"),            \
		OPT_WORD(0, "align", "ALIGN", &(b)->align, align_choices, \
			 "where short diagonals lie (default: "           \
			 "RIGHT_LEFT)")

/* band_parse() reads both.  Returns 0, or an exit status. */
int band_parse(const struct band *b, struct tsl_band_options *options);

#endif /* CLI_BAND_H */
