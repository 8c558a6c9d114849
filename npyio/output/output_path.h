/*
 * output_path.h - what a name of an output stands for
 *
 * A directory, and a name in it that is no link: whatever is done to the file
 * is done there, however names above it are exchanged meanwhile.
 */
#ifndef NPYIO_OUTPUT_PATH_H
#define NPYIO_OUTPUT_PATH_H

#include "lib/base/status.h"

#include <sys/stat.h>

struct npyio_output_path {
	int dir; /* owned, unless it is AT_FDCWD */
	char *name; /* in it; owned */
	bool exists;
	struct stat st; /* of what there is */
};

/*
 * npyio_output_path_find() looks at 'path'.  A link to a regular file is
 * followed; of anything else st says what it is, and the name is the one it was
 * given. A directory, and a link to nothing, are refused.
 *
 * Returns TSL_OK; TSL_EIO, TSL_EMEMORY.  To be closed on failure too.
 */
enum tsl_status TSL_MUST_USE npyio_output_path_find(struct npyio_output_path *t,
						    const char *path,
						    struct tsl_error *err);
void npyio_output_path_close(struct npyio_output_path *t);

/*
 * npyio_output_path_open_in_place() opens what is no regular file for writing,
 * and makes sure that it is what was looked at.
 */
enum tsl_status TSL_MUST_USE npyio_output_path_open_in_place(
	const struct npyio_output_path *t, int *fd, struct tsl_error *err);

#endif /* NPYIO_OUTPUT_PATH_H */
