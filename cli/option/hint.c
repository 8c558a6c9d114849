/*
 * hint.c - what was probably meant, for who mistyped something
 */
#include "hint.h"

#include "cli/report/message.h"
#include "lib/spec/parse.h"
#include "npyio/input/archive.h"
#include "npyio/input/input_name.h"
#include "npyio/input/reader.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* No name is longer, and what is longer is not like any. */
#define MAX_WORD 32

/* What the system has said stands in front of what we add. */
static void
put_system_words(struct tsl_error *err)
{
	size_t len = strlen(err->msg);

	if (err->sys)
		snprintf(err->msg + len, sizeof(err->msg) - len, ": %s",
			 strerror(err->sys));
	err->sys = 0;
}

/* Adds "; " and the words to the error's, if there is room for all of them. */
static void TSL_PRINTF(2, 3) add(struct tsl_error *err, const char *fmt, ...)
{
	char words[sizeof(err->msg)];
	size_t len, room;
	va_list ap;
	int n;

	put_system_words(err);
	len = strlen(err->msg);
	room = sizeof(err->msg) - len;
	va_start(ap, fmt);
	n = vsnprintf(words, sizeof(words), fmt, ap);
	va_end(ap);
	if (n > 0 && (size_t)n + sizeof("; ") <= room)
		snprintf(err->msg + len, room, "; %s", words);
}

/* ---- names --------------------------------------------------------------- */

static bool
same_letter(char a, char b)
{
	return strncasecmp(&a, &b, 1) == 0;
}

static int
least(int a, int b, int c)
{
	int ab = a < b ? a : b;

	return ab < c ? ab : c;
}

/*
 * How many letters are to be left out, put in, changed or swapped with the
 * next to make one word of the other; both at most MAX_WORD long.
 */
static int
distance(const char *a, const char *b)
{
	int na = (int)strlen(a), nb = (int)strlen(b);
	int d[MAX_WORD + 1][MAX_WORD + 1];

	for (int i = 0; i <= na; i++)
		d[i][0] = i;
	for (int j = 0; j <= nb; j++)
		d[0][j] = j;
	for (int i = 1; i <= na; i++) {
		for (int j = 1; j <= nb; j++) {
			bool same = same_letter(a[i - 1], b[j - 1]);

			d[i][j] = least(d[i - 1][j] + 1, d[i][j - 1] + 1,
					d[i - 1][j - 1] + !same);
			if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
			    same_letter(a[i - 2], b[j - 1]) &&
			    d[i - 2][j - 2] + 1 < d[i][j])
				d[i][j] = d[i - 2][j - 2] + 1;
		}
	}
	return d[na][nb];
}

/*
 * The one of 'n' names that 'word' is nearest to, or NULL if it is not like any
 * of them.  The case of letters does not count.
 */
static const char *
nearest_of(const char *word, const char *const names[], int n)
{
	size_t len = strlen(word);
	/* A third of the letters may be wrong, or one of a few. */
	int allowed = len < 2 ? 0 : len < 6 ? 1 : (int)len / 3;
	const char *nearest = NULL;

	if (len > MAX_WORD)
		return NULL;
	for (int i = 0; i < n; i++) {
		int d = strlen(names[i]) <= MAX_WORD ? distance(word, names[i])
						     : MAX_WORD;

		if (d <= allowed) {
			nearest = names[i];
			allowed = d - 1;
		}
	}
	return nearest;
}

bool
hint_name(struct tsl_error *err, const char *dashes, const char *word,
	  const char *const names[], int n)
{
	const char *nearest = nearest_of(word, names, n);

	if (nearest)
		add(err, "did you mean %s%s?", dashes, nearest);
	return nearest;
}

void
hint_help(struct tsl_error *err)
{
	add(err, "see %s -h", message_command());
}

void
hint_value(struct tsl_error *err, const struct opt *table, const char *word)
{
	for (const struct opt *o = table; o->name; o++)
		for (int i = 0;
		     o->choices && o->is_optional && o->help && o->choices[i];
		     i++)
			if (strcmp(o->choices[i], word) == 0) {
				add(err, "did you mean --%s=%s?", o->name,
				    word);
				return;
			}
}

