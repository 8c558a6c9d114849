/*
 * small_file.h - a small file that appears whole or not at all, in a directory
 * that is open, with as few calls as that takes
 *
 * It has no name before it is whole: made, written, named and closed.
 */
#ifndef NPYIO_SMALL_FILE_H
#define NPYIO_SMALL_FILE_H

#include "lib/base/status.h"

#include <stdatomic.h>
#include <stddef.h>

struct npyio_small_files {
	int by_number; /* a directory where descriptors have names; -1: none */
	atomic_bool needs_number; /* a descriptor alone names no file */
	bool tells_late; /* of what went wrong, when a file is closed */
};

/* What became of one. */
enum npyio_small_file {
	NPYIO_SMALL_FILE_MADE,
	NPYIO_SMALL_FILE_EXISTS, /* something of that name; it stays */
	NPYIO_SMALL_FILE_OTHERWISE, /* not so: files here begin with a name */
	NPYIO_SMALL_FILE_FAILED,
};

/*
 * npyio_small_files_begin() is called before there are threads that make some
 * below the directory 'dir', and npyio_small_files_end() after.
 */
void npyio_small_files_begin(struct npyio_small_files *f, int dir);
void npyio_small_files_end(struct npyio_small_files *f);

/*
 * npyio_small_file_make() makes the file 'name' of n bytes in 'dir', with the
 * rights of any new file there; 'sync': its bytes, and its name, are on the
 * disk before it returns.
 */
enum npyio_small_file npyio_small_file_make(struct npyio_small_files *f,
					    int dir, const char *name,
					    const char *bytes, size_t n,
					    bool sync, struct tsl_error *err);

#endif /* NPYIO_SMALL_FILE_H */
