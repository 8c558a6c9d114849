/*
 * shortest.c - the fewest decimal digits that mean one binary number
 *
 * This is Raffaello Giulietti's Schubfach ("The Schubfach way to render
 * doubles", 2020), which OpenJDK uses.  What a number shares with no other lies
 * between the middles to its neighbours.  Scaled by the one power of ten for
 * which that interval is longer than 1 but not than 10, it holds an integer,
 * and a multiple of 10 at most once: the two integers, and the two multiples of
 * 10, next to the number are all that has to be looked at.  One multiplication
 * of 64 by 128 bits scales; that its error never matters is the point of the
 * paper.
 */
#include "shortest.h"

#include <pthread.h>
#include <stdbool.h>

/* ---- powers of ten ------------------------------------------------------- */

#define FIRST_POWER (-292)
#define LAST_POWER 324

struct power {
	uint64_t high, low;
};

/* The first 128 bits of each power of ten, rounded up. */
static struct power powers[LAST_POWER - FIRST_POWER + 1];
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Whole numbers of as many bits as the powers that are worked out here. */
#define WORDS 36

/* Word i of a number and the one below it, which may not be there. */
static uint64_t
two_words(const uint32_t word[WORDS], int i)
{
	uint64_t high = i >= 0 ? word[i] : 0;

	return high << 32 | (i >= 1 ? word[i - 1] : 0);
}

/* Keeps 128 bits of a number, from its topmost 1 on, rounded up. */
static void
keep(int power, const uint32_t word[WORDS], bool is_exact)
{
	struct power *p = &powers[power - FIRST_POWER];
	uint64_t quarter[5];
	int i = WORDS - 1;
	bool cut = !is_exact;
	int shift;

	while (word[i] == 0)
		i--;
	shift = __builtin_clz(word[i]);
	for (int k = 0; k < 5; k++)
		quarter[k] = two_words(word, i - k) << shift >> 32;
	cut |= quarter[4] != 0;
	for (i -= 5; i >= 0; i--)
		cut |= word[i] != 0;
	p->high = quarter[0] << 32 | quarter[1];
	p->low = (quarter[2] << 32 | quarter[3]) + cut;
	p->high += cut && p->low == 0;
}

/* Ten times ten is exact; and so is, but for what is cut, a tenth of a tenth.
 */
static void
make_powers(void)
{
	uint32_t word[WORDS] = { 1 };

	for (int power = 0; power <= LAST_POWER; power++) {
		uint64_t carry = 0;

		keep(power, word, true);
		for (int i = 0; i < WORDS; i++) {
			carry += (uint64_t)word[i] * 10;
			word[i] = (uint32_t)carry;
			carry >>= 32;
		}
	}
	for (int i = 0; i < WORDS; i++)
		word[i] = UINT32_MAX; /* one less than a power of two, cut */
	for (int power = -1; power >= FIRST_POWER; power--) {
		uint64_t rest = 0;

		for (int i = WORDS - 1; i >= 0; i--) {
			rest = rest << 32 | word[i];
			word[i] = (uint32_t)(rest / 10);
			rest %= 10;
		}
		keep(power, word, false);
	}
}

/* ---- one number ---------------------------------------------------------- */

/* The logarithms' integer parts, right for all exponents that there are. */
static int
log10_of_power_of_2(int e)
{
	return (int)((int64_t)e * 1262611 >> 22);
}

static int
log10_of_three_quarters(int e)
{
	return (int)(((int64_t)e * 1262611 - 524031) >> 22);
}

static int
log2_of_power_of_10(int e)
{
	return (int)((int64_t)e * 1741647 >> 19);
}

/* All 128 bits of a product. */
static struct power
multiply(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
	unsigned __int128 product = (unsigned __int128)a * b;

	return (struct power){ (uint64_t)(product >> 64), (uint64_t)product };
#else
	uint64_t a0 = (uint32_t)a, a1 = a >> 32;
	uint64_t b0 = (uint32_t)b, b1 = b >> 32;
	uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
	uint64_t other = a0 * b1 + (uint32_t)middle;

	return (struct power){ a1 * b1 + (middle >> 32) + (other >> 32),
			       a * b };
#endif
}

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/*
 * The product's integer part; its last bit says if there was any more.  Half of
 * a power's bits do for a value of no more than 32: with them every float32 is
 * what it is with all.
 */
