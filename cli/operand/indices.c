/*
 * indices.c - indices that are given as text
 */
#include "indices.h"

#include "lib/base/ascii.h"
#include "lib/base/integer.h"
#include "npyio/file/fd.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define BLANKS " \t"

/* How much of a word is shown. */
#define SHOWN 40

void
indices_init(struct indices *x)
{
	*x = (struct indices){ .array.ndim = 0 };
	npyio_stream_buffer_init(&x->numbers);
	x->array.dtype = (struct tsl_dtype)
	{
		.kind = 'i',
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
		.order = '<', .descr = "'<i8'",
#else
		.order = '>', .descr = "'>i8'",
#endif
		.size = sizeof(int64_t),
	};
}

void
indices_free(struct indices *x)
{
	npyio_stream_buffer_drop(&x->numbers);
}

static enum tsl_status
parse_number(int64_t *value, const char *word, size_t n, struct tsl_error *err)
{
	enum tsl_status status = tsl_parse_int64(word, n, value);
	int shown = n < SHOWN ? (int)n : SHOWN;

	if (status == TSL_EOVERFLOW)
		return tsl_fail(err, status, "%.*s does not fit in int64",
				shown, word);
	return status ? tsl_fail(err, status,
				 "expected a decimal integer, not '%.*s'",
				 shown, word)
		      : TSL_OK;
}

/* ---- lists --------------------------------------------------------------- */

/* The lists that have been begun, the outermost first. */
struct lists {
	struct indices *x;
	const char *at; /* in the text */
	int depth;
	char close[TSL_MAX_DIMS]; /* what ends each; 0: the end of the text */
	int64_t length[TSL_MAX_DIMS]; /* of those begun, so far */
	int64_t known[TSL_MAX_DIMS]; /* of those that ended, at each depth */
	int ndim; /* how deep numbers stand; 0: not known yet */
};

static enum tsl_status
ragged(struct tsl_error *err)
{
	return tsl_fail(err, TSL_ESYNTAX,
			"lists beside each other are to be of one length and "
			"depth");
}

static bool
is_depth_of_numbers(struct lists *l)
{
	if (l->ndim == 0)
		l->ndim = l->depth;
	return l->ndim == l->depth;
}

static enum tsl_status
begin_list(struct lists *l, struct tsl_error *err)
{
	if (l->depth == TSL_MAX_DIMS)
		return tsl_fail(err, TSL_ERANK_LIMIT,
				"lists may be %d deep at the most",
				TSL_MAX_DIMS);
	l->close[l->depth] = *l->at == '[' ? ']' : *l->at == '(' ? ')' : '\0';
	l->at += l->close[l->depth] != '\0';
	l->at += strspn(l->at, BLANKS);
	l->length[l->depth++] = 0;
	return TSL_OK;
}

static bool
begins_list(const struct lists *l)
{
	return *l->at == '[' || *l->at == '(';
}

/* Whether what ends the innermost list comes next. */
static bool
ends_list(const struct lists *l)
{
	return *l->at != '\0' && l->depth > 0 &&
	       *l->at == l->close[l->depth - 1];
}

/* An empty list is where numbers would be. */
static enum tsl_status
end_list(struct lists *l, struct tsl_error *err)
{
	int64_t length = l->length[l->depth - 1];
	int64_t *known = &l->known[l->depth - 1];

	if (length == 0 && !is_depth_of_numbers(l))
		return ragged(err);
	if (*known >= 0 && *known != length)
		return ragged(err);
	*known = length;
	l->depth--;
	if (l->depth > 0)
		l->length[l->depth - 1]++;
	return TSL_OK;
}

static enum tsl_status
add_number(struct lists *l, struct tsl_error *err)
{
	size_t n = strcspn(l->at, ",[]()" BLANKS);
	int64_t value;
	enum tsl_status status;

	/* What stands where a number should be is shown, if it is no word. */
	status = parse_number(&value, l->at, n > 0 ? n : strlen(l->at), err);
	if (status)
		return status;
	if (!is_depth_of_numbers(l))
		return ragged(err);
	l->at += n;
	l->length[l->depth - 1]++;
	return npyio_stream_buffer_append(&l->x->numbers, &value, sizeof(value),
					  INT64_MAX, err);
}

