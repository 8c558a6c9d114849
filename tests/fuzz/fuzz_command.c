/*
 * fuzz_command.c - a whole command on any arguments and any files
 *
 * The input is: a byte that chooses the command, one that chooses how its
 * files come and where the result goes, arguments with a newline behind each
 * and a NUL behind all, and the files, an empty line between them.  In an
 * argument '@' alone stands for the first file, '%' for the second and '&' for
 * the third, "@@" for '@' and the first one's name, and '@:NAME' for a member
 * of the first.
 *
 * Property: the exit status is one that there is, and a result that was begun
 * is whole or gone.
 */
#define _GNU_SOURCE /* memfd_create, memmem */
#include "cli/applet.h"
#include "fuzz.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define MAX_ARGS 12
#define MAX_PIPE 65536 /* bytes that a pipe takes at once */

#define APPLET(name) &name##_applet,
static const struct applet *const applets[] = { APPLETS(APPLET) };
#undef APPLET

#define N_APPLETS (sizeof(applets) / sizeof(applets[0]))

/* A result of any shape may be asked for; no disk has room for all of them. */
#define MAX_RESULT (16 * 1024 * 1024)

enum { FROM_FILE, FROM_STDIN, FROM_PIPE };

/* The commands run here, where no name that they make up does any harm. */
static char directory[] = "/tmp/tslice-fuzz.XXXXXX";
static char out_name[] = "o.npy";

static void
tidy_up(void)
{
	rmdir(directory);
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const struct rlimit most = { MAX_RESULT, MAX_RESULT };

	(void)argc;
	(void)argv;
	must(mkdtemp(directory));
	must(setrlimit(RLIMIT_FSIZE, &most) == 0);
	signal(SIGXFSZ, SIG_IGN);
	atexit(tidy_up);
	return 0;
}

/* ---- files --------------------------------------------------------------- */

struct file {
	int fd;
	char name[32];
};

static void
make_file(struct file *f, const uint8_t *bytes, size_t size)
{
	f->fd = memfd_create("fuzz", MFD_CLOEXEC);
	must(f->fd >= 0 && write(f->fd, bytes, size) == (ssize_t)size);
	must(lseek(f->fd, 0, SEEK_SET) == 0);
	snprintf(f->name, sizeof(f->name), "/dev/fd/%d", f->fd);
}

/* Puts a file at standard input, or all of it into a pipe there. */
static void
feed(int how, const uint8_t *bytes, size_t size)
{
	struct file f;
	int ends[2];

	if (how == FROM_PIPE && size < MAX_PIPE) {
		must(pipe(ends) == 0);
		must(write(ends[1], bytes, size) == (ssize_t)size);
		must(dup2(ends[0], STDIN_FILENO) == STDIN_FILENO);
		close(ends[0]);
		close(ends[1]);
		return;
	}
	make_file(&f, bytes, size);
	must(dup2(f.fd, STDIN_FILENO) == STDIN_FILENO);
	close(f.fd);
}

/* ---- one command --------------------------------------------------------- */

struct command {
	int argc;
	char *argv[MAX_ARGS + 4];
	char text[512];
	char first[32], second[32], third[32], at_first[40];
	char member[64];
};

static void
add(struct command *c, char *arg)
{
	c->argv[c->argc++] = arg;
}

/*
 * No name but ours may be written, no thread started, and nothing opened that
 * may have no end.
 */
static bool
is_harmless(const char *s)
{
	if (strchr(s, '/'))
		return false;
	if (s[0] == '-' && s[1] == '-')
		return strncmp(s, "--ou", 4) != 0 && strcmp(s, "--o") != 0 &&
		       s[2] != 't';
	return s[0] != '-' || (!strchr(s, 'o') && !strchr(s, 'j'));
}

static char *
name_for(struct command *c, char *s)
{
	if (strcmp(s, "@") == 0)
		return c->first;
	if (strcmp(s, "@@") == 0)
		return c->at_first;
	if (strcmp(s, "%") == 0)
		return c->second;
	if (strncmp(s, "@:", 2) == 0) {
		snprintf(c->member, sizeof(c->member), "%s%.20s", c->first,
			 s + 1);
		return c->member;
	}
	return strcmp(s, "&") == 0 ? c->third : s;
}

