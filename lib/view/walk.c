/*
 * walk.c - the elements of a view, in order, into memory
 *
 * Two of the dims are handed to a kernel, plane by plane: the innermost one,
 * whose elements are neighbours in the output, and one more.  That is the dim
 * whose elements are neighbours in the input, if there is such a one, so that
 * the kernel can go through both in tiles, with the dim that continues it where
 * it is short; otherwise the next.
 */
#include "walk.h"

#include "lib/base/minmax.h"
#include "lib/kernel/kernel.h"

#include <string.h>

/* The dims that no kernel takes, outermost first. */
struct outer {
	int n;
	int64_t dim[TSL_MAX_DIMS + 1];
	int64_t stride[TSL_MAX_DIMS + 1], dst_stride[TSL_MAX_DIMS + 1];
};

/* Rows of elements in source and destination. */
struct plane {
	int64_t rows, stride, dst_stride;
	int64_t length, step;
	tsl_kernel *kernel; /* NULL: tiles */
	/* Of tiles: so many times the rows, each going on where one ends. */
	int64_t more, more_stride;
};

/* Cache lines that stay in the first cache need no tiles. */
#define MIN_LINES 512

/* Rows of fewer elements make tiles too narrow to gain. */
#define MIN_WIDTH 16

/* Elements a side of a tile of rows that are put in their places one by one. */
#define TILE 64
#define MAX_WIDTH 16 /* bytes of an element */

void
tsl_view_dense(const struct tsl_view *v, int64_t stride[])
{
	int64_t nbytes = v->width;

	for (int i = v->ndim - 1; i >= 0; i--) {
		stride[i] = nbytes;
		nbytes *= v->dim[i];
	}
}

/*
 * The dim whose elements are neighbours in memory, or -1 if there is none, or
 * if walking along the rows is as good: that way a view comes back for the next
 * byte of a cache line only after all dims inside this one.
 */
static int
find_tiled(const struct tsl_view *v)
{
	int inner = v->ndim - 1;
	int64_t lines = 1;

	for (int i = inner; i >= 0; i--) {
		if (v->dim[i] > 1 && tsl_magnitude(v->stride[i]) == v->width)
			return i == inner - 1 || (i < inner &&
						  lines >= MIN_LINES &&
						  v->dim[inner] >= MIN_WIDTH)
				       ? i
				       : -1;
		lines *= v->dim[i];
	}
	return -1;
}

/*
 * The dim whose elements follow those of a tiled one, or -1: rows so few that
 * tiles of them alone would be too low.
 */
static int
find_more(const struct tsl_view *v, int tiled)
{
	int64_t end = v->dim[tiled] * v->width;

	if (v->dim[tiled] >= TILE || v->stride[tiled] < 0 ||
	    v->dim[v->ndim - 1] < MIN_WIDTH)
		return -1;
	for (int i = v->ndim - 2; i >= 0; i--)
		if (v->dim[i] > 1 && v->stride[i] == end)
			return i;
	return -1;
}

static struct plane
split(const struct tsl_view *v, const int64_t dst_stride[], struct outer *outer)
{
	struct plane p = { 1, 0, 0, 1, v->width, NULL, 1, 0 };
	int tiled = find_tiled(v);
	int more = tiled >= 0 ? find_more(v, tiled) : -1;
	int rows = tiled >= 0 ? tiled : v->ndim - 2;

	outer->n = 0;
	for (int i = 0; i < v->ndim; i++) {
		if (i == v->ndim - 1) {
			p.length = v->dim[i];
			p.step = v->stride[i];
		} else if (i == rows) {
			p.rows = v->dim[i];
			p.stride = v->stride[i];
			p.dst_stride = dst_stride[i];
		} else if (i == more) {
			p.more = v->dim[i];
			p.more_stride = dst_stride[i];
		} else {
			outer->dim[outer->n] = v->dim[i];
			outer->stride[outer->n] = v->stride[i];
			outer->dst_stride[outer->n++] = dst_stride[i];
		}
	}
	if (tiled < 0)
		p.kernel = tsl_kernel_for(v->width, p.step, p.stride, p.length);
	return p;
}

/* Moves on to the next plane; false after the last. */
static bool
next(const struct outer *outer, int64_t index[], int64_t *offset, int64_t *to)
{
	for (int i = outer->n - 1; i >= 0; i--) {
		*offset += outer->stride[i];
		*to += outer->dst_stride[i];
		if (++index[i] < outer->dim[i])
			return true;
		*offset -= outer->dim[i] * outer->stride[i];
		*to -= outer->dim[i] * outer->dst_stride[i];
		index[i] = 0;
	}
	return false;
}

/* A call takes as long as copying a cache line or two. */
static void
copy_row(char *dst, const char *src, int64_t nbytes)
{
	if (nbytes == 64)
		memcpy(dst, src, 64);
	else if (nbytes == 128)
		memcpy(dst, src, 128);
	else
		memcpy(dst, src, (size_t)nbytes);
}

/* One tile, whose rows are then copied, each to its place. */
static void
fill_tile(const struct plane *p, int64_t width, const char *src, char *dst,
	  int64_t r, int64_t c)
{
	char tile[TILE * TILE * MAX_WIDTH];
	int64_t rows = tsl_min(p->rows * p->more - r, TILE);
	int64_t n = tsl_min(p->length - c, TILE);
	int64_t major = r / p->rows, minor = r % p->rows;

	tsl_tile_kernel_for(width)(tile, n * width,
				   src + (r * width + c * p->step), rows, width,
				   n, p->step);
	for (int64_t i = 0; i < rows; i++) {
		copy_row(dst + (major * p->more_stride + minor * p->dst_stride +
				c * width),
			 tile + i * n * width, n * width);
		if (++minor == p->rows) {
			minor = 0;
			major++;
		}
	}
}

static void
fill_tiles(const struct plane *p, int64_t width, const char *src, char *dst)
{
	if (p->more == 1) {
		tsl_tile_kernel_for(width)(dst, p->dst_stride, src, p->rows,
					   p->stride, p->length, p->step);
		return;
	}
	for (int64_t c = 0; c < p->length; c += TILE)
		for (int64_t r = 0; r < p->rows * p->more; r += TILE)
			fill_tile(p, width, src, dst, r, c);
}

/* A kernel writes rows one behind the other; where they are not, a row. */
static void
fill_rows(const struct plane *p, int64_t width, const char *src, char *dst)
{
	if (p->rows == 1 || p->dst_stride == p->length * width) {
		p->kernel(dst, src, p->rows, p->stride, p->length, p->step);
		return;
	}
	for (int64_t r = 0; r < p->rows; r++)
		p->kernel(dst + r * p->dst_stride, src + r * p->stride, 1, 0,
			  p->length, p->step);
}

void
tsl_view_fill(const struct tsl_view *v, const int64_t dst_stride[],
	      const char *in, int64_t lo, char *dst)
{
	int64_t index[TSL_MAX_DIMS + 1] = { 0 };
	struct outer outer;
	struct plane p = split(v, dst_stride, &outer);
	/* Added up before it is a pointer: parts of it may lie outside. */
	int64_t offset = v->offset - lo;
	int64_t to = 0;

	do
		(p.kernel ? fill_rows : fill_tiles)(&p, v->width, in + offset,
						    dst + to);
	while (next(&outer, index, &offset, &to));
}