/* Behind an item: how many lists end here, and whether another item follows. */
static enum tsl_status
end_item(struct lists *l, int outermost, bool *more, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;

	l->at += strspn(l->at, BLANKS);
	do {
		while (ends_list(l) && !status) {
			status = end_list(l, err);
			l->at++;
			l->at += strspn(l->at, BLANKS);
		}
		*more = *l->at == ',' && l->depth > 0;
		l->at += *more;
		l->at += strspn(l->at, BLANKS);
		/* As Python prints a tuple of one. */
	} while (*more && *l->at == ')' && ends_list(l) && !status);
	if (status || *more || (*l->at == '\0' && l->depth == outermost))
		return status;
	if (*l->at == '\0')
		return tsl_fail(err, TSL_ESYNTAX, "a list does not end");
	return tsl_fail(err, TSL_ESYNTAX, "expected %s, not '%.*s'",
			l->depth > outermost ? "',' or an end of the list"
					     : "an end",
			SHOWN, l->at);
}

/* An item, with the lists that begin in front of it. */
static enum tsl_status
add_item(struct lists *l, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;

	l->at += strspn(l->at, BLANKS);
	while (begins_list(l) && !status) {
		status = begin_list(l, err);
		/* An empty one ends where its first item would be. */
		if (!status && ends_list(l))
			return status;
	}
	return status ? status : add_number(l, err);
}

/* Without brackets it is one list, which ends with the text. */
enum tsl_status
indices_parse(struct indices *x, struct tsl_error *err)
{
	struct lists l = { .x = x, .at = x->text + strspn(x->text, BLANKS) };
	int outermost = begins_list(&l) ? 0 : 1;
	bool more = *l.at != '\0';
	enum tsl_status status = TSL_OK;

	if (x->text[0] == '@')
		return TSL_OK;
	for (int i = 0; i < TSL_MAX_DIMS; i++)
		l.known[i] = -1;
	if (outermost == 1)
		status = begin_list(&l, err);
	while (more && !status) {
		status = add_item(&l, err);
		if (!status)
			status = end_item(&l, outermost, &more, err);
	}
	if (outermost == 1 && !status)
		status = end_list(&l, err);
	x->array.ndim = l.ndim;
	memcpy(x->array.dim, l.known, sizeof(x->array.dim));
	return tsl_about(status, "--indices", err);
}

/* ---- files --------------------------------------------------------------- */

/* Bytes that are read at once, and numbers that are kept at once. */
#define BLOCK 65536
#define NUMBERS 1024

struct file {
	struct npyio_stream_buffer *to;
	int64_t room;
	bool flat; /* lines mean nothing */
	int64_t line; /* from 1 */
	char word[64]; /* its begin, if it is longer */
	size_t len;
	bool comma; /* one has come since the last number */
	int64_t count; /* numbers of the list, or of this line */
	int64_t ntuples, depth; /* lines with any, and how many each has */
	int64_t numbers[NUMBERS];
	size_t n;
};

static enum tsl_status
at_line(const struct file *f, enum tsl_status status, struct tsl_error *err)
{
	char msg[sizeof(err->msg)];

	if (!status || !err)
		return status;
	memcpy(msg, err->msg, sizeof(msg));
	return tsl_fail(err, status, "line %lld: %.200s", (long long)f->line,
			msg);
}

static enum tsl_status
keep_numbers(struct file *f, struct tsl_error *err)
{
	size_t nbytes = f->n * sizeof(f->numbers[0]);

	f->n = 0;
	return npyio_stream_buffer_append(f->to, f->numbers, (int64_t)nbytes,
					  f->room, err);
}

/* Takes zeros in front out of a word, as many as say nothing. */
static void
drop_zeros(struct file *f)
{
	char *digits = f->word +
		       (f->len > 0 && (f->word[0] == '-' || f->word[0] == '+'));
	size_t n = f->len - (size_t)(digits - f->word), zeros = 0;

	while (zeros + 1 < n && digits[zeros] == '0' &&
	       tsl_is_digit(digits[zeros + 1]))
		zeros++;
	memmove(digits, digits + zeros, n - zeros);
	f->len -= zeros;
}

/* As programs print numbers: zeros in front fill a column, so may a plus. */
static enum tsl_status
parse_word(struct file *f, int64_t *value, struct tsl_error *err)
{
	size_t plus;

	drop_zeros(f);
	plus = f->len > 1 && f->word[0] == '+' && tsl_is_digit(f->word[1]);
	return at_line(f,
		       parse_number(value, f->word + plus, f->len - plus, err),
		       err);
}

