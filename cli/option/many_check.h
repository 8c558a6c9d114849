/*
 * many_check.h - the options of a command that takes many inputs
 */
#ifndef CLI_MANY_CHECK_H
#define CLI_MANY_CHECK_H

#include "common_options.h"

/* Those of a command whose first operand may be many. */
#define MANY_OPTIONS(co)                                                  \
	OPT_STRING('t', "target", "DIR", &(co)->target,                   \
		   "many inputs: write the result of each into DIR"),     \
		OPT_FLAG(0, "parents", &(co)->parents,                    \
			 "with -t: under the whole name of the input",    \
			 OPT_RARE),                                       \
		OPT_STRING(0, "files0-from", "FILE", &(co)->files0,       \
			   "take the inputs' names, each ended by a NUL " \
			   "byte, from FILE",                             \
			   OPT_RARE)

/* many_may_be() says whether there may be any number of inputs. */
bool many_may_be(const struct common_options *co);

/*
 * many_check() finds out which of them, and of those for writing in place, do
 * not go together.  Returns 0, or an exit status.
 */
int many_check(const struct common_options *co);

#endif /* CLI_MANY_CHECK_H */
