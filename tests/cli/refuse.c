/*
 * refuse.c - makes the n-th of some calls fail, in a program it is loaded into
 *
 * Built and preloaded by 25-memory.bats.  In the environment:
 *
 *	REFUSE_ALLOC=N	the N-th allocation, counted from main() on, fails;
 *			with REFUSE_EVER=1 all that follow fail too
 *	REFUSE_LOG=FILE	is created when that happens
 *	SHORT=N		reads, writes and copies move N bytes at most
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_long seen;
static long which;
static bool for_ever;
static const char *log_name;
static size_t most;

static long
number(const char *name)
{
	const char *text = getenv(name);

	return text ? strtol(text, NULL, 10) : 0;
}

__attribute__((constructor)) static void
start(void)
{
	log_name = getenv("REFUSE_LOG");
	for_ever = number("REFUSE_EVER");
	most = (size_t)number("SHORT");
	atomic_store(&seen, 0);
	which = number("REFUSE_ALLOC");
}

static bool
refused(void)
{
	long n = which ? atomic_fetch_add(&seen, 1) + 1 : 0;

	if (!which || n < which || (n > which && !for_ever))
		return false;
	if (n == which && log_name)
		close(open(log_name, O_WRONLY | O_CREAT, 0600));
	errno = ENOMEM;
	return true;
}

static size_t
shorter(size_t n)
{
	return most && n > most ? most : n;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);

void *
malloc(size_t n)
{
	return refused() ? NULL : __libc_malloc(n);
}

void *
calloc(size_t n, size_t size)
{
	return refused() ? NULL : __libc_calloc(n, size);
}

void *
realloc(void *p, size_t n)
{
	return refused() ? NULL : __libc_realloc(p, n);
}

ssize_t
read(int fd, void *buf, size_t n)
{
	return REAL(read)(fd, buf, shorter(n));
}

ssize_t
pread(int fd, void *buf, size_t n, off_t at)
{
	return REAL(pread)(fd, buf, shorter(n), at);
}

ssize_t
write(int fd, const void *buf, size_t n)
{
	return REAL(write)(fd, buf, shorter(n));
}

ssize_t
copy_file_range(int in, off_t *from, int out, off_t *to, size_t n,
		unsigned int flags)
{
	return REAL(copy_file_range)(in, from, out, to, shorter(n), flags);
}

ssize_t
pwrite(int fd, const void *buf, size_t n, off_t at)
{
	return REAL(pwrite)(fd, buf, shorter(n), at);
}
