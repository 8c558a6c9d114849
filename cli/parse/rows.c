/*
 * rows.c - the lines of a chunk of text as elements
 *
 * Behind the text stands a newline, so that most loops have one end.
 */
#include "rows.h"

#include "lib/base/minmax.h"
#include "numbers.h"
#include "value.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SHOWN 60 /* bytes of a cell, in a message */
#define TYPE_TEXT 128 /* with its NUL */

#define MANY_ROWS 8 /* that are taken at once */
#define MOST_APART 256 /* lines */

struct reader {
	const struct rows_rules *rules;
	struct chunk *c;
	char *at, *end;
	char *line; /* its begin */
	char delimiter;
	bool is_like_number; /* so that a number does not end before it */
	bool has_numbers; /* in all cells, and room for them */
	int64_t apart, wait; /* lines, until rows are tried at once again */
	int64_t count; /* cells of the row so far */
	char *record; /* the element that the row is */
};

struct cell {
	const char *text;
	size_t len;
};

/* ---- characters ---------------------------------------------------------- */

/* A carriage return counts in front of a newline alone. */
static bool
is_blank(const struct reader *r, const char *s)
{
	return ((*s == ' ' || *s == '\t') && *s != r->delimiter) ||
	       (*s == '\r' && s[1] == '\n');
}

static void
skip_blanks(struct reader *r)
{
	while (is_blank(r, r->at))
		r->at++;
}

static bool
is_row_end(const char *s)
{
	return *s == '\n' || *s == '#';
}

/* Behind a cell, of one that is not quoted. */
static bool
is_cell_end(const struct reader *r, const char *s)
{
	return r->delimiter == ROWS_BLANKS
		       ? is_blank(r, s) || is_row_end(s)
		       : *s == r->delimiter || is_row_end(s);
}

/* Whether a number may have it: digits, "nan", "infinity", an exponent. */
static bool
is_like_number(char delimiter)
{
	return delimiter && strchr("0123456789+-.aefintyAEFINTY", delimiter);
}

/* ---- faults -------------------------------------------------------------- */

static bool
fail(struct reader *r, enum tsl_status status)
{
	r->c->status = status;
	r->c->fault = (size_t)(r->line - r->c->text);
	return false;
}

/* Whole characters of it. */
static int
shown(const struct cell *cell)
{
	size_t n = MAX_SHOWN;

	if (cell->len <= MAX_SHOWN)
		return (int)cell->len;
	while (n > 0 && ((unsigned char)cell->text[n] & 0xC0) == 0x80)
		n--;
	return (int)n;
}

/* As NumPy writes it, <f4 or <M8[s]. */
static void
write_type(char text[TYPE_TEXT], const struct column *column)
{
	const struct tsl_dtype *t = &column->dtype;
	int64_t size = t->size / (t->kind == 'U' ? 4 : 1);
	char unit[CALENDAR_TEXT] = "";

	if (t->kind == 'M' || t->kind == 'm')
		datetime_unit(unit, column->step);
	snprintf(text, TYPE_TEXT, "%c%c%" PRId64 "%s", t->order, t->kind, size,
		 unit);
}

static bool
bad_value(struct reader *r, const struct column *column,
	  const struct cell *cell)
{
	bool is_guess = r->rules->schema->is_guess;
	char type[TYPE_TEXT] = "";

	if (!is_guess)
		write_type(type, column);
	return fail(r,
		    tsl_fail_at(&r->c->err, TSL_EBAD_VALUE,
				(int)(cell->text - r->line), (int)cell->len,
				"'%.*s%s' is not a %s%s", shown(cell),
				cell->text, cell->len > MAX_SHOWN ? "..." : "",
				is_guess ? "number" : "value of type ", type));
}