/* The lines of the text, names for '@', '%' and '&'. */
static void
take_arguments(struct command *c)
{
	char *save = NULL;

	for (char *s = strtok_r(c->text, "\n", &save); s && c->argc < MAX_ARGS;
	     s = strtok_r(NULL, "\n", &save))
		if (is_harmless(s))
			add(c, name_for(c, s));
}

static void
choose_output(struct command *c, int how)
{
	static char o[] = "-o", j[] = "-j1";
	static char print[][16] = { "--print",       "--print=full",
				    "--print=plain", "--print=csv",
				    "--print=tsv",   "--image",
				    "--print=json" };

	add(c, j);
	if (how % 3 == 1)
		add(c, print[how / 3 % 7]);
	if (how % 3 == 2) {
		add(c, o);
		add(c, out_name);
	}
}

/* getopt() may stand within a word that the last command has refused. */
static void
reset_getopt(void)
{
	static char name[] = "x";
	char *const argv[] = { name, NULL };

	optind = 0;
	(void)getopt(1, argv, "-");
}

/* Runs it with nothing to see; returns its exit status. */
static int
run(const struct applet *applet, struct command *c)
{
	FILE *out = stdout, *err = stderr;
	int saved = dup(STDOUT_FILENO);
	int null = open("/dev/null", O_WRONLY);
	int status;

	must(saved >= 0 && dup2(null, STDOUT_FILENO) == STDOUT_FILENO);
	stdout = fdopen(dup(null), "w");
	stderr = fdopen(dup(null), "w");
	reset_getopt();
	status = applet->main(c->argc, c->argv);
	fclose(stdout);
	fclose(stderr);
	stdout = out;
	stderr = err;
	dup2(saved, STDOUT_FILENO);
	close(saved);
	close(null);
	return status;
}

/* No temporary file lies there, and a result only where all went well. */
static void
check_result(bool done)
{
	DIR *d = opendir(".");
	struct dirent *e;

	must(d);
	while ((e = readdir(d))) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		must(done && e->d_name[0] != '.');
		must(unlink(e->d_name) == 0);
	}
	closedir(d);
}

/* What is behind the next empty line, or all there is; *n: how much before. */
static const uint8_t *
next_file(const uint8_t *files, size_t size, size_t *n)
{
	const uint8_t *end = memmem(files, size, "\n\n\x93", 3);

	*n = end ? (size_t)(end - files) : size;
	return end ? end + 2 : files;
}

static void
run_on(const struct applet *applet, int how, struct command *c,
       const uint8_t *files, size_t size)
{
	const uint8_t *end = files + size;
	size_t n, nrest, n_last;
	const uint8_t *rest = next_file(files, size, &n);
	const uint8_t *last = next_file(rest, (size_t)(end - rest), &nrest);
	int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct file a, b, z;
	int status;

	must(here >= 0);
	n_last = (size_t)(end - last);
	make_file(&a, files, n);
	make_file(&b, rest, nrest);
	make_file(&z, last, n_last);
	strcpy(c->first, how % 3 == FROM_FILE ? a.name : "-");
	strcpy(c->second, how / 3 % 2 ? "-" : b.name);
	strcpy(c->third, z.name);
	snprintf(c->at_first, sizeof(c->at_first), "@%s", c->first);
	if (how % 3 != FROM_FILE)
		feed(how % 3, files, size);
	else if (how / 3 % 2)
		feed(FROM_PIPE, rest, nrest);
	choose_output(c, how / 6);
	take_arguments(c);
	add(c, NULL);
	c->argc--;
	must(chdir(directory) == 0);
	status = run(applet, c);
	must(status >= 0 && status <= 5);
	must(status != 1 || applet == &tshape_applet || applet == &tcmp_applet);
	check_result(status <= 1);
	must(fchdir(here) == 0);
	close(here);
	close(a.fd);
	close(b.fd);
	close(z.fd);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct applet *applet;
	struct command c = { .argc = 0 };
	const uint8_t *end;

	if (size < 3)
		return 0;
	applet = applets[data[0] % N_APPLETS];
	end = memchr(data + 2, 0, size - 2);
	if (!end || (size_t)(end - data) - 2 >= sizeof(c.text))
		return 0;
	memcpy(c.text, data + 2, (size_t)(end - data) - 2);
	add(&c, (char *)(uintptr_t)applet->name);
	run_on(applet, data[1], &c, end + 1, size - (size_t)(end + 1 - data));
	return 0;
}
