/*
 * walk.c - the elements of a view, in order, into dense memory
 */
#include "walk.h"

/* Where a walk over the rows of a view stands. */
struct cursor {
	int64_t index[TSL_MAX_DIMS + 1]; /* of the dims outside the rows */
	int64_t row; /* in the innermost dim but one */
	int64_t column; /* in the innermost dim */
	int64_t offset; /* bytes, of row 0, column 0 at this index */
};

struct tsl_rows
tsl_view_rows(const struct tsl_view *v)
{
	int d = v->ndim;
	struct tsl_rows r = { 1, 0, 1, v->width, 0 };

	if (d >= 1) {
		r.length = v->dim[d - 1];
		r.step = v->stride[d - 1];
	}
	if (d >= 2) {
		r.count = v->dim[d - 2];
		r.stride = v->stride[d - 2];
		r.outer = d - 2;
	}
	return r;
}

static void
seek(struct cursor *c, const struct tsl_view *v, const struct tsl_rows *r,
     int64_t element)
{
	c->column = element % r->length;
	element /= r->length;
	c->row = element % r->count;
	element /= r->count;
	c->offset = v->offset;
	for (int i = r->outer - 1; i >= 0; i--) {
		c->index[i] = element % v->dim[i];
		c->offset += c->index[i] * v->stride[i];
		element /= v->dim[i];
	}
}

static void
next_outer(struct cursor *c, const struct tsl_view *v, int outer)
{
	c->row = 0;
	for (int i = outer - 1; i >= 0; i--) {
		c->offset += v->stride[i];
		if (++c->index[i] < v->dim[i])
			return;
		c->offset -= v->dim[i] * v->stride[i];
		c->index[i] = 0;
	}
}

static int64_t
min(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* As many elements from where 'c' stands as one kernel call can take. */
static int64_t
fill_rows(tsl_kernel *kernel, struct cursor *c, const struct tsl_rows *r,
	  int64_t left, const char *in, int64_t lo, char *dst)
{
	/* Added up before it is a pointer: parts of it may lie outside. */
	const char *src = in + (c->offset + c->row * r->stride +
				c->column * r->step - lo);
	int64_t rows = 1;
	int64_t n = min(left, r->length - c->column);

	if (c->column == 0 && n == r->length)
		rows = min(left / n, r->count - c->row);
	kernel(dst, src, rows, r->stride, n, r->step);
	c->column += n;
	if (c->column == r->length) {
		c->column = 0;
		c->row += rows;
	}
	return rows * n;
}

void
tsl_view_fill(const struct tsl_view *v, tsl_kernel *kernel, int64_t first,
	      int64_t n, const char *in, int64_t lo, char *dst)
{
	const struct tsl_rows r = tsl_view_rows(v);
	struct cursor c;

	seek(&c, v, &r, first);
	while (n > 0) {
		int64_t done;

		if (c.row == r.count)
			next_outer(&c, v, r.outer);
		done = fill_rows(kernel, &c, &r, n, in, lo, dst);
		dst += done * v->width;
		n -= done;
	}
}
