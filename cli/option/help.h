/*
 * help.h - what a command says of itself to people
 */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "common_options.h"

/*
 * help_print() prints examples, then how the command is called and what it
 * does, then its options: those of every day, or all of them.
 */
void help_print(const struct opt *table, const struct usage *usage, bool all);

/* help_print_version() prints the version, and what is built in. */
void help_print_version(void);

#endif /* CLI_HELP_H */
