/*
 * part.h - a part of a job, where other processes make the others
 */
#ifndef CLI_PART_H
#define CLI_PART_H

#include "inputs.h"
#include "lib/op/job.h"
#include "options.h"

/*
 * part_check_inputs() refuses, with --part, inputs that are not files which
 * every part can read by itself.  Returns 0, or an exit status.
 */
int part_check_inputs(const struct common_options *co, const char *const *paths,
		      int n);

/*
 * part_run() makes the part that the options name, and, if all are made, has
 * the result appear.  See npyio/team/parts.h.
 */
enum tsl_status TSL_MUST_USE part_run(const struct common_options *co,
				      const struct tsl_job *job,
				      const struct inputs *inputs,
				      struct tsl_error *err);

#endif /* CLI_PART_H */
