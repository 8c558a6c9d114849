/*
 * name_list.c - operands that stand in a file, each ended by a NUL byte
 */
#define _GNU_SOURCE /* getdelim */
#include "name_list.h"

#include "npyio/file/fd.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* There is room for a power of two. */
enum tsl_status
name_list_add(struct name_list *list, const char *name, struct tsl_error *err)
{
	bool is_full = (list->n & (list->n - 1)) == 0;

	if (list->n > INT_MAX / 2)
		return tsl_no_memory(err);
	if (is_full) {
		size_t cap = list->n ? 2 * (size_t)list->n : 1;
		char **more = realloc(list->name, cap * sizeof(*more));

		if (!more)
			return tsl_no_memory(err);
		list->name = more;
	}
	list->name[list->n] = strdup(name);
	if (!list->name[list->n])
		return tsl_no_memory(err);
	list->n++;
	return TSL_OK;
}

static enum tsl_status
read_all(struct name_list *list, FILE *f, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;
	char *line = NULL;
	size_t cap = 0;

	while (!status && getdelim(&line, &cap, '\0', f) >= 0)
		status = name_list_add(list, line, err);
	if (!status && !feof(f))
		status = npyio_fail_sys(err, "cannot read");
	free(line);
	return status;
}

enum tsl_status
name_list_read(struct name_list *list, const char *path, struct tsl_error *err)
{
	bool standard = strcmp(path, "-") == 0;
	FILE *f = standard ? stdin : fopen(path, "re");
	enum tsl_status status =
		f ? read_all(list, f, err) : npyio_fail_sys(err, "cannot open");

	if (status && err)
		err->subject = standard ? "standard input" : path;
	if (f && !standard)
		fclose(f);
	return status;
}

void
name_list_free(struct name_list *list)
{
	for (int i = 0; i < list->n; i++)
		free(list->name[i]);
	free(list->name);
	*list = (struct name_list){ .n = 0 };
}