static bool
ragged(struct reader *r, int64_t wanted)
{
	/* What is too much for a record is not counted. */
	bool more = r->rules->schema->is_record && r->count > wanted;

	return fail(r, tsl_fail(&r->c->err, TSL_ESHAPE_MISMATCH,
				"the row has %s%lld cells, where there should "
				"be %lld",
				more ? "more than " : "",
				(long long)(more ? wanted : r->count),
				(long long)wanted));
}

/* ---- elements ------------------------------------------------------------ */

/* Room for so many bytes more; false: there is no memory. */
static bool
has_room(struct reader *r, size_t nbytes)
{
	struct chunk *c = r->c;
	size_t room;
	char *more;

	if (c->elements_room - c->nbytes >= nbytes)
		return true;
	room = 2 * c->elements_room + nbytes;
	more = realloc(c->elements, room);
	if (!more)
		return fail(r, tsl_no_memory(&c->err));
	c->elements = more;
	c->elements_room = room;
	return true;
}

/* Room for one more; NULL: there is no memory. */
static char *
next_element(struct reader *r)
{
	struct chunk *c = r->c;
	size_t size = (size_t)r->rules->schema->dtype.size;
	char *element;

	if (!has_room(r, size))
		return NULL;
	element = c->elements + c->nbytes;
	c->nbytes += size;
	return element;
}

/* Where the next cell goes, and as what; NULL: nowhere. */
static char *
place_of_cell(struct reader *r, const struct column **column)
{
	const struct schema *f = r->rules->schema;

	*column = &f->column[0];
	if (!f->is_record)
		return next_element(r);
	if (r->count == f->ncolumns) {
		r->count++;
		ragged(r, f->ncolumns);
		return NULL;
	}
	if (r->count == 0) {
		r->record = next_element(r);
		if (!r->record)
			return NULL;
		memset(r->record, 0, (size_t)f->dtype.size);
	}
	*column = &f->column[r->count];
	return r->record + (*column)->offset;
}

/* ---- cells --------------------------------------------------------------- */

/*
 * What is quoted, with quotes doubled in it, which are made one in place.
 * False: it does not end, or something stands behind it.
 */
static bool
take_quoted(struct reader *r, struct cell *cell)
{
	char *to = ++r->at;
	bool closed = false;

	cell->text = to;
	for (; r->at < r->end; *to++ = *r->at++) {
		closed = *r->at == '"' && *++r->at != '"';
		if (closed)
			break;
	}
	cell->len = (size_t)(to - cell->text);
	if (!closed)
		return false;
	if (r->delimiter != ROWS_BLANKS)
		skip_blanks(r);
	return is_cell_end(r, r->at);
}

static void
take_plain(struct reader *r, struct cell *cell, bool trimmed)
{
	char *start = r->at, *end;

	while (!is_cell_end(r, r->at))
		r->at++;
	end = r->at;
	if (end > start && end[-1] == '\r' && *end == '\n')
		end--;
	while (trimmed && end > start && is_blank(r, end - 1))
		end--;
	*cell = (struct cell){ start, (size_t)(end - start) };
}

/* How much of text up to 'end' is in one line. */
static size_t
length_in_line(const char *start, const char *end)
{
	const char *newline = memchr(start, '\n', (size_t)(end - start));

	return (size_t)((newline ? newline : end) - start);
}

/* Blanks are part of text, unless they divide it. */
static bool
take_cell(struct reader *r, struct cell *cell, bool is_text)
{
	char *start = r->at;

	skip_blanks(r);
	if (*r->at == '"') {
		start = r->at;
		if (take_quoted(r, cell))
			return true;
		take_plain(r, cell, true);
		*cell = (struct cell){ start, length_in_line(start, r->at) };
		return false;
	}
	if (is_text && r->delimiter != ROWS_BLANKS)
		r->at = start;
	take_plain(r, cell, !is_text);
	return true;
}

