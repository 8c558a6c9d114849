/*
 * shared_descriptor.c - a descriptor that several have, and the last closes
 */
#include "shared_descriptor.h"

#include "npyio/remote/remote.h"

#include <stdlib.h>
#include <unistd.h>

static void
end(int fd, struct npyio_remote *remote)
{
	if (remote)
		npyio_remote_close(remote);
	else
		close(fd);
}

static struct npyio_shared_descriptor *
share(int fd, struct npyio_remote *remote)
{
	struct npyio_shared_descriptor *s = malloc(sizeof(*s));

	if (!s) {
		end(fd, remote);
		return NULL;
	}
	s->fd = fd;
	s->remote = remote;
	atomic_init(&s->users, 1);
	return s;
}

struct npyio_shared_descriptor *
npyio_shared_descriptor_new(int fd)
{
	return share(fd, NULL);
}

struct npyio_shared_descriptor *
npyio_shared_descriptor_of(struct npyio_remote *remote)
{
	return share(npyio_remote_file(remote), remote);
}

struct npyio_shared_descriptor *
npyio_shared_descriptor_hold(struct npyio_shared_descriptor *s)
{
	atomic_fetch_add(&s->users, 1);
	return s;
}

void
npyio_shared_descriptor_drop(struct npyio_shared_descriptor *s)
{
	if (!s || atomic_fetch_sub(&s->users, 1) > 1)
		return;
	end(s->fd, s->remote);
	free(s);
}
