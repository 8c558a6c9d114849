/*
 * tile.c - transposed access: neighbours of a column are neighbours in
 * memory
 *
 * Walking along the rows would take one element from each cache line and come
 * back for the next when the line is gone.  So a tile is read column by
 * column into a buffer that stays in the first cache, and written from there
 * row by row: with rows or columns a power of two apart, elements taken from
 * or put straight to their places would evict each other.
 */
#include "lib/base/minmax.h"
#include "types.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* ---- reading columns ----------------------------------------------------- */

/* n columns of one to two times 'piece' bytes, in pieces that may overlap. */
ALWAYS_INLINE void
read_pieces(char *to, int64_t pitch, const char *src, int64_t n, int64_t step,
	    int64_t nbytes, int64_t piece)
{
	for (int64_t c = 0; c < n; c++) {
		memcpy(to, src, (size_t)piece);
		memcpy(to + nbytes - piece, src + nbytes - piece,
		       (size_t)piece);
		to += pitch;
		src += step;
	}
}

/* A call of memcpy() for each column hides too few misses of the cache. */
static void
read_columns(char *to, int64_t pitch, const char *src, int64_t n, int64_t step,
	     int64_t nbytes)
{
	if (nbytes == 256)
		read_pieces(to, pitch, src, n, step, 256, 128);
	else if (nbytes == 128)
		read_pieces(to, pitch, src, n, step, 128, 64);
	else if (nbytes == 64)
		read_pieces(to, pitch, src, n, step, 64, 32);
	else if (nbytes > 64)
		for (int64_t c = 0; c < n; c++)
			memcpy(to + c * pitch, src + c * step, (size_t)nbytes);
	else if (nbytes >= 32)
		read_pieces(to, pitch, src, n, step, nbytes, 32);
	else if (nbytes >= 16)
		read_pieces(to, pitch, src, n, step, nbytes, 16);
	else if (nbytes >= 8)
		read_pieces(to, pitch, src, n, step, nbytes, 8);
	else if (nbytes >= 4)
		read_pieces(to, pitch, src, n, step, nbytes, 4);
	else if (nbytes >= 2)
		read_pieces(to, pitch, src, n, step, nbytes, 2);
	else if (nbytes == 1)
		read_pieces(to, pitch, src, n, step, nbytes, 1);
}

/* ---- writing rows -------------------------------------------------------- */

/*
 * A tile's part of a row is a few cache lines, those of the next row are far
 * away.  Where the last cache cannot hold them until they are complete, and
 * are written to the file, each store would wait for its line to be read from
 * memory first.  Stores past the caches do not, and are 3 to 4 times as fast;
 * but only of whole lines.
 */
#define LINE 64
#define TOO_FAR ((int64_t)12 * 1024 * 1024)

typedef void put_row(char *dst, const char *row, int64_t nbytes);

ALWAYS_INLINE void
copy_row(char *dst, const char *row, int64_t nbytes)
{
	memcpy(dst, row, (size_t)nbytes);
}

#ifdef __SSE2__
ALWAYS_INLINE void
stream_row(char *dst, const char *row, int64_t nbytes)
{
	for (int64_t i = 0; i < nbytes; i += 16)
		_mm_stream_si128(
			(__m128i *)(void *)(dst + i),
			_mm_loadu_si128(
				(const __m128i *)(const void *)(row + i)));
}

static bool
is_to_be_streamed(const char *dst, int64_t dst_stride, int64_t rows)
{
	return (dst_stride < 0 ? -dst_stride : dst_stride) * rows >= TOO_FAR &&
	       ((uintptr_t)dst | (uintptr_t)dst_stride) % LINE == 0;
}

/* Nobody is to see later stores earlier. */
#define END_STREAM() _mm_sfence()
#else
#define stream_row copy_row
#define is_to_be_streamed(dst, dst_stride, rows) false
#define END_STREAM() (void)0
#endif

/* ---- elements of 1, 2 and 4 bytes: squares within vectors ---------------- */

/*
 * Elements of a row in a tile, and bytes of a column: a few cache lines, as the
 * processor fetches the next ones unasked, which columns a power of two apart
 * would have evicted before they are wanted.
 */
#define SIDE 64
#define COLUMN 256

