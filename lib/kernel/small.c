/*
 * small.c - rows of few elements
 *
 * A loop over three or four elements costs more than moving them.  Here a row
 * is one or two moves of constant size, or many rows are moved at once.  A
 * kernel that is handed rows of another length, as at the ends of a range,
 * leaves them to one for any length.
 */
#include "lib/base/minmax.h"
#include "types.h"

#include <stdbool.h>
#include <string.h>

/* ---- bytes side by side, from 'size' to twice 'size' of them ------------- */

/* Two pieces, which overlap where a row is shorter than both. */
#define TWO_PIECES(size)                                                 \
	static void pieces_##size(KERNEL_ARGS)                           \
	{                                                                \
		int64_t nbytes = n * step;                               \
		int64_t second = nbytes - (size);                        \
                                                                         \
		if (second < 0 || second > (size)) {                     \
			tsl_memcpy_kernel(dst, src, rows, row_stride, n, \
					  step);                         \
			return;                                          \
		}                                                        \
		for (int64_t r = 0; r < rows; r++) {                     \
			memcpy(dst, src, size);                          \
			memcpy(dst + second, src + second, size);        \
			dst += nbytes;                                   \
			src += row_stride;                               \
		}                                                        \
	}

TWO_PIECES(2)
TWO_PIECES(4)
TWO_PIECES(8)
TWO_PIECES(16)
TWO_PIECES(32)

/* Above this memcpy() is as fast. */
#define MAX_PIECES 64

static tsl_kernel *
pieces_for(int64_t nbytes)
{
	static tsl_kernel *const kernels[] = { pieces_2, pieces_4, pieces_8,
					       pieces_16, pieces_32 };
	int k = 0;

	while (k < 4 && nbytes > 4 << k)
		k++;
	return kernels[k];
}

/* ---- a constant number of elements, any step ----------------------------- */

