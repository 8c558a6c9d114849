/*
 * bits.c - a mask as bits, and rows moved where they are set
 */
#include "bits.h"

#include "lib/base/minmax.h"
#include "types.h"

#include <string.h>

#define WORD TSL_BITS_WORD
#define ALL UINT64_MAX

/*
 * Of a word with no more bits than this one is found after the other.  Of one
 * with more every row is copied, and the place of the next moves on if the bit
 * is set: the processor has nothing to guess.  At this many both take the same.
 */
#define MAX_SINGLE 16

/* And so it is at this many, where four rows at a time are moved. */
#define FEW_SINGLE 8

/* Without an instruction for it the compiler's own is a call. */
ALWAYS_INLINE int64_t
count_word(uint64_t x)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);

	x -= x >> 1 & 0x55 * ones;
	x = (x & 0x33 * ones) + (x >> 2 & 0x33 * ones);
	x = (x + (x >> 4)) & 0x0F * ones;
	return (int64_t)(x * ones >> 56);
}

/* ---- from bytes ---------------------------------------------------------- */

/* The bytes of a word, the first of them lowest. */
ALWAYS_INLINE uint64_t
load(const char *bytes)
{
	uint64_t x = *(const any_u8 *)bytes;

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	x = __builtin_bswap64(x);
#endif
	return x;
}

/* A bit for each of eight bytes: the highest of each, then side by side. */
ALWAYS_INLINE uint64_t
pack_eight(uint64_t x)
{
	const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f);

	x = (((x & low) + low) | x) & ~low;
	return (x >> 7) * UINT64_C(0x0102040810204080) >> 56;
}

ALWAYS_INLINE int64_t
pack_words(uint64_t *bits, const char *bytes, int64_t nwords)
{
	int64_t count = 0;

	for (int64_t i = 0; i < nwords; i++, bytes += WORD) {
		uint64_t word = 0;

		for (int k = 0; k < 8; k++)
			word |= pack_eight(load(bytes + 8 * k)) << 8 * k;
		bits[i] = word;
		count += count_word(word);
	}
	return count;
}

#if defined(__x86_64__) && defined(__GNUC__)
typedef char bytes_32 __attribute__((vector_size(32), aligned(1), may_alias));

#define HAVE_AVX2 1

/* A comparison makes what the highest bit of each byte is taken from. */
AVX2 static int64_t
pack_avx2(uint64_t *bits, const char *bytes, int64_t nwords)
{
	int64_t count = 0;

	for (int64_t i = 0; i < nwords; i++, bytes += WORD) {
		const bytes_32 *half = (const bytes_32 *)bytes;
		uint32_t lo =
			(uint32_t)__builtin_ia32_pmovmskb256(half[0] != 0);
		uint32_t hi =
			(uint32_t)__builtin_ia32_pmovmskb256(half[1] != 0);

		bits[i] = (uint64_t)hi << 32 | lo;
		count += __builtin_popcountll(bits[i]);
	}
	return count;
}
#endif

int64_t
tsl_bits_pack(uint64_t *bits, const char *bytes, int64_t n)
{
	int64_t nwords = n / WORD, count;
	char rest[WORD] = { 0 };

#ifdef HAVE_AVX2
	if (tsl_have_avx2())
		count = pack_avx2(bits, bytes, nwords);
	else
#endif
		count = pack_words(bits, bytes, nwords);
	if (n % WORD == 0)
		return count;
	memcpy(rest, bytes + nwords * WORD, (size_t)(n % WORD));
	return count + pack_words(bits + nwords, rest, 1);
}

/* ---- looking ------------------------------------------------------------- */

/* The word that element i is in, with nothing but what is in [lo, hi). */
ALWAYS_INLINE uint64_t
word_at(const uint64_t *bits, int64_t i, int64_t lo, int64_t hi)
{
	int64_t first = i / WORD * WORD;
	uint64_t word = bits[i / WORD];

	if (lo > first)
		word &= ALL << (lo - first);
	if (hi < first + WORD)
		word &= ALL >> (first + WORD - hi);
	return word;
}

/* The first element of the next word. */
ALWAYS_INLINE int64_t
next_word(int64_t i)
{
	return (i / WORD + 1) * WORD;
}

int64_t
tsl_bits_count(const uint64_t *bits, int64_t lo, int64_t hi)
{
	int64_t count = 0;

	for (int64_t i = lo; i < hi; i = next_word(i))
		count += count_word(word_at(bits, i, lo, hi));
	return count;
}

