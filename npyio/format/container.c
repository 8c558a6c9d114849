/*
 * container.c - the kinds of files that hold arrays with names
 */
#include "container.h"

#include "text.h"

#include <string.h>

static const struct npyio_container *const kinds[] = {
	&npyio_safetensors_container,
	&npyio_zip_container,
};

#define N_KINDS (sizeof(kinds) / sizeof(kinds[0]))

const struct npyio_container *
npyio_container_of(const char *path, const unsigned char *first, size_t n)
{
	for (size_t i = 0; i < N_KINDS; i++)
		if (kinds[i]->is(path, first, n))
			return kinds[i];
	return NULL;
}

const struct npyio_container *
npyio_container_by_name(const char *path, size_t len)
{
	for (size_t i = 0; i < N_KINDS; i++)
		if (npyio_ends_in(path, len, kinds[i]->file_suffix))
			return kinds[i];
	return NULL;
}

const char *
npyio_container_member_in(const char *path, size_t len,
			  const struct npyio_container *kind)
{
	for (size_t i = 0; i < len; i++) {
		const struct npyio_container *found =
			path[i] == ':' ? npyio_container_by_name(path, i)
				       : NULL;

		if (found && (!kind || found == kind))
			return path + i + 1;
	}
	return NULL;
}
