/*
 * shared_descriptor.h - a descriptor that several have, and the last closes
 *
 * So that thousands of an archive's members are one open file.  Those who have
 * it may be of several threads.
 */
#ifndef NPYIO_SHARED_DESCRIPTOR_H
#define NPYIO_SHARED_DESCRIPTOR_H

#include <stdatomic.h>

struct npyio_remote;

struct npyio_shared_descriptor {
	int fd;
	atomic_int users;
	struct npyio_remote *remote; /* that brings its bytes; or NULL */
};

/* npyio_shared_descriptor_new() is of one user; NULL: no memory, and 'fd' is
 * closed. */
struct npyio_shared_descriptor *npyio_shared_descriptor_new(int fd);

/* npyio_shared_descriptor_of() is that of a remote file; NULL: no memory, and
 * that is closed. */
struct npyio_shared_descriptor *
npyio_shared_descriptor_of(struct npyio_remote *remote);

/* npyio_shared_descriptor_hold() is for one more; returns it. */
struct npyio_shared_descriptor *
npyio_shared_descriptor_hold(struct npyio_shared_descriptor *s);
void npyio_shared_descriptor_drop(
	struct npyio_shared_descriptor *s); /* NULL is allowed */

#endif /* NPYIO_SHARED_DESCRIPTOR_H */
