/*
 * print.c - a result as text, laid out as NumPy prints an array
 */
#include "print.h"

#include "element.h"
#include "lib/base/shape.h"
#include "npyio/transfer/peek.h"
#include "npyio/transfer/prove.h"

#include <stdlib.h>
#include <string.h>

/* NumPy's print options. */
#define LINE_WIDTH 75
#define THRESHOLD 1000 /* elements, above which only the edges are shown */
#define EDGE_ITEMS 3

/* With many short axes nothing is cut, and the edges are nearly all. */
#define MAX_SHOWN 1000000

#define FLUSH_AT (64 * 1024)

struct printer {
	struct npyio_writer *to;
	struct npyio_peek peek;
	const struct tsl_array *a;
	int64_t stride[TSL_MAX_DIMS]; /* bytes, in the output */
	bool summary;
	struct element_format format;
	char *element; /* bytes of one */
	struct npyio_text word; /* text of one */
	struct npyio_text out;
	int64_t written; /* bytes flushed */
	int column;
	enum tsl_status status;
	struct tsl_error *err;
};

/* ---- visiting what is shown ---------------------------------------------- */

static bool
is_cut(const struct printer *p, int axis)
{
	return p->summary && p->a->dim[axis] > 2 * EDGE_ITEMS;
}

/* The index shown after i: behind the first few, the last few. */
static int64_t
next_shown(const struct printer *p, int axis, int64_t i)
{
	if (is_cut(p, axis) && i == EDGE_ITEMS - 1)
		return p->a->dim[axis] - EDGE_ITEMS;
	return i + 1;
}

static bool
fetch(struct printer *p, int64_t offset)
{
	if (!p->status)
		p->status = npyio_peek(&p->peek, offset / p->a->dtype.size,
				       p->element, p->err);
	return !p->status;
}

static void
measure(struct printer *p, int axis, int64_t offset, int pass)
{
	if (axis == p->a->ndim) {
		if (fetch(p, offset))
			element_measure(&p->format, pass, p->element);
		return;
	}
	for (int64_t i = 0; i < p->a->dim[axis] && !p->status;
	     i = next_shown(p, axis, i))
		measure(p, axis + 1, offset + i * p->stride[axis], pass);
}

/* ---- writing ------------------------------------------------------------- */

static void
flush(struct printer *p)
{
	if (!npyio_text_ok(&p->out))
		p->status = tsl_fail(p->err, TSL_EMEMORY, "out of memory");
	if (p->status || p->out.len == 0)
		return;
	p->status = npyio_writer_put(p->to, p->out.s, p->out.len, p->written,
				     p->err);
	p->written += (int64_t)p->out.len;
	npyio_text_cut(&p->out, 0);
}

static void
put(struct printer *p, const char *s)
{
	npyio_text_puts(&p->out, s);
	p->column += (int)strlen(s);
}

static void
new_line(struct printer *p, int newlines, int indent)
{
	/* Blanks stay only within a line. */
	while (p->out.len > 0 && p->out.s[p->out.len - 1] == ' ')
		npyio_text_cut(&p->out, p->out.len - 1);
	while (newlines-- > 0)
		npyio_text_puts(&p->out, "\n");
	npyio_text_printf(&p->out, "%*s", indent, "");
	p->column = indent;
}

/* Characters, not bytes: what follows the first byte of one does not count. */
static int
columns(const char *s)
{
	int n = 0;

	for (; *s; s++)
		n += (*s & 0xC0) != 0x80;
	return n;
}

/* Puts a word on the line, or on the next where that helps. */
static void
put_word(struct printer *p, const char *word, int indent, int line_width)
{
	int n = columns(word);

	if (p->column + n > line_width && p->column > indent)
		new_line(p, 1, indent);
	npyio_text_puts(&p->out, word);
	p->column += n;
	/* Not behind a blank, which may yet have to go. */
	if (p->out.len > FLUSH_AT)
		flush(p);
}

static void
put_element(struct printer *p, int64_t offset, int indent, int line_width)
{
	if (!fetch(p, offset))
		return;
	npyio_text_cut(&p->word, 0);
	element_write(&p->format, p->element, &p->word);
	if (!npyio_text_ok(&p->word))
		p->status = tsl_fail(p->err, TSL_EMEMORY, "out of memory");
	else if (p->word.s)
		put_word(p, p->word.s, indent, line_width);
}

