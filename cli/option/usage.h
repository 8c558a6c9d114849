/*
 * usage.h - what a command says of itself
 */
#ifndef CLI_USAGE_H
#define CLI_USAGE_H

#include <stdbool.h>

struct usage {
	const char *synopsis; /* the first line is the one shown on misuse */
	const char *more; /* ways to call it that few need; may be NULL */
	const char *purpose;
	const char *examples;
	const char *(*word)(int i); /* that an operand may be; at last NULL */
	int min_operands, max_operands;
	bool reads_text; /* its input is no array */
};

#endif /* CLI_USAGE_H */
