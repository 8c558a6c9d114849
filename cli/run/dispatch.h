/*
 * dispatch.h - a job, done by this process alone or by several together
 */
#ifndef CLI_DISPATCH_H
#define CLI_DISPATCH_H

#include "cli/option/options.h"
#include "inputs.h"
#include "lib/op/job.h"

/*
 * dispatch_check_inputs() refuses, where several processes are at work, inputs
 * that are not files which each of them can read.  Returns 0, or an exit
 * status.
 */
int dispatch_check_inputs(const struct common_options *co,
			  const char *const *paths, int n);

/* dispatch_job() does the job, or what of it the options leave to this process.
 */
enum tsl_status TSL_MUST_USE dispatch_job(const struct common_options *co,
					  const struct tsl_job *job,
					  const struct inputs *inputs,
					  struct tsl_error *err);

#endif /* CLI_DISPATCH_H */
