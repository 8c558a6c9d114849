/*
 * places.h - where two arrays differ: the first few of the places
 *
 * They may be found in any order.
 */
#ifndef NPYIO_PLACES_H
#define NPYIO_PLACES_H

#include "lib/base/status.h"

struct npyio_places {
	int64_t most; /* no more of them are kept */
	int64_t size; /* bytes of an element */
	int64_t n, capacity;
	char *entry; /* the number of each and both its elements, sorted */
};

/* npyio_places_init() begins with none; npyio_places_free() is due. */
void npyio_places_init(struct npyio_places *p, int64_t most, int64_t size);
void npyio_places_free(struct npyio_places *p);

/* npyio_places_wants() says whether element 'number' would be one of them. */
bool npyio_places_wants(const struct npyio_places *p, int64_t number);

/*
 * npyio_places_add() adds it, with what it is in either array; the last falls
 * out where there is one too many.  Returns TSL_OK; TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE npyio_places_add(struct npyio_places *p,
					      int64_t number, const char *a,
					      const char *b,
					      struct tsl_error *err);

/* npyio_places_get() is place i of p->n. */
int64_t npyio_places_get(const struct npyio_places *p, int64_t i,
			 const char **a, const char **b);

#endif /* NPYIO_PLACES_H */
