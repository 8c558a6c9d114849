/*
 * idle_file.h - a file that is closed while nobody reads it
 *
 * So that more files can be read in turn than may be open at once.
 */
#ifndef NPYIO_IDLE_FILE_H
#define NPYIO_IDLE_FILE_H

#include "lib/base/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

struct npyio_idle_file {
	bool is_on; /* it is closed and opened */
	int users; /* that want it open just now */
	struct stat st; /* the file that it has to be */
	int64_t end; /* bytes that it has to have; it may grow */
};

/* npyio_idle_file_begin() closes '*fd', a regular file; see 'end'. */
void npyio_idle_file_begin(struct npyio_idle_file *idle, int *fd, int64_t end);

/*
 * npyio_idle_file_hold() opens 'path', unless it is open, as '*fd', which stays
 * so until npyio_idle_file_release() has been called as often.  Both may be
 * called by several threads.  npyio_idle_file_check() only looks whether it is
 * still there.
 *
 * Return TSL_OK; TSL_EIO, also for a file that is another one by now, or too
 * short.
 */
enum tsl_status TSL_MUST_USE npyio_idle_file_hold(struct npyio_idle_file *idle,
						  const char *path, int *fd,
						  struct tsl_error *err);
void npyio_idle_file_release(struct npyio_idle_file *idle, int *fd);
enum tsl_status TSL_MUST_USE
npyio_idle_file_check(const struct npyio_idle_file *idle, const char *path,
		      struct tsl_error *err);

#endif /* NPYIO_IDLE_FILE_H */