/*
 * mix_u<w>(): vectors i and i + count/2 interleaved are 2i and 2i + 1.  Done
 * as many times as there are bits in a vector's number, that turns the number
 * of a vector and of an element in it round: a square of count x count
 * elements is transposed.  SSE2 has these shuffles; AVX2 gains nothing.
 *
 * square_u<w>() transposes one from a tile's columns to rows of SIDE elements.
 */
#define SQUARES(w, bits, count, low, high, ...)                           \
	typedef uint##bits##_t vec_u##w __attribute__((vector_size(16))); \
                                                                          \
	ALWAYS_INLINE void mix_u##w(vec_u##w *restrict to,                \
				    const vec_u##w *restrict from)        \
	{                                                                 \
		for (int i = 0; i < (count) / 2; i++) {                   \
			vec_u##w a = from[i], b = from[i + (count) / 2];  \
                                                                          \
			to[2 * i] = SHUFFLE(vec_u##w, a, b, low);         \
			to[2 * i + 1] = SHUFFLE(vec_u##w, a, b, high);    \
		}                                                         \
	}                                                                 \
                                                                          \
	ALWAYS_INLINE void square_u##w(char *dst, const char *src)        \
	{                                                                 \
		vec_u##w a[count], b[count];                              \
                                                                          \
		for (int i = 0; i < (count); i++)                         \
			memcpy(&a[i], src + i * COLUMN, 16);              \
		__VA_ARGS__;                                              \
		for (int i = 0; i < (count); i++)                         \
			memcpy(dst + i * SIDE * (w), &a[i], 16);          \
	}

#define LIST(...) __VA_ARGS__
SQUARES(1, 8, 16, LIST(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23),
	LIST(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31),
	mix_u1(b, a), mix_u1(a, b), mix_u1(b, a), mix_u1(a, b))
SQUARES(2, 16, 8, LIST(0, 8, 1, 9, 2, 10, 3, 11),
	LIST(4, 12, 5, 13, 6, 14, 7, 15), mix_u2(b, a), mix_u2(a, b),
	mix_u2(b, a), memcpy(a, b, sizeof(a)))
SQUARES(4, 32, 4, LIST(0, 4, 1, 5), LIST(2, 6, 3, 7), mix_u4(b, a),
	mix_u4(a, b))

/*
 * Whole squares are transposed, and no more of them written than is there.
 */
#define SQUARE_TILE(w, count)                                                 \
	ALWAYS_INLINE void any_tile_u##w(                                     \
		char *dst, int64_t dst_stride, const char *src, int64_t rows, \
		int64_t n, int64_t step, put_row *put)                        \
	{                                                                     \
		char columns[SIDE * COLUMN], strip[(count)*SIDE * (w)];       \
                                                                              \
		read_columns(columns, COLUMN, src, n, step, rows *(w));       \
		for (ptrdiff_t r = 0; r < rows; r += (count)) {               \
			int64_t end = tsl_min(rows - r, count);               \
                                                                              \
			for (ptrdiff_t c = 0; c < n; c += (count))            \
				square_u##w(strip + c * (w),                  \
					    columns + c * COLUMN + r * (w));  \
			for (ptrdiff_t i = 0; i < end; i++)                   \
				put(dst + (r + i) * dst_stride,               \
				    strip + i * SIDE * (w), n * (w));         \
		}                                                             \
	}

SQUARE_TILE(1, 16)
SQUARE_TILE(2, 8)
SQUARE_TILE(4, 4)

/* ---- wider elements one by one ------------------------------------------- */

#define WIDE_TILE(w, width)                                                    \
	ALWAYS_INLINE void any_tile_u##w(                                      \
		char *dst, int64_t dst_stride, const char *src, int64_t rows,  \
		int64_t n, int64_t step, put_row *put)                         \
	{                                                                      \
		any_u##w columns[width][COLUMN / (w)], row[width];             \
                                                                               \
		read_columns((char *)columns, sizeof(columns[0]), src, n,      \
			     step, rows *(w));                                 \
		for (ptrdiff_t r = 0; r < rows; r++) {                         \
			for (ptrdiff_t c = 0; c < n; c++)                      \
				row[c] = columns[c][r];                        \
			put(dst + r * dst_stride, (const char *)row, n * (w)); \
		}                                                              \
	}