/* Most cells are this: a number, and then its end. */
static bool
scan_cell(struct reader *r, const struct column *column, char *element)
{
	char *start = r->at;
	size_t n;

	if (r->is_like_number)
		return false;
	skip_blanks(r);
	n = value_scan(column, r->rules->powers, r->at,
		       (size_t)(r->end - r->at), element);
	r->at += n;
	if (r->delimiter != ROWS_BLANKS)
		skip_blanks(r);
	if (n > 0 && is_cell_end(r, r->at))
		return true;
	r->at = start;
	return false;
}

/* What is none may be one of the type that is the other guess. */
static bool
is_other_guess(struct reader *r, const struct cell *cell)
{
	if (!r->rules->schema->is_guess ||
	    !value_is_number(cell->text, cell->len))
		return false;
	r->c->not_integer = true;
	return true;
}

static bool
parse_cell(struct reader *r)
{
	const struct column *column;
	char *element = place_of_cell(r, &column);
	bool is_text, is_whole;
	struct cell cell;

	if (!element)
		return false;
	if (scan_cell(r, column, element))
		return true;
	is_text = column->dtype.kind == 'S' || column->dtype.kind == 'U';
	is_whole = take_cell(r, &cell, is_text);
	if (is_whole &&
	    value_parse(column, r->rules->powers, cell.text, cell.len, element))
		return true;
	return !(is_whole && is_other_guess(r, &cell)) &&
	       bad_value(r, column, &cell);
}

/* How wide it is, without an element. */
static bool
measure_cell(struct reader *r)
{
	const struct column *column = &r->rules->schema->column[0];
	struct cell cell;
	int64_t width;

	if (!take_cell(r, &cell, true))
		return bad_value(r, column, &cell);
	width = value_width(column, cell.text, cell.len);
	if (width < 0)
		return bad_value(r, column, &cell);
	if (width > r->c->widest)
		r->c->widest = width;
	return true;
}

/* ---- rows ---------------------------------------------------------------- */

/* Whether what comes, in a row that has begun, is one more cell. */
static bool
has_cell(struct reader *r)
{
	if (r->delimiter != ROWS_BLANKS)
		return r->at < r->end || !r->c->goes_on;
	skip_blanks(r);
	return !is_row_end(r->at);
}

/* Whether another is to come behind a cell. */
static bool
has_more(struct reader *r)
{
	if (r->delimiter == ROWS_BLANKS)
		return has_cell(r);
	if (*r->at != r->delimiter)
		return false;
	r->at++;
	return has_cell(r);
}

/* Of so many columns in all rows; 0: what is left of this one. */
static struct numbers
take_numbers(struct reader *r, int64_t columns)
{
	const struct schema *f = r->rules->schema;
	struct chunk *c = r->c;
	bool by_blanks = r->delimiter == ROWS_BLANKS;
	struct numbers n = { .column = &f->column[0],
			     .powers = r->rules->powers,
			     .delimiter = by_blanks ? ' ' : r->delimiter,
			     .by_blanks = by_blanks,
			     .blank = r->delimiter == ' ' ? '\t' : ' ',
			     .columns = columns,
			     .text = c->text,
			     .at = r->at,
			     .end = r->end,
			     .to = c->elements + c->nbytes };

	numbers_take(&n);
	c->nbytes += (size_t)(n.count * f->dtype.size);
	r->at += n.at - r->at;
	return n;
}

/* Cells that are numbers, as many as there are; whether others are to come. */
static bool
take_cells(struct reader *r)
{
	const struct numbers n = take_numbers(r, 0);

	r->count += n.count;
	return !n.row_ends && has_cell(r);
}

static bool
parse_cells(struct reader *r)
{
	bool more = has_cell(r);

	while (more && !(r->has_numbers && !take_cells(r))) {
		if (!(r->rules->measures ? measure_cell(r) : parse_cell(r)))
			return false;
		r->count++;
		more = has_more(r);
	}
	return true;
}

