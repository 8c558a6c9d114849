/*
 * arrange.h - what may follow a slice, as a command line gives it: --axes, -T
 * and --reshape
 */
#ifndef CLI_ARRANGE_H
#define CLI_ARRANGE_H

#include "cli/option/options.h"
#include "lib/op/arrange.h"

struct arrange {
	/* options; NULL: not given */
	const char *axes, *sizes;
	bool transposed;
	struct tsl_arrange_options lists; /* by arrange_compile() */
};

#define ARRANGE_OPTIONS(a)                                        \
	OPT_STRING(0, "axes", "LIST", &(a)->axes,                 \
		   "then its axes in this order, such as 2,0,1"), \
		OPT_FLAG('T', "transpose", &(a)->transposed,      \
			 "or all of its axes reversed"),          \
		OPT_STRING(0, "reshape", "LIST", &(a)->sizes,     \
			   "then another shape, such as 3,-1")

/* arrange_check(): do the options go together?  Returns 0, or an exit status.
 */
int arrange_check(const struct arrange *a);

/* arrange_is_given() says whether anything is to follow the slice. */
bool arrange_is_given(const struct arrange *a);

/*
 * arrange_compile() reads the lists.  Returns TSL_OK; TSL_ESYNTAX,
 * TSL_EOVERFLOW.
 */
enum tsl_status TSL_MUST_USE arrange_compile(struct arrange *a,
					     struct tsl_error *err);

#endif /* CLI_ARRANGE_H */
