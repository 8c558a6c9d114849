/*
 * many_check.h - the options of a command that takes many inputs
 */
#ifndef CLI_MANY_CHECK_H
#define CLI_MANY_CHECK_H

#include "options.h"

/* many_may_be() says whether there may be any number of inputs. */
bool many_may_be(const struct common_options *co);

/*
 * many_check() finds out which options do not go together.  Returns 0, or an
 * exit status.
 */
int many_check(const struct common_options *co);

#endif /* CLI_MANY_CHECK_H */
