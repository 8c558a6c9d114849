/*
 * chunker.c - text cut into chunks that can be parsed each by itself
 */
#define _GNU_SOURCE /* memrchr */
#include "chunker.h"

#include <stdlib.h>
#include <string.h>

/* Some programs put it in front of UTF-8. */
#define BYTE_ORDER_MARK "\xef\xbb\xbf"

void
chunker_begin(struct chunker *k)
{
	k->ended = k->within = k->in_comment = false;
	k->nrest = 0;
}

void
chunker_free(struct chunker *k)
{
	free(k->rest);
}

/* ---- the delimiter ------------------------------------------------------- */

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Behind what is quoted at 's'; quotes in it are doubled. */
static const char *
behind_quoted(const char *s, const char *end)
{
	for (s++; s < end; s++) {
		if (*s != '"')
			continue;
		if (s + 1 == end || s[1] != '"')
			return s + 1;
		s++;
	}
	return end;
}

/* A comma, or a tab between texts, of a row that begins at 's'; or blanks. */
static char
delimiter_of(const char *s, const char *end)
{
	bool starts = true, has_text = false, has_tab = false, tab = false;

	while (s < end && *s != '\n' && *s != '#') {
		if (*s == ',')
			return ',';
		if (!is_blank(*s)) {
			tab |= has_tab;
			has_text = true;
			if (*s == '"' && starts) {
				s = behind_quoted(s, end);
				continue;
			}
		}
		has_tab |= has_text && *s == '\t';
		starts = is_blank(*s);
		s++;
	}
	return tab ? '\t' : ROWS_BLANKS;
}

/* In the first row that there is, if there is one. */
static void
find_delimiter(struct chunker *k, const char *s, size_t len)
{
	const char *end = s + len;

	while (s && s < end) {
		const char *line = s;

		while (s < end && (is_blank(*s) || *s == '\n'))
			line = *s++ == '\n' ? s : line;
		if (s == end)
			return;
		if (*s != '#') {
			k->delimiter = delimiter_of(line, end);
			return;
		}
		s = memchr(s, '\n', (size_t)(end - s));
	}
}

/* ---- where it ends ------------------------------------------------------- */

/* A carriage return is no blank but in front of a newline. */
static bool
divides(char delimiter, char c)
{
	return delimiter == ROWS_BLANKS ? c == ' ' || c == '\t'
					: c == delimiter;
}

/* The begin of the cell behind the one that begins at 's', or its line's end.
 */
static const char *
skip_cell(const char *s, const char *end, char delimiter)
{
	while (s < end && (*s == ' ' || *s == '\t') && *s != delimiter)
		s++;
	if (s < end && *s == '"')
		s = behind_quoted(s, end);
	while (s < end && *s != '\n' && *s != '#')
		if (divides(delimiter, *s++))
			break;
	return s;
}

/* Behind the last line that ends outside of quotes; 0: there is none. */
static size_t
behind_text_lines(const char *text, size_t len, char delimiter)
{
	const char *end = text + len, *s = text;
	size_t cut = 0;

	while (s && s < end) {
		s = skip_cell(s, end, delimiter);
		if (s < end && *s == '#')
			s = memchr(s, '\n', (size_t)(end - s));
		if (s && s < end && *s == '\n')
			cut = (size_t)(++s - text);
	}
	return cut;
}

static size_t
behind_lines(const struct chunker *k, const char *text, size_t len)
{
	const char *newline;

	if (k->has_text)
		return behind_text_lines(text, len, k->delimiter);
	newline = memrchr(text, '\n', len);
	return newline ? (size_t)(newline - text) + 1 : 0;
}

/* Behind the last cell of a line that does not end here; 0: there is none. */
static size_t
behind_cells(const struct chunker *k, const char *text, size_t len)
{
	if (k->in_comment || memchr(text, '#', len))
		return len;
	while (len > 0 && !divides(k->delimiter, text[len - 1]))
		len--;
	return len;
}

/* Where the chunk is to end, and how; 0: more has to be read. */
static size_t
find_end(struct chunker *k, struct chunk *c)
{
	size_t end;

	if (k->delimiter == '\0')
		find_delimiter(k, c->text, c->len);
	c->delimiter = k->delimiter ? k->delimiter : ROWS_BLANKS;
	c->goes_on = false;
	if (k->ended)
		return c->len;
	end = behind_lines(k, c->text, c->len);
	if (end > 0 || k->has_text || k->is_record || k->delimiter == '\0')
		return end;
	end = behind_cells(k, c->text, c->len);
	c->goes_on = end > 0;
	return end;
}

