/*
 * limit.c - how much memory the system lets this process have
 */
#include "limit.h"

#include "fd.h"
#include "lib/base/minmax.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Reads the begin of a small file, as a string. */
static bool
read_small(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t n = 0;
	enum tsl_status status;

	if (fd < 0)
		return false;
	status = npyio_fd_read(fd, text, size - 1, &n, NULL);
	close(fd);
	text[n] = '\0';
	return !status;
}

/* "max", and what is no number, is no limit. */
static int64_t
limit_in(const char *path)
{
	char text[32];
	long long n;

	if (!read_small(path, text, sizeof(text)))
		return INT64_MAX;
	n = strtoll(text, NULL, 10);
	return n > 0 ? n : INT64_MAX;
}

/*
 * In a container the root of what is mounted is often our own group, or one
 * between, and the path is the host's: what is not there says nothing.
 */
static int64_t
least_upwards(const char *mount, char *group, const char *file)
{
	char path[PATH_MAX];
	int64_t least = INT64_MAX;
	char *slash;

	do {
		int n;

		slash = strrchr(group, '/');
		/* The root's own path is its slash. */
		if (slash && slash[1] == '\0')
			*slash = '\0';
		n = snprintf(path, sizeof(path), "%s%s/%s", mount, group, file);
		if (n > 0 && (size_t)n < sizeof(path))
			least = tsl_min(least, limit_in(path));
		slash = strrchr(group, '/');
		if (slash)
			*slash = '\0';
	} while (slash);
	return least;
}

static bool
has_memory(const char *controllers, size_t len)
{
	static const char name[] = "memory";
	const size_t n = sizeof(name) - 1;

	for (size_t i = 0; i + n <= len; i++)
		if (strncmp(controllers + i, name, n) == 0 &&
		    (i == 0 || controllers[i - 1] == ',') &&
		    (i + n == len || controllers[i + n] == ','))
			return true;
	return false;
}

/* A line of /proc/self/cgroup: number, controllers, path; cgroups(7). */
static int64_t
limit_of_line(char *line)
{
	char *controllers = strchr(line, ':');
	char *path = controllers ? strchr(controllers + 1, ':') : NULL;

	if (!path)
		return INT64_MAX;
	controllers++;
	if (path == controllers)
		return least_upwards("/sys/fs/cgroup", path + 1, "memory.max");
	if (has_memory(controllers, (size_t)(path - controllers)))
		return least_upwards("/sys/fs/cgroup/memory", path + 1,
				     "memory.limit_in_bytes");
	return INT64_MAX;
}

/* What the machine has. */
static int64_t
physical_memory(void)
{
	int64_t pages = sysconf(_SC_PHYS_PAGES);
	int64_t page = sysconf(_SC_PAGESIZE);

	return pages > 0 && page > 0 && pages <= INT64_MAX / page ? pages * page
								  : INT64_MAX;
}

int64_t
npyio_memory_limit(void)
{
	char text[8192];
	int64_t least = physical_memory();
	struct rlimit rlimit;
	char *rest = text;

	if (getrlimit(RLIMIT_AS, &rlimit) == 0 &&
	    rlimit.rlim_cur < (rlim_t)INT64_MAX)
		least = tsl_min(least, (int64_t)rlimit.rlim_cur);
	if (!read_small("/proc/self/cgroup", text, sizeof(text)))
		return least;
	while (rest) {
		char *line = rest;

		rest = strchr(line, '\n');
		if (rest)
			*rest++ = '\0';
		least = tsl_min(least, limit_of_line(line));
	}
	return least;
}
