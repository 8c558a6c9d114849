/*
 * member_name.h - outputs that are members of an archive, by their names
 *
 *	FILE.npz:NAME
 *
 * Whoever unpacks an archive takes names for paths: of those that lead out of
 * a folder none is written.
 */
#ifndef NPYIO_MEMBER_NAME_H
#define NPYIO_MEMBER_NAME_H

#include "lib/base/status.h"

#include <stddef.h>

#define NPYIO_MEMBER_SUFFIX ".npy"

/*
 * npyio_member_name_of() is NAME if the output 'path' stands for a member, and
 * stores how long FILE is; else NULL.  There is no file called 'path'; FILE is
 * an archive, the longest such name, or, where there is none, ends in ".npz",
 * the shortest.
 */
const char *npyio_member_name_of(const char *path, size_t *file_len);

/*
 * npyio_member_name_check() returns TSL_OK; TSL_EUSAGE for a name that is
 * empty, too long, or has an empty part, one that is "." or "..", or a
 * backslash.
 */
enum tsl_status TSL_MUST_USE npyio_member_name_check(const char *name,
						     struct tsl_error *err);

/* npyio_member_name_new() is the name with ".npy" at its end, or NULL. */
char *npyio_member_name_new(const char *name);

#endif /* NPYIO_MEMBER_NAME_H */
