/*
 * name_list.h - operands that stand in a file, each ended by a NUL byte
 */
#ifndef CLI_NAME_LIST_H
#define CLI_NAME_LIST_H

#include "lib/base/status.h"

struct name_list {
	char **name;
	int n;
};

/*
 * name_list_read() reads all of 'path', "-" for standard input.  Returns
 * TSL_OK; TSL_EIO, TSL_EMEMORY.  name_list_free() is due in any case.
 */
enum tsl_status TSL_MUST_USE name_list_read(struct name_list *list,
					    const char *path,
					    struct tsl_error *err);
void name_list_free(struct name_list *list);

/* name_list_add() adds a copy of a name.  Returns TSL_OK; TSL_EMEMORY. */
enum tsl_status TSL_MUST_USE name_list_add(struct name_list *list,
					   const char *name,
					   struct tsl_error *err);

#endif /* CLI_NAME_LIST_H */
