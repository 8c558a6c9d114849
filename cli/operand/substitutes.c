/*
 * substitutes.c - what options give in place of operands, and what is made of
 * it
 */
#include "substitutes.h"

#include "npyio/transfer/count_mask.h"

#include <stdlib.h>

void
substitutes_init(struct substitutes *s)
{
	*s = (struct substitutes){ .literal = NULL };
	indices_init(&s->indices);
}

int
substitutes_count(const struct substitutes *s)
{
	return (s->literal != NULL) + (s->indices.text != NULL);
}

void
substitutes_free_made(struct substitutes *s)
{
	npyio_mask_close(&s->mask);
	free(s->element);
	s->element = NULL;
}

void
substitutes_free(struct substitutes *s)
{
	substitutes_free_made(s);
	indices_free(&s->indices);
}
