/*
 * acl.c - what others than the owner and the group may do with a file
 */
#define _GNU_SOURCE /* O_PATH's descriptors are in /proc; lgetxattr */
#include "acl.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
#include <sys/xattr.h>
#include <unistd.h>

#define ACCESS "system.posix_acl_access"
#define DEFAULT "system.posix_acl_default"

/* linux/posix_acl_xattr.h: a version, then tag, permissions and id of each. */
#define HEADER_NBYTES 4
#define ENTRY_NBYTES 8
enum tag {
	USER_OBJ = 0x01,
	GROUP_OBJ = 0x04,
	MASK = 0x10,
	OTHER = 0x20,
};

/* Without /proc: by a descriptor that can be read from, if there can be one. */
static ssize_t
get_by_opening(int dir, const char *name, const char *attribute,
	       struct npyio_acl *acl)
{
	int fd = openat(dir, name,
			O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY |
				O_CLOEXEC);
	ssize_t n;
	int sys;

	if (fd < 0)
		return -1;
	n = fgetxattr(fd, attribute, acl->bytes, sizeof(acl->bytes));
	sys = errno;
	close(fd);
	errno = sys;
	return n;
}

/* There is no call that takes a directory and a name before Linux 6.13. */
static ssize_t
get_at(int dir, const char *name, const char *attribute, struct npyio_acl *acl)
{
	char path[NAME_MAX + 32];
	ssize_t n;
	int len;

	if (dir == AT_FDCWD)
		return lgetxattr(name, attribute, acl->bytes,
				 sizeof(acl->bytes));
	len = snprintf(path, sizeof(path), "/proc/self/fd/%d/%s", dir, name);
	if (len > 0 && (size_t)len < sizeof(path)) {
		n = lgetxattr(path, attribute, acl->bytes, sizeof(acl->bytes));
		if (n >= 0 || errno != ENOENT)
			return n;
	}
	return get_by_opening(dir, name, attribute, acl);
}

static void
get(struct npyio_acl *acl, int dir, const char *name, const char *attribute)
{
	ssize_t n = get_at(dir, name, attribute, acl);

	acl->nbytes = n > HEADER_NBYTES ? (size_t)n : 0;
	acl->unknown = n < 0 && errno != ENODATA && errno != EOPNOTSUPP &&
		       errno != ENOSYS;
}

void
npyio_acl_get(struct npyio_acl *acl, int dir, const char *name)
{
	get(acl, dir, name, ACCESS);
}

/* Numbers are little-endian, on any machine. */
static unsigned
tag_of(const unsigned char *entry)
{
	return (unsigned)entry[0] | (unsigned)entry[1] << 8;
}

static bool
has(const struct npyio_acl *acl, enum tag tag)
{
	for (size_t i = HEADER_NBYTES; i + ENTRY_NBYTES <= acl->nbytes;
	     i += ENTRY_NBYTES)
		if (tag_of(acl->bytes + i) == tag)
			return true;
	return false;
}

void
npyio_acl_get_default(struct npyio_acl *acl, int dir)
{
	unsigned group;

	get(acl, dir, ".", DEFAULT);
	group = has(acl, MASK) ? MASK : GROUP_OBJ;
	for (size_t i = HEADER_NBYTES; i + ENTRY_NBYTES <= acl->nbytes;
	     i += ENTRY_NBYTES) {
		unsigned tag = tag_of(acl->bytes + i);

		if (tag == USER_OBJ || tag == OTHER || tag == group)
			acl->bytes[i + 2] &= 06;
	}
}

bool
npyio_acl_set(int fd, const struct npyio_acl *acl)
{
	return acl->nbytes > 0 &&
	       fsetxattr(fd, ACCESS, acl->bytes, acl->nbytes, 0) == 0;
}

void
npyio_acl_remove(int fd)
{
	/* To look is cheaper than to remove what is not there. */
	if (fgetxattr(fd, ACCESS, NULL, 0) > 0)
		(void)fremovexattr(fd, ACCESS);
}
