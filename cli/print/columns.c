/*
 * columns.c - lines whose cells are set below each other
 */
#include "columns.h"

#include <string.h>

/* What is wider, such as a dtype of many fields, moves nobody else. */
#define MAX_WIDTH 40

/* Characters, not bytes: what follows the first byte of one does not count. */
static int
width_of(const char *s)
{
	int n = 0;

	for (; *s; s++)
		n += (*s & 0xC0) != 0x80;
	return n;
}

void
columns_add(struct columns *c, const char *const cell[COLUMNS])
{
	for (int i = 0; i < COLUMNS; i++) {
		int width = width_of(cell[i]);

		npyio_text_add(&c->cells, cell[i], strlen(cell[i]) + 1);
		if (width > c->width[i] && width <= MAX_WIDTH)
			c->width[i] = width;
	}
}

/* Writes a line; returns where the next one begins. */
static const char *
write_line(const struct columns *c, const char *cell, FILE *out)
{
	const char *gap = "";

	for (int i = 0; i < COLUMNS; i++) {
		int pad = c->width[i] - width_of(cell);
		bool last = i == COLUMNS - 1;

		if (c->width[i] > 0 || *cell) {
			fprintf(out, "%s%*s%s%*s", gap,
				last && pad > 0 ? pad : 0, "", cell,
				!last && pad > 0 ? pad : 0, "");
			gap = i == 0 ? " " : "  ";
		}
		cell += strlen(cell) + 1;
	}
	putc('\n', out);
	return cell;
}

bool
columns_write(const struct columns *c, FILE *out)
{
	const char *cell = c->cells.s;

	if (!npyio_text_ok(&c->cells))
		return false;
	while (cell && cell < c->cells.s + c->cells.len)
		cell = write_line(c, cell, out);
	return true;
}

void
columns_free(struct columns *c)
{
	npyio_text_free(&c->cells);
}
