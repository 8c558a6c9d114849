/*
 * message.c - everything meant for people, and errors in either form
 */
#include "message.h"

#include "colour.h"
#include "json.h"
#include "lib/base/utf8.h"
#include "npyio/format/text.h"
#include "npyio/remote/url.h"

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What is wrong is red, and bold, where there are colours. */
#define RED "\033[1;31m"
#define PLAIN "\033[m"

/* A slice longer than this is shown from its fault on, and cut. */
#define MAX_SHOWN 160

static const char *command = "tslice";
static bool as_json, silent;
static atomic_bool in_place; /* workers set it */
static char origin[128];

/*
 * A message is one write: those of commands that run at the same time do not
 * get into each other's lines.
 */
static char one_message[4096];

void
message_init(const char *name, bool json)
{
	command = name;
	as_json = json;
	in_place = false;
	setvbuf(stderr, one_message, _IOFBF, sizeof(one_message));
}

void
message_in_place(void)
{
	in_place = true;
}

void
message_silence(bool is_silent)
{
	silent = is_silent;
}

bool
message_is_silent(void)
{
	return silent;
}

void
message_origin(const char *words)
{
	snprintf(origin, sizeof(origin), "%s", words);
}

/* Writes the character at s[*i] and moves behind it. */
static void
escape_char(FILE *out, const char *s, size_t len, size_t *i, bool ascii)
{
	size_t start = *i;
	uint32_t c = tsl_utf8_next(s, len, i);

	if (npyio_utf8_is_safe(c) && (!ascii || c < 0x80)) {
		fwrite(s + start, 1, *i - start, out);
		return;
	}
	for (size_t k = start; k < *i; k++)
		fprintf(out, "\\x%02x", (unsigned char)s[k]);
}

void
message_escape(FILE *out, const char *s, bool ascii)
{
	size_t len = strlen(s);

	for (size_t i = 0; i < len;)
		escape_char(out, s, len, &i, ascii);
}

const char *
message_command(void)
{
	return command;
}

/* What is wrong, in one line without the command's name. */
static void
write_what(FILE *out, const struct tsl_error *err)
{
	if (err->subject) {
		message_escape(out, *err->subject ? err->subject : "''", false);
		fputs(": ", out);
	}
	/* About a file it may quote the header, whose encoding is not ours. */
	message_escape(out, err->msg,
		       err->subject && err->code != TSL_ENPZ_MEMBER);
	if (err->sys)
		fprintf(out, ": %s", strerror(err->sys));
	message_escape(out, origin, false);
}

static int
count_chars(const char *s, int pos)
{
	int n = 0;

	for (size_t i = 0; i < (size_t)pos; n++)
		tsl_utf8_next(s, (size_t)pos, &i);
	return n;
}

/* Writes s[from, to) as it is shown; returns the columns it takes. */
static int
show(FILE *out, const char *s, int from, int to)
{
	int columns = 0;

	for (size_t i = (size_t)from; i < (size_t)to;) {
		size_t start = i;
		uint32_t c = tsl_utf8_next(s, (size_t)to, &i);

		columns += npyio_utf8_is_safe(c) ? 1 : 4 * (int)(i - start);
		if (out) {
			i = start;
			escape_char(out, s, (size_t)to, &i, false);
		}
	}
	return columns;
}

/* The slice, and under it a mark below each character that is at fault. */
static void
write_caret(FILE *out, const struct tsl_error *err, const char *slice,
	    bool coloured)
{
	int len = (int)strlen(slice);
	int from = err->pos > MAX_SHOWN / 2 && len > MAX_SHOWN
			   ? err->pos - MAX_SHOWN / 2
			   : 0;
	int to = len - from > MAX_SHOWN ? from + MAX_SHOWN : len;
	int end = err->pos + err->len;
	int marks;

	fputs("  ", out);
	show(out, slice, from, to);
	fputs("\n  ", out);
	for (int n = show(NULL, slice, from, err->pos); n > 0; n--)
		fputc(' ', out);
	/* What is missing at the end is marked behind the last character. */
	marks = err->pos < to ? show(NULL, slice, err->pos, end < to ? end : to)
			      : 1;
	fputs(coloured ? RED : "", out);
	for (int n = marks > 0 ? marks : 1; n > 0; n--)
		fputc('^', out);
	fputs(coloured ? PLAIN "\n" : "\n", out);
}

