/*
 * powers.c - powers of five to 128 bits
 *
 * They are taken from exact ones, or from exact quotients of a power of two.
 */
#include "powers.h"

#include <string.h>

/*
 * 5 to the 342 has 795 bits: of 2 to the 1023 divided by it are 228 left.  The
 * quotient of a quotient, both rounded down, is that of the product.
 */
#define N_WORDS 32

/* From this power on the inverse is rounded up, which is what is proved. */
#define ROUNDED_UP (-27)

/* An integer, its lowest 32 bits first. */
struct big {
	uint32_t word[N_WORDS];
};

static void
multiply_by_5(struct big *b)
{
	uint64_t carry = 0;

	for (int i = 0; i < N_WORDS; i++) {
		carry += (uint64_t)b->word[i] * 5;
		b->word[i] = (uint32_t)carry;
		carry >>= 32;
	}
}

static void
divide_by_5(struct big *b)
{
	uint64_t rest = 0;

	for (int i = N_WORDS - 1; i >= 0; i--) {
		rest = rest << 32 | b->word[i];
		b->word[i] = (uint32_t)(rest / 5);
		rest %= 5;
	}
}

static uint64_t
word_at(const struct big *b, int i)
{
	return i >= 0 ? b->word[i] : 0;
}

/* The 64 bits from the highest of word 'i' on, moved up by 'shift', 0..31. */
static uint64_t
bits_at(const struct big *b, int i, int shift)
{
	uint64_t bits = word_at(b, i) << 32 | word_at(b, i - 1);

	return shift == 0 ? bits
			  : bits << shift | word_at(b, i - 2) >> (32 - shift);
}

static void
store(struct tsl_powers *p, int q, const struct big *b)
{
	int i = N_WORDS - 1, shift;

	while (b->word[i] == 0)
		i--;
	shift = __builtin_clz(b->word[i]);
	p->of[q - TSL_LEAST_POWER].high = bits_at(b, i, shift);
	p->of[q - TSL_LEAST_POWER].low = bits_at(b, i - 2, shift);
}

static void
round_up(struct tsl_powers *p, int q)
{
	if (++p->of[q - TSL_LEAST_POWER].low == 0)
		p->of[q - TSL_LEAST_POWER].high++;
}

void
tsl_powers_init(struct tsl_powers *powers)
{
	struct big b = { { 1 } };

	for (int q = 0; q <= TSL_MOST_POWER; q++) {
		store(powers, q, &b);
		multiply_by_5(&b);
	}
	memset(&b, 0, sizeof(b));
	b.word[N_WORDS - 1] = UINT32_C(1) << 31;
	for (int q = -1; q >= TSL_LEAST_POWER; q--) {
		divide_by_5(&b);
		store(powers, q, &b);
		if (q >= ROUNDED_UP)
			round_up(powers, q);
	}
}
