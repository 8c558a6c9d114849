/*
 * cells.h - cells of numbers in text, and the elements that come of them
 */
#ifndef CLI_PARSE_CELLS_H
#define CLI_PARSE_CELLS_H

#include "lib/base/powers.h"
#include "schema.h"

#include <stdbool.h>
#include <stdint.h>

/* Elements that may be written over behind those that are made, and one. */
#define NUMBERS_MORE 10

/* Cells one after another, of one column's type. */
struct numbers {
	const struct column *column;
	const struct tsl_powers *powers;
	char delimiter;
	bool by_blanks; /* any number of blanks and tabs divides them */
	char blank; /* ' ', or '\t', may stand in front of a number */
	int64_t columns; /* of all rows that are taken; 0: one row is */
	const char *text; /* from here on it may be read */
	const char *at, *end; /* a newline stands at the end */
	char *to; /* has room for (end - at) / 2 + NUMBERS_MORE elements */
	int64_t count; /* elements that have been made */
	bool row_ends; /* behind the last of them; of one row */
};

#endif /* CLI_PARSE_CELLS_H */
