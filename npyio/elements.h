/*
 * elements.h - all the elements of an input, in an order of one's own choice
 *
 * For inputs that an operation wants to look at, rather than hand on block by
 * block: index tuples, diagonals.  However the file is laid out, and be it a
 * stream, they come in C order or in Fortran order.
 */
#ifndef NPYIO_ELEMENTS_H
#define NPYIO_ELEMENTS_H

#include "lib/op_slice.h"
#include "transfer.h"

struct npyio_elements {
	struct tsl_slice_job slice;
	struct npyio_transfer transfer;
};

/*
 * npyio_elements_init() gets the data of 'in', which must outlive 'e', ready
 * to be looked at.
 */
enum tsl_status TSL_MUST_USE npyio_elements_init(struct npyio_elements *e,
						 struct npyio_reader *in,
						 enum tsl_order order,
						 struct tsl_error *err);

/* npyio_elements_get() copies bytes [first, first + n) of the elements. */
enum tsl_status TSL_MUST_USE npyio_elements_get(const struct npyio_elements *e,
						int64_t first, int64_t n,
						char *dst,
						struct tsl_error *err);

#endif /* NPYIO_ELEMENTS_H */
