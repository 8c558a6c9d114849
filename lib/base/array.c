/*
 * array.c - sizes and strides of a whole array
 */
#include "array.h"

#include "overflow.h"

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

void
tsl_array_strides(const struct tsl_array *a, int64_t stride[])
{
	int64_t n = a->dtype.size;

	for (int i = 0; i < a->ndim; i++) {
		int axis = a->fortran_order ? i : a->ndim - 1 - i;

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
