/*
 * print_numpy.c - a result as text, laid out as NumPy prints an array
 */
#include "print_numpy.h"

#include "lib/base/minmax.h"
#include "lib/base/overflow.h"
#include "lib/base/shape.h"
#include "npyio/transfer/peek.h"
#include "npyio/transfer/verify_crc.h"
#include "record.h"

#include <stdlib.h>
#include <string.h>

/* With many short axes nothing is cut, and the edges are nearly all. */
#define MAX_SHOWN 1000000

#define FLUSH_AT (64 * 1024)

/* Where all are shown they are taken so many bytes at a time. */
#define BLOCK (256 * 1024)

struct printer {
	struct npyio_writer *to;
	struct npyio_peek peek;
	const struct tsl_array *a;
	int64_t stride[TSL_MAX_DIMS]; /* bytes, in the output */
	bool summary;
	struct record record;
	char *block; /* room for elements */
	int64_t capacity; /* elements */
	int64_t first, n; /* those that are in it */
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
	return p->summary && p->a->dim[axis] > 2 * PRINT_EDGE_ITEMS;
}

/* The index shown after i: behind the first few, the last few. */
static int64_t
next_shown(const struct printer *p, int axis, int64_t i)
{
	if (is_cut(p, axis) && i == PRINT_EDGE_ITEMS - 1)
		return p->a->dim[axis] - PRINT_EDGE_ITEMS;
	return i + 1;
}

/* The element that begins there in the output, or NULL. */
static const char *
fetch(struct printer *p, int64_t offset)
{
	int64_t size = p->a->dtype.size;
	int64_t i = size ? offset / size : 0;

	if (!p->status && (i < p->first || i >= p->first + p->n)) {
		p->first = i;
		p->n = tsl_min(p->capacity, tsl_array_count(p->a) - i);
		p->status = npyio_peek(&p->peek, i, p->n, p->block, p->err);
	}
	return p->status ? NULL : p->block + (i - p->first) * size;
}

static void
measure(struct printer *p, int axis, int64_t offset, int pass)
{
	if (axis == p->a->ndim) {
		const char *element = fetch(p, offset);

		if (element)
			record_measure(&p->record, pass, element);
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
		p->status = tsl_no_memory(p->err);
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
	if (p->out.len > FLUSH_AT && p->out.s[p->out.len - 1] != ' ')
		flush(p);
}

static void
put_element(struct printer *p, int64_t offset, int indent, int line_width)
{
	const char *element = fetch(p, offset);

	if (!element)
		return;
	npyio_text_cut(&p->word, 0);
	record_write(&p->record, element, &p->word);
	if (!npyio_text_ok(&p->word))
		p->status = tsl_no_memory(p->err);
	else if (p->word.s)
		put_word(p, p->word.s, indent, line_width);
}

static void
put_row(struct printer *p, int64_t offset)
{
	int axis = p->a->ndim - 1;
	/* A bracket for each axis ends the line at the most. */
	int width = PRINT_LINE_WIDTH - p->a->ndim;
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
		put_element(p, 0, 0, PRINT_LINE_WIDTH);
	else
		put_axis(p, 0, 0);
}

/* How many elements would be shown, or a little more than MAX_SHOWN. */
static int64_t
count_shown(const struct printer *p)
{
	int64_t n = 1;

	for (int i = 0; i < p->a->ndim; i++) {
		n *= is_cut(p, i) ? 2 * PRINT_EDGE_ITEMS : p->a->dim[i];
		if (n > MAX_SHOWN)
			break;
	}
	return n;
}

/*
 * Its names are printable as they stand: they are as Python shows them.  The
 * byte order is the result's, whatever the elements have that are printed.
 */
static void
print_overview(struct printer *p, const struct tsl_job *job)
{
	const struct tsl_dtype *as = job->as ? job->as : &p->a->dtype;
	struct tsl_shape shape = tsl_shape_of(p->a);
	char text[TSL_SHAPE_TEXT];
	int len;
	const char *dtype = tsl_dtype_name(as, &len);

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

static enum tsl_status
check_length(const struct printer *p)
{
	int64_t n;

	if (tsl_array_count(p->a) == 0 ||
	    (p->record.unabridged &&
	     record_has_end(&p->record, tsl_array_count(p->a))) ||
	    (tsl_mul(count_shown(p), record_shown(&p->record), &n) &&
	     n <= MAX_SHOWN))
		return TSL_OK;
	return tsl_fail(p->err, TSL_ETOO_LARGE,
			"more elements than anybody would read: even the edges "
			"of the result have over %d; --print=full shows all",
			MAX_SHOWN);
}

static enum tsl_status
open_block(struct printer *p)
{
	int64_t size = tsl_max(p->a->dtype.size, 1);

	p->capacity = p->record.unabridged ? tsl_max(BLOCK / size, 1) : 1;
	p->capacity = tsl_max(tsl_min(p->capacity, tsl_array_count(p->a)), 1);
	p->block = malloc((size_t)(p->capacity * size));
	return p->block ? TSL_OK : tsl_no_memory(p->err);
}

static void
close_printer(struct printer *p)
{
	npyio_peek_close(&p->peek);
	record_free(&p->record);
	free(p->block);
	npyio_text_free(&p->word);
	npyio_text_free(&p->out);
}

enum tsl_status
print_numpy(const struct npyio_transfer *t, const struct print *how,
	    struct tsl_error *err)
{
	const struct tsl_array *a = &t->job->out;
	struct printer p = { .to = t->out, .a = a, .err = err };

	tsl_array_strides(a, p.stride);
	p.status = record_init(
		&p.record, &a->dtype, a->ndim == 0,
		how->precision < 0 ? PRINT_PRECISION : how->precision, err);
	p.record.unabridged = how->form == PRINT_FULL;
	p.summary =
		!p.record.unabridged && tsl_array_count(a) > PRINT_THRESHOLD;
	if (!p.status)
		p.status = check_length(&p);
	/* What is shown of a summary is a part. */
	if (!p.status && !p.summary)
		p.status = npyio_verify_crc(t, err);
	/* First, so that an element's size is no longer only a claim. */
	if (!p.status)
		p.status = npyio_peek_init(&p.peek, t, err);
	if (!p.status)
		p.status = open_block(&p);
	if (!p.status && how->overview)
		print_overview(&p, t->job);
	if (!p.status)
		print_array(&p);
	close_printer(&p);
	return p.status;
}
