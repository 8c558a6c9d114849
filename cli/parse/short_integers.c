/*
 * short_integers.c - rows of integers of few digits, 64 characters at a time
 *
 * Which characters of a block are digits, and which divide cells, are masks of
 * 64 bits; at each character the number that would end before it is computed,
 * by vectors, and where one does end it is taken.  So no cell has to wait until
 * it is known where the one before it ends.
 */
#include "short_integers.h"

#ifdef __SSE2__
#include "lib/kernel/types.h"

#include <emmintrin.h>
#include <string.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

#define BLOCK 64
#define VECTOR 16
#define BEFORE 4 /* characters, that are loaded too */
#define AT_ONCE 5 /* elements */

_Static_assert(AT_ONCE <= NUMBERS_MORE, "what is stored too much has room");

/* That a cell may have; those of one byte cannot have more. */
ALWAYS_INLINE int
most_digits(int64_t size)
{
	return size == 1 ? 3 : 4;
}

/* Bit i is character i. */
struct masks {
	uint64_t digit, divider, newline, minus;
};

/* Where cells end, and of them those that are below 0. */
struct ends {
	uint64_t all, below;
};

/* What is known of the block before. */
struct before {
	uint64_t digit, divider, minus;
	bool below; /* the cell that it ends in */
};

/* ---- characters ---------------------------------------------------------- */

ALWAYS_INLINE __m128i
load(const char *text)
{
	return _mm_loadu_si128((const __m128i *)text);
}

ALWAYS_INLINE __m128i
is_digit(__m128i value)
{
	return _mm_cmpeq_epi8(_mm_min_epu8(value, _mm_set1_epi8(9)), value);
}

/* The values of digits; of all else something. */
ALWAYS_INLINE __m128i
load_digits(const char *text)
{
	return _mm_sub_epi8(load(text), _mm_set1_epi8('0'));
}

ALWAYS_INLINE uint64_t
mask_of(__m128i is_set, int at)
{
	return (uint64_t)(uint32_t)_mm_movemask_epi8(is_set) << at;
}

ALWAYS_INLINE struct masks
classify(const struct numbers *n, const char *text)
{
	const __m128i divider = _mm_set1_epi8(n->delimiter);
	const __m128i other = _mm_set1_epi8(n->by_blanks ? '\t' : n->delimiter);
	struct masks m = { 0 };

#pragma GCC unroll 4
	for (int i = 0; i < BLOCK; i += VECTOR) {
		__m128i c = load(text + i);

		m.digit |= mask_of(is_digit(load_digits(text + i)), i);
		m.divider |= mask_of(_mm_or_si128(_mm_cmpeq_epi8(c, divider),
						  _mm_cmpeq_epi8(c, other)),
				     i);
		m.newline |= mask_of(_mm_cmpeq_epi8(c, _mm_set1_epi8('\n')), i);
		m.minus |= mask_of(_mm_cmpeq_epi8(c, _mm_set1_epi8('-')), i);
	}
	m.divider |= m.newline;
	return m;
}

/* ---- what is wrong ------------------------------------------------------- */

/* The characters before each, of which the first 'by' are of the last block. */
ALWAYS_INLINE uint64_t
shift(uint64_t mask, uint64_t last, int by)
{
	return mask << by | last >> (BLOCK - by);
}

/* More digits in a row. */
ALWAYS_INLINE bool
has_more(uint64_t digit, uint64_t last, int most)
{
	uint64_t is_long = digit;

	for (int by = 1; by <= most; by++)
		is_long &= shift(digit, last, by);
	return is_long != 0;
}

/* Whether there is nothing but cells that are taken here. */
ALWAYS_INLINE bool
is_plain(const struct numbers *n, const struct masks *m,
	 const struct before *before, int64_t size)
{
	uint64_t behind_digit = shift(m->digit, before->digit, 1);
	uint64_t behind_divider = shift(m->divider, before->divider, 1);
	uint64_t behind_minus = shift(m->minus, before->minus, 1);
	uint64_t bad = ~(m->digit | m->divider | m->minus);

	bad |= m->minus & ~behind_divider;
	bad |= behind_minus & ~m->digit;
	if (!n->by_blanks)
		bad |= m->divider & ~behind_digit;
	return bad == 0 &&
	       !has_more(m->digit, before->digit, most_digits(size));
}

/* ---- cells --------------------------------------------------------------- */

/* Where cells end; a minus is carried through the digits behind it. */
ALWAYS_INLINE struct ends
find_ends(const struct masks *m, struct before *before)
{
	uint64_t first = shift(m->minus, before->minus, 1) | before->below;
	uint64_t sum;
	bool goes_on = __builtin_add_overflow(m->digit, first, &sum);
	struct ends e = { .all = m->divider &
				 shift(m->digit, before->digit, 1) };

	e.below = sum & e.all;
	*before = (struct before){ m->digit, m->divider, m->minus, goes_on };
	return e;
}

ALWAYS_INLINE __m128i
add_tens(__m128i ones, __m128i tens)
{
	__m128i twice = _mm_add_epi8(tens, tens);
	__m128i eight = _mm_add_epi8(twice, twice);

	eight = _mm_add_epi8(eight, eight);
	return _mm_add_epi8(_mm_add_epi8(twice, eight), ones);
}