void
hint_output(struct tsl_error *err, const char *operand)
{
	static const char *const suffixes[] = { ".npy", ".npz", ".png" };
	size_t len = strlen(operand);

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
		if (len > 4 && npyio_ends_in(operand, len, suffixes[i]))
			add(err, "did you mean -o %s?", operand);
}

/* ---- slices -------------------------------------------------------------- */

static bool
exists(const char *path)
{
	return access(path, F_OK) == 0;
}

/* The last character before text[pos] that is no blank; '\0': none. */
static char
before(const char *text, int pos)
{
	while (pos > 0 && (text[pos - 1] == ' ' || text[pos - 1] == '\t'))
		pos--;
	return pos > 0 ? text[pos - 1] : '\0';
}

static void
hint_word(struct tsl_error *err, const char *word)
{
	static const char *const words[] = { "None", "Ellipsis", "newaxis",
					     "np.newaxis", "tf.newaxis" };

	if (strcasecmp(word, "true") == 0 || strcasecmp(word, "false") == 0)
		add(err, "a boolean index is not a slice");
	else if (strcmp(word, "T") == 0 || strcmp(word, "transpose") == 0)
		add(err, "axes are put in another order by --axes, or all "
			 "reversed by -T");
	else
		hint_name(err, "", word, words,
			  (int)(sizeof(words) / sizeof(words[0])));
}

void
hint_slice(struct tsl_error *err, const char *text)
{
	char word[MAX_WORD + 1];
	char last;

	if (err->code != TSL_ESYNTAX || err->pos < 0)
		return;
	last = before(text, err->pos);
	if (exists(text)) {
		add(err, "it is the name of a file: IN comes first, then SPEC");
	} else if (text[err->pos] == '[' && (last == ',' || last == '[')) {
		add(err, "a list of indices is not a slice: see tgather");
	} else if (text[err->pos + err->len] == '[' && last == '\0') {
		add(err, "a slice begins with the bracket");
	} else if (err->len <= MAX_WORD) {
		snprintf(word, sizeof(word), "%.*s", err->len, text + err->pos);
		hint_word(err, word);
	}
}

static bool
is_slice(const char *text)
{
	struct tsl_spec spec;

	return tsl_parse(&spec, text, strlen(text), NULL) == TSL_OK;
}

/* Adds what the shell has cut at its blanks, if it is a slice. */
static bool
add_unquoted(struct tsl_error *err, char *const *operands, int n)
{
	char text[128];
	size_t len = 0;

	for (int i = 1; i < n && len < sizeof(text); i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s",
					i > 1 ? " " : "", operands[i]);
	if (len >= sizeof(text) || !is_slice(text))
		return false;
	add(err, "a slice with blanks needs quotes: '%s'", text);
	return true;
}

void
hint_surplus(struct tsl_error *err, char *const *operands, int n,
	     const char *surplus)
{
	/* A single slice is too many beside vectors, and has no blanks. */
	if (n < 3 || add_unquoted(err, operands, n))
		return;
	if (is_slice(operands[1]))
		hint_output(err, surplus);
	else if (is_slice(operands[n - 1]))
		add(err, "-t DIR takes many inputs");
}

void
hint_pipe(struct tsl_error *err, const char *operand)
{
	if (err->sys == ENOENT && is_slice(operand))
		add(err,
		    "a slice stands behind its input, and '-' is what comes "
		    "through a pipe: %s - '%s'",
		    message_command(), operand);
}

void
hint_globbed(struct tsl_error *err, const char *operand)
{
	if (strlen(operand) == 1 && strchr("0123456789:,.-", operand[0]) &&
	    strcmp(operand, "-") != 0 && exists(operand))
		add(err,
		    "a file is called '%s': did the shell take [...] for a "
		    "pattern? Quote slices",
		    operand);
}

/* ---- files --------------------------------------------------------------- */

/* Of more members none is looked for. */
#define MAX_MEMBERS 10000