ALWAYS_INLINE uint64_t
scale(const struct power *p, uint64_t value, bool is_narrow)
{
	struct power high =
		multiply(p->high + (is_narrow && p->low != 0), value);
	struct power low;

	if (is_narrow)
		return high.high | (high.low >> 32 != 0);
	low = multiply(p->low, value);
	high.low += low.high;
	high.high += high.low < low.high;
	return high.high | (high.low > 1);
}

static struct shortest
without_zeros(uint64_t digits, int exponent)
{
	if (digits % 100000000 == 0) {
		digits /= 100000000;
		exponent += 8;
	}
	while (digits % 10 == 0) {
		digits /= 10;
		exponent++;
	}
	return (struct shortest){ digits, exponent };
}

/* Of value * 2^e; its neighbour below may be closer than the one above. */
ALWAYS_INLINE struct shortest
search(uint64_t value, int e, bool is_closer, bool is_narrow)
{
	int k = is_closer ? log10_of_three_quarters(e) : log10_of_power_of_2(e);
	int shift = e + log2_of_power_of_10(-k) + 1;
	const struct power *p = &powers[-k - FIRST_POWER];
	uint64_t odd = value & 1; /* then the ends read back as others */
	uint64_t below =
		scale(p, (4 * value - 2 + is_closer) << shift, is_narrow) + odd;
	uint64_t at = scale(p, 4 * value << shift, is_narrow);
	uint64_t above = scale(p, (4 * value + 2) << shift, is_narrow) - odd;
	uint64_t floor = at / 4;
	uint64_t tens = floor / 10;
	/* Which it is nobody can foretell: no branches. */
	bool is_low_in = below <= 40 * tens;
	bool is_high_in = 40 * tens + 40 <= above;
	bool is_tens = (floor >= 10) & (is_low_in ^ is_high_in);
	bool is_floor_in = below <= 4 * floor;
	bool is_next_in = 4 * floor + 4 <= above;
	bool is_nearer = at + (floor & 1) > 4 * floor + 2;
	bool is_one = is_floor_in ^ is_next_in;
	bool is_up = (is_one & is_next_in) | (!is_one & is_nearer);
	uint64_t ones = floor + is_up;
	struct shortest found = {
		ones ^ ((ones ^ (tens + is_high_in)) & -(uint64_t)is_tens),
		k + is_tens,
	};

	return found.digits % 10 == 0
		       ? without_zeros(found.digits, found.exponent)
		       : found;
}

/* What it is of is constant at most calls. */
ALWAYS_INLINE struct shortest
shortest(uint64_t bits, int nexponent, int nfraction, bool is_narrow)
{
	int bias = (1 << (nexponent - 1)) - 1 + nfraction;
	uint64_t hidden = UINT64_C(1) << nfraction;
	uint64_t fraction = bits & (hidden - 1);
	int e = (int)(bits >> nfraction) & ((1 << nexponent) - 1);
	uint64_t value = e ? fraction | hidden : fraction;
	int exponent = (e ? e : 1) - bias;
	int behind = -exponent < 63 ? -exponent : 63; /* bits, of the point */

	/*
	 * A whole number, where all whole numbers are: no other is as short.
	 * Whether a number is below 1 is not asked: nobody can foretell it.
	 */
	if (exponent <= 0 && (value & ((UINT64_C(1) << behind) - 1)) == 0)
		return (struct shortest){ value >> behind, 0 };
	return search(value, exponent, fraction == 0 && e > 1, is_narrow);
}

void
shortest_of_each(struct shortest number[], const uint64_t bits[], int n,
		 const struct real_type *type)
{
	pthread_once(&once, make_powers);
	if (type->nfraction == 10)
		for (int i = 0; i < n; i++)
			number[i] = shortest(bits[i], 5, 10, true);
	else if (type->nfraction == 23)
		for (int i = 0; i < n; i++)
			number[i] = shortest(bits[i], 8, 23, true);
	else if (type->nfraction == 52)
		for (int i = 0; i < n; i++)
			number[i] = shortest(bits[i], 11, 52, false);
	else
		for (int i = 0; i < n; i++)
			number[i] = shortest(bits[i], type->nexponent,
					     type->nfraction, false);
}

struct shortest
shortest_of(uint64_t bits, const struct real_type *type)
{
	struct shortest number;

	shortest_of_each(&number, &bits, 1, type);
	return number;
}
