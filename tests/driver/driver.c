/*
 * driver.c - runs one command after another in one process, for tests
 *
 * usage: driver FD
 *
 * FD is a SOCK_SEQPACKET socket.  A message there is a command: struct request,
 * the numbers that the descriptors sent with it shall have (0, 1 and 2 are
 * always among them), the directory to run it in and its arguments, each of
 * these texts with a NUL behind it.  No arguments: see whether memory has
 * leaked since the last time, and report it on the descriptor 2 that was sent.
 * The answer is the exit status, once all of these descriptors are closed.
 *
 * What a command leaves in its variables is forgotten before the next one runs:
 * those of the program are made what they were before the first.  A command
 * that ends the process ends this one, too; who asked sees how, as a shell
 * would.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#define leaks() (__lsan_do_recoverable_leak_check() != 0)
#define UNCHECKED __attribute__((no_sanitize("address")))
#else
#define leaks() false
#define UNCHECKED
#endif

#define MAX_MESSAGE 131072
#define MAX_ARGS 4096
#define MAX_FDS 32
#define LEAKED 23
#define FIRST_KEPT 200 /* descriptors from there on are the driver's */

struct request {
	uint32_t nfds, nargs;
};

/* cli/main.c, under another name. */
int process_main(int argc, char **argv);

/* ---- the program's variables --------------------------------------------- */

/* The linker's: where the variables of the program, not of libraries, lie. */
extern char __data_start[], end[];

struct state {
	size_t size;
	char *copy;
};

/* Not memcpy(), which a sanitizer would not let have what is between them. */
UNCHECKED static void
copy_all(char *to, const char *from, size_t size)
{
	const volatile uint64_t *f = (const volatile uint64_t *)from;
	volatile uint64_t *t = (volatile uint64_t *)to;

	for (size_t i = 0; i < size / sizeof(*f); i++)
		if (t[i] != f[i])
			t[i] = f[i];
}

static char *
first_variable(void)
{
	return (char *)(((uintptr_t)__data_start + 7) & ~(uintptr_t)7);
}

static bool
keep_state(struct state *s)
{
	s->size = (size_t)(end - first_variable());
	s->copy = malloc(s->size);
	if (s->copy)
		copy_all(s->copy, first_variable(), s->size);
	return s->copy != NULL;
}

/*
 * getopt() may stand within a word that the last command has refused, and takes
 * the order of operands ("-") from its first call.  What could not be written
 * must not be tried again.
 */
static void
forget(const struct state *s)
{
	static char name[] = "x";
	char *const argv[] = { name, NULL };

	copy_all(first_variable(), s->copy, s->size);
	optind = 0;
	(void)getopt(1, argv, "-");
	__fpurge(stdin);
	__fpurge(stdout);
	__fpurge(stderr);
	clearerr(stdin);
	clearerr(stdout);
	clearerr(stderr);
}

/* ---- one command --------------------------------------------------------- */

struct message {
	char bytes[MAX_MESSAGE + 1];
	size_t size;
	int fds[MAX_FDS];
	size_t nfds;
};

static bool
receive(int from, struct message *m)
{
	union {
		char bytes[CMSG_SPACE(sizeof(m->fds))];
		struct cmsghdr align;
	} control;
	struct iovec v = { m->bytes, MAX_MESSAGE };
	struct msghdr h = { .msg_iov = &v,
			    .msg_iovlen = 1,
			    .msg_control = &control,
			    .msg_controllen = sizeof(control) };
	ssize_t n = recvmsg(from, &h, MSG_CMSG_CLOEXEC);
	struct cmsghdr *c = CMSG_FIRSTHDR(&h);

	if (n < (ssize_t)sizeof(struct request) || !c ||
	    (h.msg_flags & (MSG_TRUNC | MSG_CTRUNC)))
		return false;
	m->size = (size_t)n;
	m->bytes[n] = '\0';
	m->nfds = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
	memcpy(m->fds, CMSG_DATA(c), m->nfds * sizeof(int));
	return true;
}

/* The texts behind the numbers: a directory, then arguments. */
static bool
split(struct message *m, const struct request *r, char *texts[])
{
	size_t at = sizeof(*r) + r->nfds * sizeof(int32_t);

	if (r->nfds != m->nfds || r->nargs >= MAX_ARGS)
		return false;
	for (uint32_t i = 0; i <= r->nargs; i++) {
		if (at >= m->size)
			return false;
		texts[i] = m->bytes + at;
		at += strlen(texts[i]) + 1;
	}
	texts[r->nargs + 1] = NULL;
	return at == m->size;
}

/* Those that were sent get their numbers, which none of them has by chance. */
static bool
place(const struct message *m)
{
	int32_t number[MAX_FDS];

	memcpy(number, m->bytes + sizeof(struct request),
	       m->nfds * sizeof(*number));
	for (size_t i = 0; i < m->nfds; i++) {
		if (dup2(m->fds[i], number[i]) != number[i])
			return false;
		close(m->fds[i]);
	}
	return true;
}

/* What was sent, and what a command has left open. */
static void
close_all(int null)
{
	for (int fd = 0; fd < FIRST_KEPT; fd++)
		if (fd <= STDERR_FILENO)
			dup2(null, fd);
		else
			close(fd);
}

static int
run(const struct request *r, char *texts[])
{
	int status;

	if (r->nargs == 0)
		return leaks() ? LEAKED : 0;
	if (chdir(texts[0]) != 0)
		return -1;
	status = process_main((int)r->nargs, texts + 1);
	fflush(stderr);
	return status;
}

static bool
serve(int s, int null, const struct state *state, struct message *m)
{
	char *texts[MAX_ARGS + 2];
	struct request r;
	int32_t status;

	if (!receive(s, m))
		return false;
	memcpy(&r, m->bytes, sizeof(r));
	if (!split(m, &r, texts) || !place(m))
		return false;
	status = run(&r, texts);
	close_all(null);
	if (r.nargs > 0)
		forget(state);
	return send(s, &status, sizeof(status), 0) == sizeof(status);
}

int
main(int argc, char **argv)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct message *m = malloc(sizeof(*m));
	struct state state;
	int s, high;

	if (argc != 2 || null < 0 || !m)
		return 2;
	/* Out of the way of the numbers that tests ask for. */
	s = fcntl(atoi(argv[1]), F_DUPFD_CLOEXEC, FIRST_KEPT);
	high = fcntl(null, F_DUPFD_CLOEXEC, FIRST_KEPT);
	if (s < 0 || high < 0)
		return 2;
	close(atoi(argv[1]));
	close(null);
	if (!keep_state(&state))
		return 2;
	while (serve(s, high, &state, m))
		;
	return 0;
}