static void
hint_member_of(struct tsl_error *err, const struct npyio_archive *a,
	       const char *word)
{
	int n = (int)npyio_archive_count(a);
	char(*names)[MAX_WORD + 2] = malloc((size_t)n * sizeof(*names));
	const char **list = malloc((size_t)n * sizeof(*list));

	for (int i = 0; names && list && i < n; i++) {
		int len;
		const char *name = npyio_archive_name(a, i, &len);

		/* What is cut is still longer than any word. */
		snprintf(names[i], sizeof(names[i]), "%.*s", len, name);
		list[i] = names[i];
	}
	if (names && list)
		hint_name(err, "", word, list, n);
	free(names);
	free(list);
}

void
hint_member(struct tsl_error *err, const char *path)
{
	struct npyio_archive *a;
	const char *word;

	/* For a hint nobody far away is asked once more. */
	if (err->code != TSL_ENPZ_MEMBER || npyio_input_is_url(path) ||
	    npyio_archive_open(&a, path, &word, NULL) || !a)
		return;
	if (word && npyio_archive_count(a) > 0 &&
	    npyio_archive_count(a) <= MAX_MEMBERS)
		hint_member_of(err, a, word);
	npyio_archive_close(a);
}

/* Whether a file's name is cut off at text[len], or at the member in it. */
static bool
is_file_before(const char *text, size_t len)
{
	char path[256];
	char *colon;

	if (len >= sizeof(path))
		return false;
	snprintf(path, sizeof(path), "%.*s", (int)len, text);
	colon = strrchr(path, ':');
	if (exists(path))
		return true;
	if (colon)
		*colon = '\0';
	return colon && exists(path);
}

void
hint_joined(struct tsl_error *err, const char *path)
{
	size_t len = strcspn(path, "[");

	if ((err->sys == ENOENT || err->code == TSL_ENPZ_MEMBER) && len > 0 &&
	    path[len] && path[strlen(path) - 1] == ']' &&
	    is_file_before(path, len))
		add(err, "the slice is an operand of its own: %.*s '%s'",
		    (int)len, path, path + len);
}

void
hint_literal(struct tsl_error *err, const char *path)
{
	char *end;
	bool is_word =
		strcasecmp(path, "true") == 0 || strcasecmp(path, "false") == 0;

	(void)strtod(path, &end);
	if (err->sys == ENOENT && *path && (*end == '\0' || is_word))
		add(err, "did you mean --value %s?", path);
}

void
hint_field(struct tsl_error *err, const char *path, const char *slice)
{
	struct npyio_reader *in = NULL;
	char entry[MAX_WORD + 6];
	struct stat st;

	if (err->code != TSL_ESYNTAX || strlen(slice) > MAX_WORD ||
	    strpbrk(slice, "'\\") || stat(path, &st) != 0 ||
	    !S_ISREG(st.st_mode))
		return;
	snprintf(entry, sizeof(entry), "('%s',", slice);
	if (npyio_reader_open(&in, path, NULL) == TSL_OK &&
	    strstr(npyio_reader_array(in)->dtype.descr, entry))
		add(err, "did you mean --field %s?", slice);
	npyio_reader_close(in);
}

/* ---- indices ------------------------------------------------------------- */

void
hint_tuples(struct tsl_error *err, const char *path)
{
	static const char text[] = "not an .npy file but text";

	if (err->code != TSL_EBAD_MAGIC || !err->subject ||
	    strcmp(err->subject, path) != 0 ||
	    strncmp(err->msg, text, strlen(text)) != 0)
		return;
	/* How text becomes an array is no matter here. */
	err->msg[strlen(text)] = '\0';
	add(err, "indices are taken from it by --axis 0 --indices @%s", path);
}

void
hint_axis(struct tsl_error *err, const char *list)
{
	if (err->code == TSL_EINDEX_DEPTH && !strpbrk(list, "@[("))
		add(err, "did you mean --axis 0?");
}

/* ---- what became of an input --------------------------------------------- */

void
hint_emptied(struct tsl_error *err, const char *path)
{
	struct stat in, out;
	int failed = strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &in)
					    : stat(path, &in);

	if (err->code == TSL_EEMPTY_FILE && failed == 0 &&
	    fstat(STDOUT_FILENO, &out) == 0 && S_ISREG(in.st_mode) &&
	    in.st_dev == out.st_dev && in.st_ino == out.st_ino)
		add(err, "the shell emptied it for '>' before it could be "
			 "read: use -o");
}
