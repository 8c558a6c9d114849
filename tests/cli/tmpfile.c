/*
 * tmpfile.c - no file system has files without a name, for a program that it is
 * loaded into
 *
 * Built and preloaded by without_tmpfile in faults.bash.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>

typedef int opener(int dir, const char *path, int flags, ...);

static int
refuse_or_open(const char *name, int dir, const char *path, int flags, int mode)
{
	if ((flags & O_TMPFILE) == O_TMPFILE) {
		errno = EOPNOTSUPP;
		return -1;
	}
	return ((opener *)dlsym(RTLD_NEXT, name))(dir, path, flags, mode);
}

#define OPENER(name)                                                       \
	int name(int dir, const char *path, int flags, ...);               \
	int name(int dir, const char *path, int flags, ...)                \
	{                                                                  \
		va_list ap;                                                \
		int mode;                                                  \
                                                                           \
		va_start(ap, flags);                                       \
		mode = flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE \
			       ? va_arg(ap, int)                           \
			       : 0;                                        \
		va_end(ap);                                                \
		return refuse_or_open(#name, dir, path, flags, mode);      \
	}

#undef openat
#undef openat64
OPENER(openat)
OPENER(openat64)
