/*
 * member_name.c - outputs that are members of an archive, by their names
 */
#include "member_name.h"

#include "npyio/format/zip_write.h"
#include "npyio/input/archive.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char *
npyio_member_name_of(const char *path, size_t *file_len)
{
	const char *found;
	struct stat st;

	if (!strchr(path, ':') || lstat(path, &st) == 0)
		return NULL;
	if (npyio_archive_leads_in(path, file_len))
		return path + *file_len + 1;
	found = npyio_container_member_in(path, strlen(path),
					  &npyio_zip_container);
	if (found)
		*file_len = (size_t)(found - path) - 1;
	return found;
}

static bool
is_part(const char *s, size_t len)
{
	return len > 2 || (len > 0 && strncmp(s, "..", len) != 0);
}

enum tsl_status
npyio_member_name_check(const char *name, struct tsl_error *err)
{
	const char *part = name;

	if (strlen(name) + strlen(NPYIO_MEMBER_SUFFIX) > NPYIO_ZIP_MAX_NAME)
		return tsl_fail(err, TSL_EUSAGE,
				"a member's name has 65531 bytes at most");
	if (strchr(name, '\\'))
		return tsl_fail(err, TSL_EUSAGE,
				"a member's name has no backslash: some take "
				"it for a slash");
	for (;;) {
		size_t len = strcspn(part, "/");

		if (!is_part(part, len))
			return tsl_fail(err, TSL_EUSAGE,
					"a member is named as in "
					"FILE.npz:NAME or FILE.npz:A/B, with "
					"no part empty, '.' or '..'");
		if (part[len] == '\0')
			return TSL_OK;
		part += len + 1;
	}
}

char *
npyio_member_name_new(const char *name)
{
	size_t len = strlen(name), n = strlen(NPYIO_MEMBER_SUFFIX);
	char *full = malloc(len + n + 1);

	if (!full)
		return NULL;
	memcpy(full, name, len + 1);
	if (len < n || strcmp(name + len - n, NPYIO_MEMBER_SUFFIX) != 0)
		memcpy(full + len, NPYIO_MEMBER_SUFFIX, n + 1);
	return full;
}
