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

/*
 * A field of an array of records, whose elements are not side by side.  The
 * last dims of the array are the field's own: arrays within each record,
 * perhaps of records that the field is of.
 */
struct tsl_field {
	struct tsl_dtype dtype; /* of an element */
	struct tsl_dtype records;
	int64_t offset; /* of its first element in a record */
	int ndim; /* its own */
	int64_t dim[TSL_MAX_DIMS];
	int64_t stride[TSL_MAX_DIMS]; /* bytes */
};

struct tsl_array {
	struct tsl_dtype dtype;
	int ndim; /* 0..TSL_MAX_DIMS; 0 is a scalar */
	int64_t dim[TSL_MAX_DIMS]; /* >= 0; any 0: no elements */
	bool fortran_order; /* of a field: that of the records */
	const struct tsl_field *field; /* that it is; NULL: of none */
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

/* tsl_array_offset() is where the element of indices 0 is, in bytes. */
int64_t tsl_array_offset(const struct tsl_array *a);

/*
 * tsl_array_extent() is how many bytes of data there are, those around a field
 * included.
 */
int64_t tsl_array_extent(const struct tsl_array *a);

/*
 * tsl_array_of_field() makes 'a' the array of a field of the elements of
 * 'records', which must outlive it; tsl_array_records() is the way back, and of
 * any other array what it is.
 *
 * Returns TSL_OK; TSL_ERANK_LIMIT, TSL_ETOO_LARGE.
 */
enum tsl_status TSL_MUST_USE tsl_array_of_field(struct tsl_array *a,
						const struct tsl_array *records,
						const struct tsl_field *field,
						struct tsl_error *err);
struct tsl_array tsl_array_records(const struct tsl_array *a);

/* tsl_array_fail_rank() is for a result of 'ndim' > TSL_MAX_DIMS dimensions. */
enum tsl_status tsl_array_fail_rank(int ndim, struct tsl_error *err);

/*
 * tsl_array_is_1d() says whether C and Fortran order are the same thing for
 * this shape: no elements, or at most one axis longer than 1.
 */
bool tsl_array_is_1d(const struct tsl_array *a);

#endif /* TSL_ARRAY_H */
