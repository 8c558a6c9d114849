/*
 * columns.h - lines whose cells are set below each other
 */
#ifndef CLI_COLUMNS_H
#define CLI_COLUMNS_H

#include "npyio/format/text.h"

#include <stdio.h>

#define COLUMNS 5

/* All of the text is kept until it is written.  To begin with, all is 0. */
struct columns {
	struct npyio_text cells; /* of all lines, each with its NUL */
	int width[COLUMNS]; /* characters */
};

/* columns_add() adds a line. */
void columns_add(struct columns *c, const char *const cell[COLUMNS]);

/*
 * columns_write() writes the lines: one blank after the first column, two
 * after the others, and the last one flush right.  A column of nothing is left
 * out.  Returns false if memory ran out on the way.
 */
bool columns_write(const struct columns *c, FILE *out);
void columns_free(struct columns *c);

#endif /* CLI_COLUMNS_H */
