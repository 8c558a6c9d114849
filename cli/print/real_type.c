/*
 * real_type.c - the types of floating-point numbers
 */
#include "real_type.h"

#include <float.h>

static const struct real_type types[] = {
	{ 2, 5, 10, TSL_FLOAT16, false, 3, 0x1p-14L },
	{ 4, 8, 23, TSL_NO_MINIFLOAT, false, FLT_DIG, FLT_MIN },
	{ 8, 11, 52, TSL_NO_MINIFLOAT, false, DBL_DIG, DBL_MIN },
	{ 16, 0, 0, TSL_NO_MINIFLOAT, false, LDBL_DIG, LDBL_MIN },
	{ 2, 8, 7, TSL_BFLOAT16, false, 2, 0x1p-126L },
	{ 1, 4, 3, TSL_FLOAT8_E4M3FN, true, 0, 0x1p-6L },
	{ 1, 5, 2, TSL_FLOAT8_E5M2, false, 0, 0x1p-14L },
};

const struct real_type *
real_type_of(const struct tsl_dtype *t, int nbytes)
{
	const struct real_type *type = types;

	while (t->number ? type->mini != t->number : type->nbytes != nbytes)
		type++;
	return type;
}
