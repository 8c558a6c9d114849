/*
 * powers.h - powers of five to 128 bits
 */
#ifndef TSL_POWERS_H
#define TSL_POWERS_H

#include <stdint.h>

/* Below and above these any 19 digits are 0, or infinite, as a double. */
#define TSL_LEAST_POWER (-342)
#define TSL_MOST_POWER 308

/*
 * Entry q - TSL_LEAST_POWER are the first 128 bits of 5 to the q, the highest
 * of them set; rounded down, but from -27 to -1 up.
 */
struct tsl_powers {
	struct {
		uint64_t high, low;
	} of[TSL_MOST_POWER - TSL_LEAST_POWER + 1];
};

/* tsl_powers_init() computes all of them: it takes about 0.05 ms. */
void tsl_powers_init(struct tsl_powers *powers);

#endif /* TSL_POWERS_H */
