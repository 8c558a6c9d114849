/*
 * array.c - sizes and strides of a whole array
 */
#include "array.h"

#include "overflow.h"

#include <stddef.h>

enum tsl_status
tsl_array_check(const struct tsl_array *a, struct tsl_error *err)
{
	int64_t n = a->dtype.size > 0 ? a->dtype.size : 1;

	for (int i = 0; i < a->ndim; i++)
		if (a->dim[i] != 0 && !tsl_mul(n, a->dim[i], &n))
			return tsl_fail(err, TSL_ETOO_LARGE,
					"the array is larger than 2^63-1 "
					"bytes");
	return TSL_OK;
}

int64_t
tsl_array_count(const struct tsl_array *a)
{
	int64_t n = 1;

	for (int i = 0; i < a->ndim; i++)
		if (a->dim[i] == 0)
			return 0;
	for (int i = 0; i < a->ndim; i++)
		n *= a->dim[i];
	return n;
}

int64_t
tsl_array_nbytes(const struct tsl_array *a)
{
	return tsl_array_count(a) * a->dtype.size;
}

int64_t
tsl_array_offset(const struct tsl_array *a)
{
	return a->field ? a->field->offset : 0;
}

int64_t
tsl_array_extent(const struct tsl_array *a)
{
	struct tsl_array records = tsl_array_records(a);

	return tsl_array_nbytes(&records);
}

enum tsl_status
tsl_array_of_field(struct tsl_array *a, const struct tsl_array *records,
		   const struct tsl_field *field, struct tsl_error *err)
{
	if (records->ndim + field->ndim > TSL_MAX_DIMS)
		return tsl_fail(err, TSL_ERANK_LIMIT,
				"the field's array would have %d dimensions; "
				"at most %d are allowed",
				records->ndim + field->ndim, TSL_MAX_DIMS);
	*a = *records;
	a->dtype = field->dtype;
	a->field = field;
	for (int i = 0; i < field->ndim; i++)
		a->dim[a->ndim++] = field->dim[i];
	return tsl_array_check(a, err);
}

enum tsl_status
tsl_array_fail_rank(int ndim, struct tsl_error *err)
{
	return tsl_fail(err, TSL_ERANK_LIMIT,
			"the result would have %d dimensions; at most %d are "
			"allowed",
			ndim, TSL_MAX_DIMS);
}

struct tsl_array
tsl_array_records(const struct tsl_array *a)
{
	struct tsl_array records = *a;

	if (!a->field)
		return records;
	records.dtype = a->field->records;
	records.ndim -= a->field->ndim;
	records.field = NULL;
	return records;
}

void
tsl_array_strides(const struct tsl_array *a, int64_t stride[])
{
	int64_t n = a->field ? a->field->records.size : a->dtype.size;
	int ndim = a->ndim;

	if (a->field) {
		ndim -= a->field->ndim;
		for (int i = 0; i < a->field->ndim; i++)
			stride[ndim + i] = a->field->stride[i];
	}
	for (int i = 0; i < ndim; i++) {
		int axis = a->fortran_order ? i : ndim - 1 - i;

		stride[axis] = n;
		if (a->dim[axis] > 1)
			n *= a->dim[axis];
	}
}

bool
tsl_array_is_1d(const struct tsl_array *a)
{
	int longer = 0;

	for (int i = 0; i < a->ndim; i++) {
		if (a->dim[i] == 0)
			return true;
		longer += a->dim[i] > 1;
	}
	return longer <= 1;
}
