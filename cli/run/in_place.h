/*
 * in_place.h - a job, done in the file that it goes through
 */
#ifndef CLI_IN_PLACE_H
#define CLI_IN_PLACE_H

#include "cli/option/options.h"
#include "inputs.h"
#include "lib/op/job.h"

/* in_place_check() is for the file's name.  Returns 0, or an exit status. */
int in_place_check(const char *path);

/*
 * in_place_check_file() is for the file, before it is opened.  TSL_OK; TSL_EIO
 * for what is there and is no file.
 */
enum tsl_status TSL_MUST_USE in_place_check_file(const char *path,
						 struct tsl_error *err);

/*
 * in_place_run() writes what 'job' changes into the file 'path', input 0, which
 * none of the other inputs may be, and then takes from streams what the job did
 * not.  The job's output becomes the file: in its own order.
 */
enum tsl_status TSL_MUST_USE in_place_run(const struct common_options *co,
					  const char *path, struct tsl_job *job,
					  const struct inputs *inputs,
					  struct tsl_error *err);

#endif /* CLI_IN_PLACE_H */
