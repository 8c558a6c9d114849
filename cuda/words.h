/*
 * words.h - units of short rows, in order, a word of output at a time
 *
 * A word is of four bytes, or a wider unit.  The neighbours of a thread make
 * the words beside it, so that what they load lies together.
 *
 * WHERE says where a row begins; see slice.cu and gather.cu.
 */
#ifndef TSL_CUDA_WORDS_H
#define TSL_CUDA_WORDS_H

#include "cuda/chunk.h"

/* What is the same of all rows; kept in registers. */
struct row_shape {
	int64_t stride;
	int64_t gap; /* from the end of a row to the next of its dim */
	uint32_t count;
};

template <typename T, typename WHERE> struct word_of_rows {
	static constexpr int per = sizeof(T) < 4 ? 4 / (int)sizeof(T) : 1;
	static constexpr int bits = per > 1 ? 8 * (int)sizeof(T) : 0;
	typedef typename unit_of<sizeof(T) < 4 ? 4 : sizeof(T)>::type word;

	place p = { nullptr, 0, 0, false };
	word w = 0;
	unsigned here = 0; /* bit k: unit k is */

	/* Unit k of the word, which is unit i of all. */
	__device__ void
	append(const tsl_cuda_view_args &a, const row_shape &row, uint32_t i,
	       int k)
	{
		if (i >= (uint32_t)a.n)
			return;
		if (p.left == 0)
			WHERE::next_row(a, row, i, &p);
		p.left--;
		here |= (unsigned)p.here << k;
		if (WHERE::everywhere || (p.here && p.at)) {
			w |= (word)load<T>(p.at) << k * bits;
			p.at += row.stride;
		}
	}

	__device__ void
	put(char *out) const
	{
		if (here == (1u << per) - 1) {
			store(out, w);
			return;
		}
		NO_UNROLL
		for (int k = 0; here >> k; k++)
			if (here >> k & 1)
				store(out + k * (int)sizeof(T),
				      (T)(w >> k * bits));
	}
};

/* Four words at once: so many loads are on their way together. */
template <typename T, typename WHERE>
static __device__ inline void
make_words(const tsl_cuda_view_args &a)
{
	typedef word_of_rows<T, WHERE> word;
	const tsl_cuda_dim &last = a.dim[a.ndim - 1];
	const row_shape row = { last.stride,
				a.dim[a.ndim - 2].stride -
					last.by.count * last.stride,
				(uint32_t)last.by.count };
	/* Less than 2^31 units, and by is not much more than their 16th. */
	uint32_t by = (uint32_t)thread_count() * word::per;
	uint32_t i = (uint32_t)thread_number() * word::per;

	NO_UNROLL
	for (; i < (uint32_t)a.n; i += 4 * by) {
		word v[4];

		NO_UNROLL
		for (int k = 0; k < word::per; k++) {
			UNROLL
			for (int j = 0; j < 4; j++)
				v[j].append(a, row, i + j * by + k, k);
		}
		UNROLL
		for (int j = 0; j < 4; j++)
			v[j].put(a.out +
				 (int64_t)(i + j * by) * (int)sizeof(T));
	}
}

#endif /* TSL_CUDA_WORDS_H */
