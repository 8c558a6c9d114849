/*
 * acl.h - what others than the owner and the group may do with a file
 *
 * Linux shows the access control lists of POSIX as extended attributes.  With
 * one, the group's bits of a file's mode are the most that anybody in the list
 * is allowed, and not what the group is.
 */
#ifndef NPYIO_ACL_H
#define NPYIO_ACL_H

#include <stdbool.h>
#include <stddef.h>

/* Some 500 entries: more than ext4 or xfs have room for by default. */
#define NPYIO_MAX_ACL 4100

struct npyio_acl {
	bool unknown; /* there may be one, and it cannot be read */
	size_t nbytes; /* 0: there is none */
	unsigned char bytes[NPYIO_MAX_ACL];
};

/*
 * npyio_acl_get() reads that of the file 'name' in the directory 'dir', or of
 * new files in the directory, as open(2) with mode 0666 would give it.
 */
void npyio_acl_get(struct npyio_acl *acl, int dir, const char *name);
void npyio_acl_get_default(struct npyio_acl *acl, int dir);

/*
 * npyio_acl_set() gives the file 'fd' a list that there is, and so its mode,
 * or says that it cannot be.
 */
bool npyio_acl_set(int fd, const struct npyio_acl *acl);

/* npyio_acl_remove() takes away a list that came from the directory. */
void npyio_acl_remove(int fd);

#endif /* NPYIO_ACL_H */
