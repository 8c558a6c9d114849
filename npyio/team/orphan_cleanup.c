/*
 * orphan_cleanup.c - who removes the temporary file if this process is killed
 */
#define _GNU_SOURCE /* syscall() */
#include "orphan_cleanup.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* No path ends in it. */
#define DONE '\n'

/* What the socket brings, to its end: a path, and perhaps that it is done. */
static void
watch(int fd)
{
	static char path[PATH_MAX + 2];
	size_t n = 0;
	ssize_t r;

	do {
		r = read(fd, path + n, sizeof(path) - 1 - n);
		if (r > 0)
			n += (size_t)r;
	} while ((r > 0 && n < sizeof(path) - 1) || (r < 0 && errno == EINTR));
	if (n == 0 || path[n - 1] == DONE)
		return;
	path[n] = '\0';
	unlink(path);
}

/* What would be left open keeps the launcher's pipes from ending. */
static void
close_others(int fd)
{
	long most = sysconf(_SC_OPEN_MAX);

#ifdef SYS_close_range
	/* There may be room for a million of them. */
	if (fd > 0 && syscall(SYS_close_range, 0U, (unsigned)fd - 1, 0U) == 0 &&
	    syscall(SYS_close_range, (unsigned)fd + 1, ~0U, 0U) == 0)
		return;
#endif
	if (most < 0 || most > 65536)
		most = 65536;
	for (int i = 0; i < (int)most; i++)
		if (i != fd)
			close(i);
}

int
npyio_orphan_cleanup_start(void)
{
	int ends[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
		return -1;
	pid = fork();
	if (pid == 0) {
		setsid();
		close_others(ends[0]);
		watch(ends[0]);
		_exit(0);
	}
	close(ends[0]);
	if (pid < 0) {
		close(ends[1]);
		return -1;
	}
	(void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	return ends[1];
}

/* Its path from the root: directories may have been named by their place. */
static bool
path_of(const struct npyio_output_path *at, const char *name,
	char path[PATH_MAX])
{
	char link[40];
	ssize_t n;

	if (at->dir == AT_FDCWD)
		snprintf(link, sizeof(link), "/proc/self/cwd");
	else
		snprintf(link, sizeof(link), "/proc/self/fd/%d", at->dir);
	n = readlink(link, path, PATH_MAX);
	return n > 0 && n < PATH_MAX &&
	       snprintf(path + n, (size_t)(PATH_MAX - n), "/%s", name) <
		       PATH_MAX - n;
}

void
npyio_orphan_cleanup_watch(int cleanup, const struct npyio_output_path *at,
			   const char *name)
{
	char path[PATH_MAX];

	if (cleanup >= 0 && path_of(at, name, path))
		(void)!send(cleanup, path, strlen(path), MSG_NOSIGNAL);
}

void
npyio_orphan_cleanup_release(int cleanup)
{
	const char done = DONE;

	if (cleanup < 0)
		return;
	(void)!send(cleanup, &done, 1, MSG_NOSIGNAL);
	close(cleanup);
}
