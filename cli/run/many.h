/*
 * many.h - a command, done with each of many inputs
 */
#ifndef CLI_MANY_H
#define CLI_MANY_H

#include "invocation.h"

/*
 * many_detect() finds out whether there are, or may be, many inputs, and if so
 * puts them aside: '*operands' and '*n' are then one of them and what is behind
 * them.  In front of the operands there stands another string.  Returns 0, or
 * an exit status.
 */
int many_detect(struct invocation *c, char ***operands, int *n);

/*
 * many_run() makes a result of each; an input that fails does not stop the
 * others, and its message is written.  Stores the highest exit status of all.
 * Returns TSL_OK, or what is wrong with all of them.
 */
enum tsl_status TSL_MUST_USE many_run(const struct invocation *c,
				      int *exit_status, struct tsl_error *err);

#endif /* CLI_MANY_H */
