/*
 * output.h - what -o names, and how it is written: what does not go together
 */
#ifndef CLI_OPTION_OUTPUT_H
#define CLI_OPTION_OUTPUT_H

#include "common_options.h"

/* output_check() returns 0, or an exit status. */
int output_check(const struct common_options *co);

#endif /* CLI_OPTION_OUTPUT_H */
