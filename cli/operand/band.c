/*
 * band.c - a band of diagonals as a command line names it
 */
#include "band.h"

#include "cli/report/message.h"
#include "lib/base/integer.h"

#include <string.h>

const char *const align_choices[] = {
	[TSL_ALIGN_RIGHT_LEFT] = "RIGHT_LEFT",
	[TSL_ALIGN_LEFT_RIGHT] = "LEFT_RIGHT",
	[TSL_ALIGN_LEFT_LEFT] = "LEFT_LEFT",
	[TSL_ALIGN_RIGHT_RIGHT] = "RIGHT_RIGHT",
	NULL,
};

static bool
parse_k(const char *text, size_t len, int64_t *k)
{
	return tsl_parse_int64(text, len, k) == TSL_OK && *k >= INT32_MIN &&
	       *k <= INT32_MAX;
}

/* K, LO:HI or LO,HI. Returns 0, or an exit status. */
static int
parse_range(const char *text, struct tsl_band_options *options)
{
	size_t n = strcspn(text, ":,");
	const char *upper = text[n] ? text + n + 1 : text;

	if (!parse_k(text, n, &options->lower) ||
	    !parse_k(upper, strlen(upper), &options->upper))
		return message_fail(TSL_EBAD_K,
				    "-k takes K or LO:HI, integers of 32 bits, "
				    "not '%s'",
				    text);
	if (options->lower > options->upper)
		return message_fail(
			TSL_EK_ORDER,
			"-k: the lower end, %lld, is above the upper, %lld",
			(long long)options->lower, (long long)options->upper);
	return 0;
}

static int
parse_align(const char *text, struct tsl_band_options *options)
{
	for (int i = 0; align_choices[i]; i++) {
		if (strcmp(align_choices[i], text) == 0) {
			options->align = (enum tsl_align)i;
			return 0;
		}
	}
	return message_fail(TSL_EBAD_ALIGN,
			    "--align is RIGHT_LEFT, LEFT_RIGHT, LEFT_LEFT or "
			    "RIGHT_RIGHT, not '%s'",
			    text);
}

int
band_parse(const struct band *b, struct tsl_band_options *options)
{
	int exit_status = parse_align(b->align, options);

	return exit_status ? exit_status : parse_range(b->k, options);
}
