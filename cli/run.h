/*
 * run.h - what the commands that make data share
 */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "lib/job.h"
#include "npyio/reader.h"
#include "options.h"

/*
 * run_job() writes the output of 'job', read from 'in', to where the options
 * say, and takes from a stream what the job did not.
 */
enum tsl_status TSL_MUST_USE run_job(const struct common_options *co,
				     const struct tsl_job *job,
				     struct npyio_reader *in,
				     struct tsl_error *err);

/*
 * run_read_file() reads the whole of a small file, "-" for standard input,
 * into '*text_new', which the caller frees.
 */
enum tsl_status TSL_MUST_USE run_read_file(const char *path, char **text_new,
					   size_t *len, struct tsl_error *err);

#endif /* CLI_RUN_H */