int64_t
tsl_bits_runs(const uint64_t *bits, int64_t lo, int64_t hi)
{
	int64_t count = 0;
	uint64_t last = 0; /* whether the one before was set */

	for (int64_t i = lo; i < hi; i = next_word(i)) {
		uint64_t word = word_at(bits, i, lo, hi);

		count += count_word(word & ~(word << 1 | last));
		last = word >> (WORD - 1);
	}
	return count;
}

int64_t
tsl_bits_find(const uint64_t *bits, int64_t lo, int64_t number)
{
	uint64_t word = bits[lo / WORD] & ALL << lo % WORD;
	int64_t i = lo / WORD * WORD;

	for (;;) {
		int64_t n = count_word(word);

		if (number < n)
			break;
		number -= n;
		i += WORD;
		word = bits[i / WORD];
	}
	while (number-- > 0)
		word &= word - 1;
	return i + __builtin_ctzll(word);
}

int64_t
tsl_bits_next(const uint64_t *bits, int64_t lo, int64_t hi, bool set)
{
	uint64_t flip = set ? 0 : ALL;

	for (int64_t i = lo; i < hi; i = next_word(i)) {
		int64_t first = i / WORD * WORD;
		uint64_t word = (bits[i / WORD] ^ flip) & ALL << (i - first);

		if (word)
			return tsl_min(first + __builtin_ctzll(word), hi);
	}
	return hi;
}

/* ---- moving -------------------------------------------------------------- */

/* Copies the rows of a whole word whose bits are set; it may write more. */
typedef void squeeze_kernel(char *dst, const char *src, uint64_t word);

#ifdef HAVE_AVX2
typedef float floats_4 __attribute__((vector_size(16), aligned(1), may_alias));
typedef int ints_4 __attribute__((vector_size(16), aligned(1), may_alias));
typedef int ints_8 __attribute__((vector_size(32), aligned(1), may_alias));

/* Which of four rows are set, one after the other. */
#define FOURS(_)                                                            \
	_(0, 0, 0, 0), _(0, 0, 0, 0), _(1, 0, 0, 0), _(0, 1, 0, 0),         \
		_(2, 0, 0, 0), _(0, 2, 0, 0), _(1, 2, 0, 0), _(0, 1, 2, 0), \
		_(3, 0, 0, 0), _(0, 3, 0, 0), _(1, 3, 0, 0), _(0, 1, 3, 0), \
		_(2, 3, 0, 0), _(0, 2, 3, 0), _(1, 2, 3, 0), _(0, 1, 2, 3)
#define OF_4(a, b, c, d)   \
	{                  \
		a, b, c, d \
	}
#define OF_8(a, b, c, d)                                             \
	{                                                            \
		2 * (a), 2 * (a) + 1, 2 * (b), 2 * (b) + 1, 2 * (c), \
			2 * (c) + 1, 2 * (d), 2 * (d) + 1            \
	}

AVX2 static void
squeeze_4(char *dst, const char *src, uint64_t word)
{
	static const int which[16][4] = { FOURS(OF_4) };

	for (int i = 0; i < WORD; i += 4, word >>= 4) {
		*(floats_4 *)dst = __builtin_ia32_vpermilvarps(
			*(const floats_4 *)(src + 4 * i),
			*(const ints_4 *)which[word & 15]);
		dst += 4 * __builtin_popcountll(word & 15);
	}
}

AVX2 static void
squeeze_8(char *dst, const char *src, uint64_t word)
{
	static const int which[16][8] = { FOURS(OF_8) };

	for (int i = 0; i < WORD; i += 4, word >>= 4) {
		*(ints_8 *)dst = __builtin_ia32_permvarsi256(
			*(const ints_8 *)(src + 8 * i),
			*(const ints_8 *)which[word & 15]);
		dst += 8 * __builtin_popcountll(word & 15);
	}
}
#endif

/* Without such instructions the processor has nothing to guess, at least. */
ALWAYS_INLINE void
squeeze_any(char *dst, const char *src, uint64_t word, int64_t nbytes)
{
	for (int i = 0; i < WORD; i++, word >>= 1) {
		memcpy(dst, src + i * nbytes, (size_t)nbytes);
		dst += (int64_t)(word & 1) * nbytes;
	}
}

/* 'nbytes' is a constant at each call: 1, 2, 4, 8 or 16. */
ALWAYS_INLINE char *
compress_word(char *dst, const char *src, uint64_t word, int64_t nbytes,
	      squeeze_kernel *squeeze)
{
	int64_t count = count_word(word);
	char *end = dst + count * nbytes;

	if (word == ALL) {
		memcpy(dst, src, (size_t)(WORD * nbytes));
	} else if (count <= (squeeze ? FEW_SINGLE : MAX_SINGLE)) {
		for (; word; word &= word - 1, dst += nbytes)
			memcpy(dst, src + __builtin_ctzll(word) * nbytes,
			       (size_t)nbytes);
	} else if (squeeze) {
		squeeze(dst, src, word);
	} else {
		squeeze_any(dst, src, word, nbytes);
	}
	return end;
}

