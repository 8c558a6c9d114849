/*
 * run.h - a job, done: from the inputs to the output that the options name
 */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "cli/option/options.h"
#include "inputs.h"
#include "lib/op/job.h"
#include "npyio/output/writer.h"

/*
 * run_check_inputs() returns TSL_EIO, with these words, if a regular file that
 * is written in place is also read.  run_check_output() does so for an output,
 * run_check_stdout() for what is printed.
 */
enum tsl_status TSL_MUST_USE run_check_inputs(const struct stat *out,
					      const struct inputs *inputs,
					      const char *words,
					      struct tsl_error *err);
enum tsl_status TSL_MUST_USE run_check_stdout(const struct inputs *inputs,
					      struct tsl_error *err);
enum tsl_status TSL_MUST_USE run_check_output(const struct npyio_writer *out,
					      const struct inputs *inputs,
					      struct tsl_error *err);

/*
 * run_job() writes the output of 'job' to where the options say, and then
 * takes from streams what the job did not.
 *
 * Where there are several jobs for one output, run_begin() opens it,
 * run_write() writes to it, for each, and run_end() makes it appear, or, if
 * 'status' is not TSL_OK, leaves everything as it was.
 */
enum tsl_status TSL_MUST_USE run_job(const struct common_options *co,
				     const struct tsl_job *job,
				     const struct inputs *inputs,
				     struct tsl_error *err);
enum tsl_status TSL_MUST_USE run_begin(struct npyio_writer **out_new,
				       const struct common_options *co,
				       struct tsl_error *err);
enum tsl_status TSL_MUST_USE run_write(struct npyio_writer *out,
				       const struct common_options *co,
				       const struct tsl_job *job,
				       const struct inputs *inputs,
				       struct tsl_error *err);

/*
 * run_comes_in_order() says that the job's output can be made from its first
 * byte to its last, as it is wanted.
 */
bool run_comes_in_order(const struct common_options *co,
			const struct tsl_job *job);

/*
 * For an output whose header comes last, run_write_data() adds the data alone
 * of a job to the file of 'out', a positional writer.  run_needs_file() says
 * that this must be a spool, for 'out' is no file, or not what is wanted, and
 * run_write_spooled() goes from there to 'out', 'number' being the dtype's.
 */
bool run_needs_file(const struct npyio_writer *out,
		    const struct common_options *co);
enum tsl_status TSL_MUST_USE run_write_data(struct npyio_writer *out,
					    const struct common_options *co,
					    const struct tsl_job *job,
					    const struct inputs *inputs,
					    struct tsl_error *err);
enum tsl_status TSL_MUST_USE run_write_spooled(struct npyio_writer *out,
					       const struct common_options *co,
					       const struct npyio_writer *spool,
					       enum tsl_minifloat number,
					       struct tsl_error *err);

enum tsl_status TSL_MUST_USE run_end(struct npyio_writer *out,
				     enum tsl_status status,
				     struct tsl_error *err);

#endif /* CLI_RUN_H */