/* ---- reading ------------------------------------------------------------- */

static enum tsl_status
make_room(char **bytes, size_t *room, size_t n, struct tsl_error *err)
{
	char *more;

	if (n <= *room)
		return TSL_OK;
	more = realloc(*bytes, n);
	if (!more)
		return tsl_no_memory(err);
	*bytes = more;
	*room = n;
	return TSL_OK;
}

/* Up to 'size' bytes of text; one more is the parser's. */
static enum tsl_status
fill(struct chunker *k, struct chunk *c, size_t size, struct tsl_error *err)
{
	enum tsl_status status = make_room(&c->text, &c->room, size + 1, err);
	size_t got = 0, n = size - c->len;

	if (!status && !k->ended)
		status = source_read(k->source, c->text + c->len, n, &got, err);
	c->len += got;
	if (!status)
		k->ended = k->ended || got < n;
	return status;
}

/* What was read too much before. */
static enum tsl_status
take_rest(struct chunker *k, struct chunk *c, struct tsl_error *err)
{
	enum tsl_status status =
		make_room(&c->text, &c->room, k->nrest + 1, err);

	if (status)
		return status;
	if (k->nrest > 0)
		memcpy(c->text, k->rest, k->nrest);
	c->len = k->nrest;
	k->nrest = 0;
	return TSL_OK;
}

static enum tsl_status
put_rest(struct chunker *k, struct chunk *c, size_t end, struct tsl_error *err)
{
	size_t n = c->len - end;
	enum tsl_status status = make_room(&k->rest, &k->rest_room, n, err);

	if (status)
		return status;
	if (n > 0)
		memcpy(k->rest, c->text + end, n);
	k->nrest = n;
	c->len = end;
	return TSL_OK;
}

/* Whether a comment has begun in the part of a line that the chunk ends in. */
static bool
ends_in_comment(const struct chunk *c)
{
	return c->goes_on && (c->in_comment || memchr(c->text, '#', c->len));
}

enum tsl_status
chunker_next(struct chunker *k, struct chunk *c, struct tsl_error *err)
{
	enum tsl_status status = take_rest(k, c, err);
	size_t size = c->len > k->size ? 2 * c->len : k->size, end = 0;

	c->within = k->within;
	c->in_comment = k->in_comment;
	for (; end == 0 && !status; size *= 2) {
		if (size > 2 * k->most)
			return tsl_fail(err, TSL_EMEMORY,
					"the line is longer than there is "
					"memory for; see --max-memory");
		status = fill(k, c, size, err);
		if (!status)
			end = find_end(k, c);
		if (k->ended)
			break;
	}
	if (!status)
		status = put_rest(k, c, end, err);
	k->within = c->goes_on;
	k->in_comment = ends_in_comment(c);
	return status;
}

/* ---- what is left out ---------------------------------------------------- */

/* A mark is no text. */
static void
skip_mark(struct chunk *c)
{
	size_t n = strlen(BYTE_ORDER_MARK);

	if (c->len < n || memcmp(c->text, BYTE_ORDER_MARK, n) != 0)
		return;
	c->len -= n;
	memmove(c->text, c->text + n, c->len);
}

enum tsl_status
chunker_skip(struct chunker *k, int64_t n, struct tsl_error *err)
{
	struct chunk c = { .text = NULL };
	enum tsl_status status = fill(k, &c, k->size, err);
	size_t at = 0;

	skip_mark(&c);
	while (!status && n > 0) {
		char *newline = at < c.len
					? memchr(c.text + at, '\n', c.len - at)
					: NULL;

		if (newline) {
			at = (size_t)(newline - c.text) + 1;
			n--;
		} else if (k->ended) {
			at = c.len;
			break;
		} else {
			at = c.len = 0;
			status = fill(k, &c, k->size, err);
		}
	}
	if (!status) {
		memmove(c.text, c.text + at, c.len - at);
		c.len -= at;
		status = put_rest(k, &c, 0, err);
	}
	free(c.text);
	return status;
}