/* What is in no whole word is not looked at beyond its bits. */
ALWAYS_INLINE void
compress(char *dst, const char *src, const uint64_t *bits, int64_t lo,
	 int64_t hi, int64_t nbytes, squeeze_kernel *squeeze)
{
	src -= lo * nbytes;
	for (int64_t i = lo; i < hi; i = next_word(i)) {
		uint64_t word = word_at(bits, i, lo, hi);
		int64_t first = i / WORD * WORD;

		if (first >= lo && first + WORD <= hi) {
			dst = compress_word(dst, src + first * nbytes, word,
					    nbytes, squeeze);
			continue;
		}
		for (; word; word &= word - 1, dst += nbytes)
			memcpy(dst,
			       src + (first + __builtin_ctzll(word)) * nbytes,
			       (size_t)nbytes);
	}
}

static void
compress_runs(char *dst, const char *src, const uint64_t *bits, int64_t lo,
	      int64_t hi, int64_t nbytes)
{
	int64_t end;

	for (int64_t i = tsl_bits_next(bits, lo, hi, true); i < hi;
	     i = tsl_bits_next(bits, end, hi, true)) {
		end = tsl_bits_next(bits, i, hi, false);
		memcpy(dst, src + (i - lo) * nbytes,
		       (size_t)((end - i) * nbytes));
		dst += (end - i) * nbytes;
	}
}

/* NULL: nothing better than what any processor can do. */
static squeeze_kernel *
squeeze_of(size_t nbytes)
{
#ifdef HAVE_AVX2
	if (nbytes == 4 && tsl_have_avx2())
		return squeeze_4;
	if (nbytes == 8 && tsl_have_avx2())
		return squeeze_8;
#endif
	(void)nbytes;
	return NULL;
}

void
tsl_bits_compress(char *dst, const char *src, const uint64_t *bits, int64_t lo,
		  int64_t hi, size_t nbytes)
{
	squeeze_kernel *squeeze = squeeze_of(nbytes);

	switch (nbytes) {
#define COMPRESS(size)                                           \
	case size:                                               \
		compress(dst, src, bits, lo, hi, size, squeeze); \
		break;
		COMPRESS(1)
		COMPRESS(2)
		COMPRESS(4)
		COMPRESS(8)
		COMPRESS(16)
	default:
		compress_runs(dst, src, bits, lo, hi, (int64_t)nbytes);
		break;
	}
}

ALWAYS_INLINE void
put(char *dst, const char *src, int64_t step, const uint64_t *bits, int64_t lo,
    int64_t hi, int64_t nbytes)
{
	dst -= lo * nbytes;
	for (int64_t i = lo; i < hi; i = next_word(i)) {
		uint64_t word = word_at(bits, i, lo, hi);
		char *to = dst + i / WORD * WORD * nbytes;

		if (word == ALL && step > 0) {
			memcpy(to, src, (size_t)(WORD * nbytes));
			src += WORD * nbytes;
			continue;
		}
		for (; word; word &= word - 1, src += step)
			memcpy(to + __builtin_ctzll(word) * nbytes, src,
			       (size_t)nbytes);
	}
}

/* Rows one by one, where all are the same one. */
static void
put_runs(char *dst, const char *src, int64_t step, const uint64_t *bits,
	 int64_t lo, int64_t hi, int64_t nbytes)
{
	int64_t end;

	for (int64_t i = tsl_bits_next(bits, lo, hi, true); i < hi;
	     i = tsl_bits_next(bits, end, hi, true)) {
		end = step > 0 ? tsl_bits_next(bits, i, hi, false) : i + 1;
		memcpy(dst + (i - lo) * nbytes, src,
		       (size_t)((end - i) * nbytes));
		src += (end - i) * step;
	}
}

void
tsl_bits_put(char *dst, const char *src, int64_t step, const uint64_t *bits,
	     int64_t lo, int64_t hi, size_t nbytes)
{
	switch (nbytes) {
#define PUT(size)                                        \
	case size:                                       \
		put(dst, src, step, bits, lo, hi, size); \
		break;
		PUT(1)
		PUT(2)
		PUT(4)
		PUT(8)
		PUT(16)
	default:
		put_runs(dst, src, step, bits, lo, hi, (int64_t)nbytes);
		break;
	}
}