#define EXACTLY(w, count)                                                     \
	static void exactly_##count##_u##w(KERNEL_ARGS)                       \
	{                                                                     \
		if (n != (count)) {                                           \
			tsl_step_kernel_for(w)(dst, src, rows, row_stride, n, \
					       step);                         \
			return;                                               \
		}                                                             \
		for (int64_t r = 0; r < rows; r++) {                          \
			const char *restrict s = src + r * row_stride;        \
			any_u##w *restrict d =                                \
				(any_u##w *)(void *)dst + r * (count);        \
                                                                              \
			for (ptrdiff_t i = 0; i < (count); i++)               \
				d[i] = *(const any_u##w                       \
						 *)(const void *)(s +         \
								  i * step);  \
		}                                                             \
	}

#define COUNTS(w)     \
	EXACTLY(w, 2) \
	EXACTLY(w, 3) \
	EXACTLY(w, 4) \
	EXACTLY(w, 5) \
	EXACTLY(w, 6) \
	EXACTLY(w, 7) \
	EXACTLY(w, 8)

COUNTS(1)
COUNTS(2)
COUNTS(4)
COUNTS(8)
COUNTS(16)

#define MAX_COUNT 8

static tsl_kernel *
exactly_for(int64_t n, int64_t width)
{
#define KERNELS(w)                                                      \
	{                                                               \
		exactly_2_u##w, exactly_3_u##w, exactly_4_u##w,         \
			exactly_5_u##w, exactly_6_u##w, exactly_7_u##w, \
			exactly_8_u##w                                  \
	}
	static tsl_kernel *const kernels[][MAX_COUNT - 1] = {
		KERNELS(1), KERNELS(2), KERNELS(4), KERNELS(8), KERNELS(16)
	};

	return kernels[__builtin_ctzll((unsigned long long)width)][n - 2];
}

/* ---- as many rows as lie within a vector --------------------------------- */

#define VECTOR 16
typedef uint8_t vector __attribute__((vector_size(VECTOR)));

/*
 * Any bytes of 16 in any order are one instruction where AVX2 is; with the
 * SSE2 that every x86-64 has they take longer than moving them one by one.
 * clang has no portable name for that.
 */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define HAVE_GROUPS tsl_have_avx2()
#define reorder(v, order) __builtin_shuffle(v, order)
#else
#define HAVE_GROUPS false
ALWAYS_INLINE vector
reorder(vector v, vector order)
{
	for (int j = 0; j < VECTOR; j++)
		order[j] = v[order[j]];
	return order;
}
#endif

/* Some rows, and where their bytes lie, relative to the first element. */
struct group {
	int64_t rows;
	int64_t lo, hi;
};

static struct group
group_of(int64_t rows, int64_t row_stride, int64_t n, int64_t step,
	 int64_t width)
{
	int64_t down = (rows - 1) * row_stride;
	int64_t along = (n - 1) * step;

	return (struct group){ rows, tsl_min(down, 0) + tsl_min(along, 0),
			       tsl_max(down, 0) + tsl_max(along, 0) + width };
}

/* As many rows as lie within a vector; none if not even one does. */
static struct group
largest_group(int64_t row_stride, int64_t n, int64_t step, int64_t width)
{
	struct group g = { 0, 0, 0 };

	for (int64_t rows = 1; rows * n * width <= VECTOR; rows++) {
		struct group next = group_of(rows, row_stride, n, step, width);

		if (next.hi - next.lo > VECTOR)
			break;
		g = next;
	}
	return g;
}

/* Which byte, from g's lowest, is each byte of what is written. */
static vector
order_of(const struct group *g, int64_t row_stride, int64_t n, int64_t step,
	 int64_t width)
{
	uint8_t order[VECTOR] = { 0 };
	vector v;
	int j = 0;

	for (int64_t r = 0; r < g->rows; r++)
		for (int64_t i = 0; i < n; i++)
			for (int64_t b = 0; b < width; b++)
				order[j++] = (uint8_t)(r * row_stride +
						       i * step + b - g->lo);
	memcpy(&v, order, VECTOR);
	return v;
}

/*
 * At row r, may a whole vector be read, all of it among the bytes of 'all',
 * and written?  What is written too much is written again.
 */
static bool
fits(const struct group *g, const struct group *all, int64_t r,
     int64_t row_stride, int64_t row_nbytes)
{
	int64_t from = r * row_stride + g->lo;

	return from >= all->lo && from + VECTOR <= all->hi &&
	       (all->rows - r) * row_nbytes >= VECTOR;
}

AVX2 static void
move_groups(char *dst, const char *src, int64_t ngroups, int64_t to,
	    int64_t from, vector order)
{
	for (int64_t i = 0; i < ngroups; i++) {
		vector v;

		memcpy(&v, src, VECTOR);
		v = reorder(v, order);
		memcpy(dst, &v, VECTOR);
		dst += to;
		src += from;
	}
}

/* Fewer bytes are not worth making the order of a group. */
#define MIN_GROUPS 128

static void
groups(KERNEL_ARGS, int64_t width)
{
	tsl_kernel *one_by_one = tsl_step_kernel_for(width);
	int64_t nbytes = n * width;
	struct group g = largest_group(row_stride, n, step, width);
	struct group all = group_of(rows, row_stride, n, step, width);
	int64_t first = 0, last = rows, ngroups;

	if (g.rows == 0 || rows * nbytes < MIN_GROUPS) {
		one_by_one(dst, src, rows, row_stride, n, step);
		return;
	}
	while (first < last && !fits(&g, &all, first, row_stride, nbytes))
		first++;
	while (last > first && !fits(&g, &all, last - 1, row_stride, nbytes))
		last--;
	ngroups = (last - first + g.rows - 1) / g.rows;
	one_by_one(dst, src, first, row_stride, n, step);
	move_groups(dst + first * nbytes, src + (first * row_stride + g.lo),
		    ngroups, g.rows * nbytes, g.rows * row_stride,
		    order_of(&g, row_stride, n, step, width));
	first += ngroups * g.rows;
	if (first < rows)
		one_by_one(dst + first * nbytes, src + first * row_stride,
			   rows - first, row_stride, n, step);
}

#define GROUPS(w)                                               \
	static void groups_u##w(KERNEL_ARGS)                    \
	{                                                       \
		groups(dst, src, rows, row_stride, n, step, w); \
	}

GROUPS(1)
GROUPS(2)
GROUPS(4)

/* ---- picking ------------------------------------------------------------- */

/* Measured: two elements of 8 bytes are as well moved one after the other. */
static tsl_kernel *
groups_for(int64_t width, int64_t step, int64_t row_stride, int64_t n)
{
	static tsl_kernel *const kernels[] = { groups_u1, groups_u2,
					       groups_u4 };
	struct group g;

	if (!HAVE_GROUPS || width > 4 || n * width > VECTOR)
		return NULL;
	g = largest_group(row_stride, n, step, width);
	if (g.rows == 0)
		return NULL;
	return kernels[__builtin_ctzll((unsigned long long)width)];
}

tsl_kernel *
tsl_small_kernel_for(int64_t width, int64_t step, int64_t row_stride, int64_t n)
{
	tsl_kernel *kernel;

	if (n < 2)
		return NULL;
	kernel = groups_for(width, step, row_stride, n);
	if (kernel)
		return kernel;
	if (step == width)
		return n * width <= MAX_PIECES ? pieces_for(n * width) : NULL;
	if (step == -width && width <= 8 && n * width >= VECTOR)
		return NULL; /* whole vectors */
	return n <= MAX_COUNT ? exactly_for(n, width) : NULL;
}