static void
put_row(struct printer *p, int64_t offset)
{
	int axis = p->a->ndim - 1;
	/* A bracket for each axis ends the line at the most. */
	int width = LINE_WIDTH - p->a->ndim;
	int64_t n = p->a->dim[axis];

	for (int64_t i = 0; i < n && !p->status;) {
		int64_t next = next_shown(p, axis, i);

		put_element(p, offset + i * p->stride[axis], p->a->ndim, width);
		if (next < n)
			put(p, " ");
		if (next > i + 1) {
			put_word(p, "...", p->a->ndim, width);
			put(p, " ");
		}
		i = next;
	}
}

static void
put_axis(struct printer *p, int axis, int64_t offset)
{
	int64_t n = p->a->dim[axis];

	put(p, "[");
	if (axis == p->a->ndim - 1)
		put_row(p, offset);
	for (int64_t i = 0; axis < p->a->ndim - 1 && i < n && !p->status;) {
		int64_t next = next_shown(p, axis, i);
		int newlines = p->a->ndim - 1 - axis;

		put_axis(p, axis + 1, offset + i * p->stride[axis]);
		if (next < n)
			new_line(p, newlines, axis + 1);
		if (next > i + 1) {
			put(p, "...");
			new_line(p, newlines, axis + 1);
		}
		i = next;
	}
	put(p, "]");
}

static void
print_all(struct printer *p)
{
	for (int pass = 0; pass < ELEMENT_PASSES; pass++)
		measure(p, 0, 0, pass);
	if (p->a->ndim == 0)
		put_element(p, 0, 0, LINE_WIDTH);
	else
		put_axis(p, 0, 0);
}

/* How many elements would be shown, or a little more than MAX_SHOWN. */
static int64_t
count_shown(const struct printer *p)
{
	int64_t n = 1;

	for (int i = 0; i < p->a->ndim; i++) {
		n *= is_cut(p, i) ? 2 * EDGE_ITEMS : p->a->dim[i];
		if (n > MAX_SHOWN)
			break;
	}
	return n;
}

/* Its names are printable as they stand: they are as Python shows them. */
static void
print_overview(struct printer *p)
{
	struct tsl_shape shape = tsl_shape_of(p->a);
	char text[TSL_SHAPE_TEXT];
	int len;
	const char *dtype = tsl_dtype_name(&p->a->dtype, &len);

	tsl_shape_format(&shape, text);
	npyio_text_printf(&p->out, "%s  %.*s\n", text, len, dtype);
}

static void
print_array(struct printer *p)
{
	if (tsl_array_count(p->a) == 0)
		put(p, "[]");
	else
		print_all(p);
	put(p, "\n");
	flush(p);
}

enum tsl_status
print_job(const struct npyio_transfer *t, bool overview, struct tsl_error *err)
{
	const struct tsl_array *a = &t->job->out;
	struct printer p = { .to = t->out, .a = a, .err = err };

	p.summary = tsl_array_count(a) > THRESHOLD;
	if (tsl_array_count(a) > 0 && count_shown(&p) > MAX_SHOWN)
		return tsl_fail(err, TSL_ETOO_LARGE,
				"more elements than anybody would read: even "
				"the edges of the result have over %d",
				MAX_SHOWN);
	tsl_array_strides(a, p.stride);
	element_format_init(&p.format, &a->dtype, a->ndim == 0);
	/* What is shown of a summary is a part. */
	if (!p.summary)
		p.status = npyio_prove(t, err);
	/* First, so that an element's size is no longer only a claim. */
	if (!p.status)
		p.status = npyio_peek_init(&p.peek, t, err);
	if (!p.status) {
		p.element = malloc(a->dtype.size ? (size_t)a->dtype.size : 1);
		if (!p.element)
			p.status = tsl_fail(err, TSL_EMEMORY, "out of memory");
	}
	if (!p.status && overview)
		print_overview(&p);
	if (!p.status)
		print_array(&p);
	npyio_peek_close(&p.peek);
	free(p.element);
	npyio_text_free(&p.word);
	npyio_text_free(&p.out);
	return p.status;
}
