/*
 * real.h - floating-point numbers as decimal digits
 */
#ifndef CLI_REAL_H
#define CLI_REAL_H

#include "real_type.h"

#include <stdbool.h>

#define MAX_DIGITS 80 /* and all else in the text of one number */
#define MAX_PLACES 40 /* behind the point: more than any number needs */

/* An unsigned decimal number: 0.d1d2d3... times ten to 'point'. */
struct decimal {
	char digits[MAX_DIGITS];
	int ndigits; /* at least 1; 0 is the one digit '0' */
	int point; /* the point stands before digits[point] */
};

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
