/*
 * hint.c - what was probably meant, for who mistyped something
 */
#include "hint.h"

#include "cli/report/message.h"
#include "lib/spec/parse.h"
#include "npyio/input/archive.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* No name is longer, and what is longer is not like any. */
#define MAX_WORD 32

/* Adds "; " and the words to the error's, if there is room for all of them. */
static void TSL_PRINTF(2, 3) add(struct tsl_error *err, const char *fmt, ...)
{
	size_t len = strlen(err->msg);
	size_t room = sizeof(err->msg) - len;
	char words[sizeof(err->msg)];
	va_list ap;
	int n;

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

const char *
hint_nearest(const char *word, const char *const names[], int n)
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
	const char *nearest = hint_nearest(word, names, n);

	if (nearest)
		add(err, "did you mean %s%s?", dashes, nearest);
	return nearest;
}

void
hint_help(struct tsl_error *err)
{
	add(err, "see %s -h", message_command());
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

void
hint_unquoted(struct tsl_error *err, char *const *operands, int n)
{
	struct tsl_spec spec;
	char text[128];
	size_t len = 0;

	for (int i = 1; i < n && len < sizeof(text); i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s",
					i > 1 ? " " : "", operands[i]);
	if (len < sizeof(text) && tsl_parse(&spec, text, len, NULL) == TSL_OK)
		add(err, "a slice with blanks needs quotes: '%s'", text);
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

	if (err->code != TSL_ENPZ_MEMBER ||
	    npyio_archive_open(&a, path, &word, NULL) || !a)
		return;
	if (word && npyio_archive_count(a) > 0 &&
	    npyio_archive_count(a) <= MAX_MEMBERS)
		hint_member_of(err, a, word);
	npyio_archive_close(a);
}

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
