/*
 * options.h - options as data: a table is parsed, and printed as help
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "common_options.h"

/*
 * options_parse() reads the command line.  Options and operands may be mixed;
 * "--" ends options; what begins with '-' and a digit, or with "-:", is an
 * operand.  Operands are moved to the front of argv[1..], '*noperands' of
 * them.  -h, --help-all and -V are answered here.
 *
 * Returns true; or false with '*status' to exit with.
 */
bool options_parse(int argc, char **argv, const struct opt *table,
		   struct common_options *co, const struct usage *usage,
		   int *noperands, int *status);

/* options_misuse() prints the one usage line; returns the exit status. */
int options_misuse(const struct usage *usage);

/*
 * options_resolve() takes from the environment what was not said, and checks
 * what remains.  Returns 0, or an exit status.
 */
int options_resolve(struct common_options *co);

#endif /* CLI_OPTIONS_H */
