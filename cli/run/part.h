/*
 * part.h - a part of a job, where other processes make the others
 */
#ifndef CLI_PART_H
#define CLI_PART_H

#include "cli/option/options.h"
#include "inputs.h"
#include "lib/op/job.h"

/*
 * part_run() makes the part that the options name, and, if all are made, has
 * the result appear.  See npyio/team/parts.h.
 */
enum tsl_status TSL_MUST_USE part_run(const struct common_options *co,
				      const struct tsl_job *job,
				      const struct inputs *inputs,
				      const char *plan, struct tsl_error *err);

#endif /* CLI_PART_H */
