/*
 * real_type.h - the types of floating-point numbers
 */
#ifndef CLI_REAL_TYPE_H
#define CLI_REAL_TYPE_H

#include "lib/base/dtype.h"

/* A type of real numbers. */
struct real_type {
	int nbytes; /* 1, 2, 4, 8 or 16 */
	int nexponent, nfraction; /* bits; of 16 bytes nobody asks */
	enum tsl_minifloat mini; /* if it is one */
	bool is_finite; /* but for NaN, all bits of which are 1 */
	/* Decimals of so many digits are told apart, from 'least' on. */
	int sure_digits;
	long double least;
};

/* real_type_of() is that of the numbers of 'nbytes' in elements of 't'. */
const struct real_type *real_type_of(const struct tsl_dtype *t, int nbytes);

#endif /* CLI_REAL_TYPE_H */
