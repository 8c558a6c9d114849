/*
 * words.h - units of short rows, in order, a word of output at a time
 *
 * A word is of four bytes, or a wider unit.  The neighbours of a thread make
 * the words beside it, so that what they load lies together.  Each unit is
 * looked for by itself: there is no branch where a row ends, and all loads of a
 * thread are on their way together.
 *
 * WHERE says where units lie; see slice.cu and gather.cu.
 */
#ifndef TSL_CUDA_WORDS_H
#define TSL_CUDA_WORDS_H

#include "chunk.h"

/* Words that a thread makes at once. */
#define WORDS 4

/* Of word w at 'out', the units that are not 'absent', a bit for each. */
template <typename T>
static __device__ inline void
store_word(char *out, typename word_of<T>::type w, unsigned absent)
{
	constexpr int per = word_of<T>::per;

	if (absent == 0) {
		store(out, w);
		return;
	}
	if constexpr (per > 1) {
		NO_UNROLL
		for (int k = 0; k < per; k++, w >>= word_of<T>::bits)
			if (!(absent >> k & 1))
				store(out + k * (int)sizeof(T), (T)w);
	}
}

/* Words i, i + by, ..., which are counted in units. */
template <typename T, typename WHERE>
static __device__ inline void
make_words_at(const tsl_cuda_view_args &a, uint32_t i, uint32_t by)
{
	constexpr int per = word_of<T>::per;
	typename word_of<T>::type w[WORDS] = {};
	unsigned absent[WORDS] = {};
	T x[per][WORDS] = {};

	UNROLL
	for (int k = 0; k < per; k++) {
		place p[WORDS];

		WHERE::template find<WORDS>(a, i + k, by, p);
		UNROLL
		for (int j = 0; j < WORDS; j++)
			if (p[j].data)
				x[k][j] = load<T>(p[j].at);
			else if (!p[j].here)
				absent[j] |= 1u << k;
	}
	UNROLL
	for (int j = 0; j < WORDS; j++) {
		UNROLL
		for (int k = 0; k < per; k++)
			w[j] |= (typename word_of<T>::type)x[k][j]
				<< k * word_of<T>::bits;
		store_word<T>(a.out + (int64_t)(i + j * by) * (int)sizeof(T),
			      w[j], absent[j]);
	}
}

/* All that a thread makes; 'at' is make_words_at, or like it. */
template <typename T, typename WHERE, typename MAKE>
static __device__ inline void
make_words(const tsl_cuda_view_args &a, MAKE at)
{
	constexpr uint32_t per = word_of<T>::per;
	/* Less than 2^31 units, and by is not much more than their 16th. */
	uint32_t by = (uint32_t)thread_count() * per;
	uint32_t i = (uint32_t)thread_number() * per;
	uint32_t n = (uint32_t)a.n;

	NO_UNROLL
	for (; i + (WORDS - 1) * by + per <= n; i += WORDS * by)
		at(a, i, by);
	NO_UNROLL
	for (; i < n; i += by)
		make_units<T, WHERE>(a, i, i + per < n ? i + per : n);
}

#endif /* TSL_CUDA_WORDS_H */