static enum tsl_status
end_word(struct file *f, struct tsl_error *err)
{
	enum tsl_status status;

	if (f->len == 0)
		return TSL_OK;
	status = parse_word(f, &f->numbers[f->n], err);
	f->len = 0;
	f->comma = false;
	f->count++;
	if (!status && ++f->n == NUMBERS)
		return keep_numbers(f, err);
	return status;
}

static enum tsl_status
misplaced_comma(const struct file *f, struct tsl_error *err)
{
	return at_line(f,
		       tsl_fail(err, TSL_ESYNTAX,
				"a comma is to stand between two integers"),
		       err);
}

static enum tsl_status
end_line(struct file *f, struct tsl_error *err)
{
	if (f->comma)
		return misplaced_comma(f, err);
	if (f->count > 0 && f->ntuples > 0 && f->count != f->depth)
		return at_line(f,
			       tsl_fail(err, TSL_ESYNTAX,
					"a tuple of %lld, where those before "
					"it have %lld",
					(long long)f->count,
					(long long)f->depth),
			       err);
	if (f->count > 0) {
		f->depth = f->count;
		f->ntuples++;
	}
	f->count = 0;
	return TSL_OK;
}

static enum tsl_status
take_separator(struct file *f, char c, struct tsl_error *err)
{
	enum tsl_status status = end_word(f, err);

	if (!status && c == ',') {
		if (f->comma || f->count == 0)
			return misplaced_comma(f, err);
		f->comma = true;
	}
	if (!status && c == '\n') {
		status = f->flat ? TSL_OK : end_line(f, err);
		f->line++;
	}
	return status;
}

static enum tsl_status
take_bytes(struct file *f, const char *bytes, size_t n, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;

	for (size_t i = 0; i < n && !status; i++) {
		char c = bytes[i];

		if (f->len == sizeof(f->word))
			drop_zeros(f);
		if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',')
			status = take_separator(f, c, err);
		else if (f->len < sizeof(f->word))
			f->word[f->len++] = c;
		else if (!tsl_is_digit(c))
			/* A long number is too large; this is none. */
			f->word[f->len - 1] = c;
	}
	return status;
}

static enum tsl_status
end_file(struct file *f, struct tsl_array *array, struct tsl_error *err)
{
	enum tsl_status status = end_word(f, err);

	if (!status)
		status = keep_numbers(f, err);
	if (!status)
		status = f->flat && f->comma ? misplaced_comma(f, err)
			 : f->flat           ? TSL_OK
					     : end_line(f, err);
	if (status)
		return status;
	array->ndim = f->flat ? 1 : 2;
	array->dim[0] = f->flat ? f->count : f->ntuples;
	array->dim[1] = f->depth;
	return f->flat || f->ntuples > 0
		       ? TSL_OK
		       : tsl_fail(err, TSL_EINDEX_DEPTH,
				  "there is no tuple, and so no telling how "
				  "long one would be");
}

static enum tsl_status
read_all(struct file *f, int fd, struct tsl_array *array, struct tsl_error *err)
{
	char block[BLOCK];
	size_t got = BLOCK;
	enum tsl_status status = TSL_OK;

	while (got == BLOCK && !status) {
		status = npyio_fd_read(fd, block, BLOCK, &got, err);
		if (!status)
			status = take_bytes(f, block, got, err);
	}
	return status ? status : end_file(f, array, err);
}

static enum tsl_status
read_file(struct indices *x, const char *path, int64_t room,
	  struct tsl_error *err)
{
	struct file f = {
		.to = &x->numbers, .room = room, .flat = x->flat, .line = 1
	};
	bool standard = strcmp(path, "-") == 0;
	int fd = standard ? STDIN_FILENO
			  : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	enum tsl_status status = fd < 0 ? npyio_fail_sys(err, "cannot open")
					: read_all(&f, fd, &x->array, err);

	if (fd > STDERR_FILENO)
		close(fd);
	return tsl_about_new(status, standard ? "standard input" : path, err);
}

const char *
indices_path(const struct indices *x)
{
	return x->text[0] == '@' ? x->text + 1 : "";
}

enum tsl_status
indices_open(struct npyio_reader **in_new, struct indices *x, int64_t room,
	     struct tsl_error *err)
{
	const char *path = indices_path(x);
	const char *name = x->text[0] != '@'        ? "--indices"
			   : strcmp(path, "-") == 0 ? "standard input"
						    : path;
	enum tsl_status status = TSL_OK;

	if (x->text[0] == '@')
		status = read_file(x, path, room, err);
	return status ? status
		      : npyio_reader_open_buffer(in_new, name, &x->array,
						 &x->numbers, err);
}
