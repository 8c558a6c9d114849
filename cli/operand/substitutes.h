/*
 * substitutes.h - what options give in place of operands, and what is made of
 * it
 */
#ifndef CLI_SUBSTITUTES_H
#define CLI_SUBSTITUTES_H

#include "indices.h"
#include "lib/op/mask.h"

struct substitutes {
	const char *literal; /* an element, for the last operand; or NULL */
	struct indices indices; /* for INDICES, if they have a text */
	/* Made for a job: */
	char *element; /* that the literal is, or of zeros; owned */
	struct tsl_mask mask; /* counted, if INDICES is one; owned */
};

/* substitutes_init() begins without any; substitutes_free() is then due. */
void substitutes_init(struct substitutes *s);
void substitutes_free(struct substitutes *s);

/* substitutes_count() is how many operands they stand for. */
int substitutes_count(const struct substitutes *s);

/* substitutes_free_made() frees what was made for a job. */
void substitutes_free_made(struct substitutes *s);

#endif /* CLI_SUBSTITUTES_H */
