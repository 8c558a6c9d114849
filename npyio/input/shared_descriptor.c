/*
 * shared_descriptor.c - a descriptor that several have, and the last closes
 */
#include "shared_descriptor.h"

#include <stdlib.h>
#include <unistd.h>

struct npyio_shared_descriptor *
npyio_shared_descriptor_new(int fd)
{
	struct npyio_shared_descriptor *s = malloc(sizeof(*s));

	if (s)
		*s = (struct npyio_shared_descriptor){ .fd = fd, .users = 1 };
	else
		close(fd);
	return s;
}

struct npyio_shared_descriptor *
npyio_shared_descriptor_hold(struct npyio_shared_descriptor *s)
{
	s->users++;
	return s;
}

void
npyio_shared_descriptor_drop(struct npyio_shared_descriptor *s)
{
	if (!s || --s->users > 0)
		return;
	close(s->fd);
	free(s);
}