WIDE_TILE(8, 16)
WIDE_TILE(16, 16)

/* ---- columns close to each other ----------------------------------------- */

/* What lies between the ends of a strip stays in the first cache. */
#define STRIP (16 * 1024)
#define MAX_STRIP_STEP 512
#define MANY_ROWS 16

/*
 * Where the elements of one row are that close, strips of rows can be taken
 * one after the other, unless tiles are filled well and make for fewer
 * instructions, or for stores past the caches.
 */
static bool
is_strips(int64_t width, int64_t rows, int64_t step)
{
	return step != 0 && step <= MAX_STRIP_STEP && step >= -MAX_STRIP_STEP &&
	       (width >= 4 ? rows < MANY_ROWS : rows * width < 8);
}

static void
strips(TILE_ARGS, int64_t width)
{
	int64_t length = rows == 1 ? n : STRIP / (step < 0 ? -step : step);
	tsl_kernel *kernel = tsl_row_kernel_for(width, step, length);

	for (int64_t c = 0; c < n; c += length)
		for (int64_t r = 0; r < rows; r++)
			kernel(dst + (r * dst_stride + c * width),
			       src + (r * row_stride + c * step), 1, 0,
			       tsl_min(n - c, length), step);
}

/* ---- all tiles of a panel ------------------------------------------------ */

/* Rows of whole tiles are the rule: for them their length is constant. */
#define TILES(w, width)                                                        \
	static void tile_u##w(char *dst, int64_t dst_stride, const char *src,  \
			      int64_t rows, int64_t n, int64_t step,           \
			      bool streams)                                    \
	{                                                                      \
		if (n < (width))                                               \
			any_tile_u##w(dst, dst_stride, src, rows, n, step,     \
				      copy_row);                               \
		else if (streams)                                              \
			any_tile_u##w(dst, dst_stride, src, rows, width, step, \
				      stream_row);                             \
		else                                                           \
			any_tile_u##w(dst, dst_stride, src, rows, width, step, \
				      copy_row);                               \
	}                                                                      \
                                                                               \
	static void tiles_u##w(TILE_ARGS)                                      \
	{                                                                      \
		bool streams = is_to_be_streamed(dst, dst_stride, rows);       \
                                                                               \
		if (tsl_interleave_tile(dst, dst_stride, src, rows,            \
					row_stride, n, step, w))               \
			return;                                                \
		if (rows == 1 || is_strips(w, rows, step)) {                   \
			strips(dst, dst_stride, src, rows, row_stride, n,      \
			       step, w);                                       \
			return;                                                \
		}                                                              \
		if (row_stride < 0) { /* upside down: columns grow upwards */  \
			src += (rows - 1) * row_stride;                        \
			dst += (rows - 1) * dst_stride;                        \
			dst_stride = -dst_stride;                              \
		}                                                              \
		for (int64_t c = 0; c < n; c += (width))                       \
			for (int64_t r = 0; r < rows; r += COLUMN / (w))       \
				tile_u##w(dst + (r * dst_stride + c * (w)),    \
					  dst_stride,                          \
					  src + (r * (w) + c * step),          \
					  tsl_min(rows - r, COLUMN / (w)),     \
					  n - c, step, streams);               \
		if (streams)                                                   \
			END_STREAM();                                          \
	}                                                                      \
                                                                               \
	static void transpose_u##w(KERNEL_ARGS)                                \
	{                                                                      \
		tiles_u##w(dst, n *(w), src, rows, row_stride, n, step);       \
	}

TILES(1, SIDE)
TILES(2, SIDE)
TILES(4, SIDE)
TILES(8, 16)
TILES(16, 16)

tsl_tile_kernel *
tsl_tile_kernel_for(int64_t width)
{
	static tsl_tile_kernel *const kernels[] = { tiles_u1, tiles_u2,
						    tiles_u4, tiles_u8,
						    tiles_u16 };

	return kernels[__builtin_ctzll((unsigned long long)width)];
}

tsl_kernel *
tsl_transpose_kernel_for(int64_t width)
{
	static tsl_kernel *const kernels[] = { transpose_u1, transpose_u2,
					       transpose_u4, transpose_u8,
					       transpose_u16 };

	return kernels[__builtin_ctzll((unsigned long long)width)];
}
