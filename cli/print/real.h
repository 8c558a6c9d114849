/*
 * real.h - floating-point numbers as decimal digits
 */
#ifndef CLI_REAL_H
#define CLI_REAL_H

#include "lib/base/dtype.h"

#include <stdbool.h>

#define MAX_DIGITS 80 /* and all else in the text of one number */
#define MAX_PLACES 40 /* behind the point: more than any number needs */

/* An unsigned decimal number: 0.d1d2d3... times ten to 'point'. */
struct decimal {
	char digits[MAX_DIGITS];
	int ndigits; /* at least 1; 0 is the one digit '0' */
	int point; /* the point stands before digits[point] */
};

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

/*
 * real_shortest() finds the fewest digits that read back as the finite 'v',
 * which is a value of the type.
 */
void real_shortest(struct decimal *d, long double v,
		   const struct real_type *type);

/*
 * real_round() rounds 'v', of which 'd' are the fewest digits, to 'places'
 * digits behind the point if 'fixed', else to that many digits behind the
 * first, zeros at the end cut.  It is the number itself that is rounded.
 * 'places' is at most MAX_PLACES, and if 'fixed', 'v' below 10^17.
 */
void real_round(struct decimal *d, long double v, const struct real_type *type,
		int places, bool fixed);

#endif /* CLI_REAL_H */