/* Hundreds and what is below: as a constant it would be shifts and sums. */
ALWAYS_INLINE __m128i
join(__m128i pair, __m128i pairs)
{
	__m128i hundred = _mm_set1_epi16(100);

	__asm__("" : "+x"(hundred));
	return _mm_add_epi16(pair, _mm_mullo_epi16(pairs, hundred));
}

/*
 * Stores the numbers that would end before each of 16 characters; returns
 * which of them are more than 'most'.
 */
ALWAYS_INLINE uint64_t
compute(const char *text, __m128i most, int64_t size, int16_t *value)
{
	const __m128i zero = _mm_setzero_si128();
	__m128i ones = load_digits(text - 1), tens = load_digits(text - 2);
	__m128i pairs = load_digits(text - 3), pair, low, high;
	__m128i has = is_digit(tens);

	tens = _mm_and_si128(tens, has);
	has = _mm_and_si128(has, is_digit(pairs));
	pairs = _mm_and_si128(pairs, has);
	if (most_digits(size) > 3) {
		__m128i thousands = load_digits(text - 4);

		has = _mm_and_si128(has, is_digit(thousands));
		pairs = add_tens(pairs, _mm_and_si128(thousands, has));
	}
	pair = add_tens(ones, tens);
	low = join(_mm_unpacklo_epi8(pair, zero),
		   _mm_unpacklo_epi8(pairs, zero));
	high = join(_mm_unpackhi_epi8(pair, zero),
		    _mm_unpackhi_epi8(pairs, zero));
	_mm_storeu_si128((__m128i *)value, low);
	_mm_storeu_si128((__m128i *)(value + 8), high);
	return mask_of(_mm_packs_epi16(_mm_cmpgt_epi16(low, most),
				       _mm_cmpgt_epi16(high, most)),
		       0);
}

/* That more are stored than there are costs less than a branch. */
ALWAYS_INLINE void
store_cells(const struct ends *e, bool has_below, const int16_t *value,
	    int64_t size, char *to)
{
	for (uint64_t left = e->all; left;) {
#pragma GCC unroll 8
		for (int i = 0; i < AT_ONCE; i++, to += size) {
			int at = __builtin_ctzll(left | UINT64_C(1) << 63);
			uint64_t minus = has_below ? -(e->below >> at & 1) : 0;
			uint64_t v = ((uint64_t)value[at] ^ minus) - minus;

			memcpy(to, &v, (size_t)size);
			left &= left - 1;
		}
	}
}

/* False: one of them does not fit. */
ALWAYS_INLINE bool
take_cells(const char *text, const struct ends *e, int64_t most, int64_t size,
	   char *to)
{
	int16_t value[BLOCK];
	uint64_t more = 0;

#pragma GCC unroll 4
	for (int i = 0; i < BLOCK; i += VECTOR)
		more |= compute(text + i, _mm_set1_epi16((int16_t)most), size,
				value + i)
			<< i;
	if (more & e->all)
		return false;
	if (e->below)
		store_cells(e, true, value, size, to);
	else
		store_cells(e, false, value, size, to);
	return true;
}

/* ---- rows ---------------------------------------------------------------- */

/* Elements in all, those of whole rows, and what is behind those. */
struct progress {
	int64_t count, whole;
	const char *at;
};

/* False: a row has more cells than it should, or less. */
ALWAYS_INLINE bool
count_cells(const struct numbers *n, const char *text, uint64_t newline,
	    uint64_t ends, struct progress *p)
{
	for (; newline; newline &= newline - 1) {
		uint64_t here = newline & -newline;
		int64_t count = p->count + __builtin_popcountll(
						   ends & (here | (here - 1)));

		if (count != p->whole + n->columns)
			return false;
		p->whole = count;
		p->at = text + __builtin_ctzll(newline) + 1;
	}
	p->count += __builtin_popcountll(ends);
	return true;
}

ALWAYS_INLINE void
take(struct numbers *n, int64_t size)
{
	bool has_below = n->column->dtype.kind != 'u';
	int64_t most = size > 1 ? INT16_MAX : has_below ? INT8_MAX : UINT8_MAX;
	struct before before = { .divider = UINT64_MAX };
	struct progress p = { n->count, n->count, n->at };

	for (const char *text = n->at; n->end - text >= BLOCK; text += BLOCK) {
		struct masks m = classify(n, text);
		bool is_good = is_plain(n, &m, &before, size);
		struct ends ends = find_ends(&m, &before);

		if (!is_good || (ends.below && !has_below) ||
		    !take_cells(text, &ends, most, size,
				n->to + p.count * size) ||
		    !count_cells(n, text, m.newline, ends.all, &p))
			break;
	}
	n->count = p.whole;
	n->at = p.at;
}

ALWAYS_INLINE void
take_integers(struct numbers *n)
{
	switch (n->column->dtype.size) {
	case 1:
		take(n, 1);
		break;
	case 2:
		take(n, 2);
		break;
	case 4:
		take(n, 4);
		break;
	default:
		take(n, 8);
	}
}

/* The same instructions take fewer, and there is one that counts bits. */
AVX2 static void
take_by_avx2(struct numbers *n)
{
	take_integers(n);
}

static void
take_plainly(struct numbers *n)
{
	take_integers(n);
}

void
short_integers_take(struct numbers *n)
{
	if (n->at - n->text < BEFORE || tsl_dtype_is_swapped(&n->column->dtype))
		return;
	if (tsl_have_avx2())
		take_by_avx2(n);
	else
		take_plainly(n);
}
#else
void
short_integers_take(struct numbers *n)
{
	(void)n;
}
#endif
