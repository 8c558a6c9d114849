/*
 * byte_order.h - elements turned from one byte order to another, whatever
 * they are made of
 */
#ifndef TSL_BYTE_ORDER_H
#define TSL_BYTE_ORDER_H

#include "dtype.h"
#include "status.h"

/*
 * A turner turns elements of one type into those of another, in place.  The
 * types are equal but for byte orders, which in a structured type each field
 * has of its own; see tsl_dtype_equal().
 */
struct tsl_turner {
	struct tsl_step *steps;
	int64_t nsteps;
	bool acts; /* false: there is nothing to do */
	int64_t size; /* of an element that is numbers side by side; or 0 */
	int64_t unit; /* all is numbers of so many bytes to turn; 0: it is not
		       */
};

/*
 * tsl_turner_init() makes one, to be freed, on failure too.  With 'clears' what
 * belongs to no element becomes 0: the bytes between fields, and those of a
 * long double that hold no digits.  Returns TSL_OK; TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE tsl_turner_init(struct tsl_turner *t,
					     const struct tsl_dtype *from,
					     const struct tsl_dtype *to,
					     bool clears,
					     struct tsl_error *err);
void tsl_turner_free(struct tsl_turner *t);

/* tsl_turner_run() turns n elements. */
void tsl_turner_run(const struct tsl_turner *t, char *bytes, int64_t n);

/* tsl_byte_order_convert() does so at once.  Returns TSL_OK; TSL_EMEMORY. */
enum tsl_status TSL_MUST_USE
tsl_byte_order_convert(char *bytes, int64_t n, const struct tsl_dtype *from,
		       const struct tsl_dtype *to, struct tsl_error *err);

#endif /* TSL_BYTE_ORDER_H */
