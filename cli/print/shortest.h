/*
 * shortest.h - the fewest decimal digits that mean one binary number
 */
#ifndef CLI_SHORTEST_H
#define CLI_SHORTEST_H

#include "real_type.h"

#include <stdint.h>

/*
 * The number is digits times ten to 'exponent'.  At the end stands no zero, but
 * of a whole number, with an exponent of 0.
 */
struct shortest {
	uint64_t digits; /* below 10^17 */
	int exponent;
};

/*
 * shortest_of() is for the bits of a finite number of 8 bytes at most, whose
 * sign is not looked at: of all decimals that read back as it those with the
 * fewest digits, and of these the closest.
 */
struct shortest shortest_of(uint64_t bits, const struct real_type *type);

/*
 * shortest_of_each() is that of n numbers, sooner than one by one.  What it
 * finds for infinity and NaN means nothing.
 */
void shortest_of_each(struct shortest number[], const uint64_t bits[], int n,
		      const struct real_type *type);

#endif /* CLI_SHORTEST_H */
