/*
 * array.h - what is known of an array before its bytes are looked at
 *
 * Dims are in ELEMENTS, sizes in BYTES, all int64_t.  The meaning of
 * fortran_order is that of the .npy format: true, the first index varies
 * fastest.  Nothing here allocates or reads data.
 */
#ifndef TSL_ARRAY_H
#define TSL_ARRAY_H

#include "dtype.h"
#include "status.h"

#define TSL_MAX_DIMS 64 /* as NumPy 2 */

struct tsl_array {
	struct tsl_dtype dtype;
	int ndim; /* 0..TSL_MAX_DIMS; 0 is a scalar */
	int64_t dim[TSL_MAX_DIMS]; /* >= 0; any 0: no elements */
	bool fortran_order;
};

enum tsl_order {
	TSL_ORDER_KEEP, /* as numpy.save: Fortran if only that is contiguous */
	TSL_ORDER_C,
	TSL_ORDER_F,
};

/*
 * tsl_array_check() proves that every size of 'a' fits int64_t: the product
 * of the dims that are not 0, times the element size, is at most INT64_MAX.
 * All arithmetic on a checked array's strides and offsets is then safe.
 *
 * Returns TSL_OK, or TSL_ETOO_LARGE.
 */
enum tsl_status TSL_MUST_USE tsl_array_check(const struct tsl_array *a,
					     struct tsl_error *err);

/* tsl_array_count() and tsl_array_nbytes(): of a checked array. */
int64_t tsl_array_count(const struct tsl_array *a);
int64_t tsl_array_nbytes(const struct tsl_array *a);

/*
 * tsl_array_strides() stores the byte stride of each axis of a checked array
 * in its own order.  Axes of 0 count as 1, so that the strides stay products
 * of what was proved to fit.
 */
void tsl_array_strides(const struct tsl_array *a, int64_t stride[]);

/*
 * tsl_array_is_1d() says whether C and Fortran order are the same thing for
 * this shape: no elements, or at most one axis longer than 1.
 */
bool tsl_array_is_1d(const struct tsl_array *a);

#endif /* TSL_ARRAY_H */
