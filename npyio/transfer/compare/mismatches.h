/*
 * mismatches.h - where two arrays differ: the first few of the places
 *
 * They may be found in any order.
 */
#ifndef NPYIO_MISMATCHES_H
#define NPYIO_MISMATCHES_H

#include "lib/base/status.h"

struct npyio_mismatches {
	int64_t most; /* no more of them are kept */
	int64_t size; /* bytes of an element */
	int64_t n, capacity;
	char *entry; /* the number of each and both its elements, sorted */
};

/* npyio_mismatches_init() begins with none; npyio_mismatches_free() is due. */
void npyio_mismatches_init(struct npyio_mismatches *p, int64_t most,
			   int64_t size);
void npyio_mismatches_free(struct npyio_mismatches *p);

/* npyio_mismatches_wants() says whether 'number' would be one of them. */
bool npyio_mismatches_wants(const struct npyio_mismatches *p, int64_t number);

/*
 * npyio_mismatches_add() adds it, with what it is in either array; the last
 * falls out where there is one too many.  Returns TSL_OK; TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE npyio_mismatches_add(struct npyio_mismatches *p,
						  int64_t number, const char *a,
						  const char *b,
						  struct tsl_error *err);

/* npyio_mismatches_get() is place i of p->n. */
int64_t npyio_mismatches_get(const struct npyio_mismatches *p, int64_t i,
			     const char **a, const char **b);

#endif /* NPYIO_MISMATCHES_H */
