/*
 * rows.h - the lines of a chunk of text as elements
 *
 * A line is a row of cells, empty ones and comments are nothing.  Cells are
 * divided by blanks, or by one character, and may be quoted as RFC 4180 has
 * it.  A chunk is whole lines; or, of a line longer than that, a run of cells.
 */
#ifndef CLI_PARSE_ROWS_H
#define CLI_PARSE_ROWS_H

#include "lib/base/powers.h"
#include "schema.h"

#include <stddef.h>

/* As a delimiter, which no line has: any number of blanks and tabs. */
#define ROWS_BLANKS '\n'
#define ROWS_NOT_KNOWN (-1)

/* What is the same for all chunks. */
struct rows_rules {
	const struct schema *schema;
	const struct tsl_powers *powers;
	bool measures; /* how wide cells are; no elements are made */
};

struct chunk {
	/* The text, which is written to; there is room for one more byte. */
	char *text;
	size_t len, room;
	int64_t number; /* of chunks before it */
	char delimiter;
	bool within; /* it begins in a row */
	bool in_comment; /* or in a comment of that row's line */
	bool goes_on; /* it ends in a row, or that row's comment */

	/* What it comes to. */
	char *elements;
	size_t nbytes, elements_room;
	int64_t lines; /* that end in it */
	int64_t rows, columns; /* whole ones that begin in it; or NOT_KNOWN */
	int64_t first_row; /* its line, from 0 */
	bool closes; /* the row that it begins in ends in it */
	int64_t head, tail; /* cells of rows that begin before, or go on */
	int64_t widest; /* cell */

	/* Why it was not read to its end. */
	bool not_integer; /* a guess was wrong, and nothing else */
	struct tsl_error err;
	enum tsl_status status;
	size_t fault; /* where the line of that begins, in the text */
};

/* rows_begin() forgets what a chunk was; its memory stays. */
void rows_begin(struct chunk *c);

/* rows_parse() makes elements of a chunk's text. */
void rows_parse(const struct rows_rules *rules, struct chunk *c);

/* rows_free() frees what a chunk holds. */
void rows_free(struct chunk *c);

#endif /* CLI_PARSE_ROWS_H */