/* An empty line, or one with a comment alone, is none. */
static bool
has_row(struct reader *r)
{
	char *start = r->at;
	bool found;

	skip_blanks(r);
	found = !is_row_end(r->at);
	if (found)
		r->at = start;
	return found;
}

/* All rows have as many cells as the first one here. */
static bool
close_row(struct reader *r)
{
	struct chunk *c = r->c;
	const struct schema *f = r->rules->schema;

	if (c->columns == ROWS_NOT_KNOWN) {
		c->columns = f->is_record ? f->ncolumns : r->count;
		c->first_row = c->lines;
	}
	if (r->count != c->columns)
		return ragged(r, c->columns);
	c->rows++;
	return true;
}

/* The row that was in the line is whole, or goes on in the next chunk. */
static bool
end_row(struct reader *r, bool is_row, bool is_first, bool is_last)
{
	struct chunk *c = r->c;

	if (is_last && c->goes_on) {
		c->tail = r->count;
		return true;
	}
	if (is_first && c->within) {
		c->closes = true;
		c->head = r->count;
		return true;
	}
	return !is_row || close_row(r);
}

static bool
parse_line(struct reader *r, bool is_first)
{
	struct chunk *c = r->c;
	bool is_row, ended, in_comment = is_first && c->in_comment;
	char *newline;

	r->line = r->at;
	r->count = 0;
	is_row = !in_comment && ((is_first && c->within) || has_row(r));
	if (is_row && !parse_cells(r))
		return false;
	if (!is_row || *r->at == '#') {
		newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
		r->at = newline ? newline : r->end;
	}
	ended = r->at < r->end;
	if (!end_row(r, is_row, is_first, !ended))
		return false;
	c->lines += ended;
	r->at++;
	return true;
}

/*
 * Rows of numbers alone, as many as come.  Where there are few, they are gone
 * through twice: so they are not tried at each line.
 */
static void
take_rows(struct reader *r)
{
	struct chunk *c = r->c;
	int64_t rows;

	/* Behind a last line without a newline there is no text. */
	if (r->at >= r->end || !r->has_numbers ||
	    c->columns == ROWS_NOT_KNOWN || r->wait-- > 0)
		return;
	rows = take_numbers(r, c->columns).count / c->columns;
	c->rows += rows;
	c->lines += rows;
	r->apart = rows > MANY_ROWS ? 0 : tsl_min(2 * r->apart + 1, MOST_APART);
	r->wait = r->apart;
}

void
rows_begin(struct chunk *c)
{
	c->status = TSL_OK;
	c->len = c->nbytes = 0;
	c->lines = c->rows = c->first_row = 0;
	c->columns = ROWS_NOT_KNOWN;
	c->closes = c->not_integer = false;
	c->head = c->tail = c->widest = 0;
	c->fault = 0;
}

/* Most texts are this: each two characters, at least, are a number. */
static bool
make_room_for_numbers(struct reader *r)
{
	const struct schema *f = r->rules->schema;

	r->has_numbers = !f->is_record && !r->rules->measures &&
			 !r->is_like_number && numbers_has(&f->column[0]);
	return !r->has_numbers || has_room(r, (r->c->len / 2 + NUMBERS_MORE) *
						      (size_t)f->dtype.size);
}

void
rows_parse(const struct rows_rules *rules, struct chunk *c)
{
	struct reader r = { .rules = rules,
			    .c = c,
			    .at = c->text,
			    .line = c->text,
			    .end = c->text + c->len,
			    .delimiter = c->delimiter,
			    .is_like_number = is_like_number(c->delimiter) };
	bool is_first = true;

	*r.end = '\n';
	if (!make_room_for_numbers(&r))
		return;
	/* A row that ends in nothing has one more cell, or at least an end. */
	while ((r.at < r.end || (is_first && c->within)) &&
	       parse_line(&r, is_first)) {
		is_first = false;
		take_rows(&r);
	}
}

void
rows_free(struct chunk *c)
{
	free(c->text);
	free(c->elements);
}
