/*
 * bits.h - a mask as bits, and rows moved where they are set
 *
 * Element i of a mask is bit i % 64 of word i / 64, the lowest being bit 0.
 * 'lo', 'hi' and what is returned number elements; [lo, hi) may begin and end
 * anywhere.
 */
#ifndef TSL_KERNEL_BITS_H
#define TSL_KERNEL_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TSL_BITS_WORD 64

/*
 * tsl_bits_pack() makes the bits of n bytes, each set where the byte is not 0,
 * and returns how many are.  Whole words are written; what is beyond n is 0.
 */
int64_t tsl_bits_pack(uint64_t *bits, const char *bytes, int64_t n);

/* tsl_bits_count() is how many are set, and tsl_bits_runs() in how many runs.
 */
int64_t tsl_bits_count(const uint64_t *bits, int64_t lo, int64_t hi);
int64_t tsl_bits_runs(const uint64_t *bits, int64_t lo, int64_t hi);

/* tsl_bits_find() is the one, of those set from lo on, with this number, which
 * there must be; the first is number 0. */
int64_t tsl_bits_find(const uint64_t *bits, int64_t lo, int64_t number);

/* tsl_bits_next() is the first from lo on that is 'set', or not; or hi. */
int64_t tsl_bits_next(const uint64_t *bits, int64_t lo, int64_t hi, bool set);

/*
 * tsl_bits_compress() copies those rows of 'nbytes' whose bits are set to
 * 'dst', without gaps; row lo is at 'src'.  Behind what is written there must
 * be room for TSL_BITS_SLACK more.
 */
void tsl_bits_compress(char *dst, const char *src, const uint64_t *bits,
		       int64_t lo, int64_t hi, size_t nbytes);
#define TSL_BITS_SLACK 32

/*
 * tsl_bits_put() is the inverse: rows at 'src', 'step' bytes from one to the
 * next, nbytes or 0, go where bits are set, row lo being at 'dst'.  No other
 * byte is written.
 */
void tsl_bits_put(char *dst, const char *src, int64_t step,
		  const uint64_t *bits, int64_t lo, int64_t hi, size_t nbytes);

#endif /* TSL_KERNEL_BITS_H */