/* False: what is to say cannot be said so. */
static bool
write_as_json(FILE *out, const struct tsl_error *err, const char *slice,
	      bool placed)
{
	char *what = NULL;
	size_t n;
	FILE *f = open_memstream(&what, &n);
	bool written;

	if (f) {
		write_what(f, err);
		fclose(f);
	}
	written = json_write_error(
		out, err->code, what ? what : err->msg,
		placed ? count_chars(slice, err->pos) + 1 : 0,
		placed ? count_chars(slice + err->pos, err->len) : 0);
	free(what);
	return written;
}

static void
write_error(FILE *out, const struct tsl_error *err, const char *slice,
	    bool coloured)
{
	bool placed = slice && err->pos >= 0;

	if (as_json && write_as_json(out, err, slice, placed))
		return;
	fprintf(out, coloured ? RED "%s:" PLAIN " " : "%s: ", command);
	write_what(out, err);
	fputc('\n', out);
	if (placed)
		write_caret(out, err, slice, coloured);
}

/* A copy without what a URL in it should not show; NULL: none, or no memory. */
static char *
without_secrets(const char *s)
{
	char *copy = s ? strdup(s) : NULL;

	if (copy)
		npyio_url_hide(copy);
	return copy;
}

int
message_error(const struct tsl_error *err, const char *slice)
{
	struct tsl_error shown = *err;
	char *subject, *at;

	if (silent)
		return tsl_status_exit(err->code);
	shown.subject = subject = without_secrets(err->subject);
	npyio_url_hide(shown.msg);
	at = without_secrets(slice);
	fflush(stdout); /* what was printed before it, is read before it */
	write_error(stderr, &shown, at, colour_is_welcome(STDERR_FILENO));
	fflush(stderr);
	free(subject);
	free(at);
	return tsl_status_exit(err->code);
}

int
message_fail(enum tsl_status code, const char *fmt, ...)
{
	struct tsl_error err;
	va_list ap;

	tsl_fail(&err, code, "%s", "");
	va_start(ap, fmt);
	vsnprintf(err.msg, sizeof(err.msg), fmt, ap);
	va_end(ap);
	return message_error(&err, NULL);
}

void
message_note(const char *fmt, ...)
{
	char *line = NULL;
	size_t n;
	FILE *f = silent ? NULL : open_memstream(&line, &n);
	va_list ap;

	if (!f)
		return;
	va_start(ap, fmt);
	vfprintf(f, fmt, ap);
	va_end(ap);
	fclose(f);
	npyio_url_hide(line);
	fprintf(stderr, "%s: ", command);
	message_escape(stderr, line, false);
	fputc('\n', stderr);
	fflush(stderr);
	free(line);
}

char *
message_fault_new(const char *name, enum npyio_fault fault)
{
	/* What a call would have said: a page fault has no errno. */
	static const struct {
		const char *what;
		int sys;
	} faults[] = {
		[NPYIO_FAULT_SHRUNK] = { "the file became shorter while being "
					 "read",
					 0 },
		[NPYIO_FAULT_READ] = { "cannot read", EIO },
		[NPYIO_FAULT_WRITE] = { "cannot write", ENOSPC },
	};
	struct tsl_error err;
	char *line = NULL;
	size_t n;
	FILE *f = open_memstream(&line, &n);

	if (!f)
		return NULL;
	tsl_fail(&err, TSL_EIO, "%s%s", faults[fault].what,
		 in_place ? MESSAGE_PARTLY : "");
	err.sys = faults[fault].sys;
	err.subject = name;
	write_error(f, &err, NULL, false);
	fclose(f);
	return line;
}
