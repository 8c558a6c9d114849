/*
 * run.h - a job, done: from the inputs to the output that the options name
 */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "cli/option/options.h"
#include "inputs.h"
#include "lib/op/job.h"
#include "npyio/transfer/common/request.h"

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
 * run_transfer_of() is a transfer as the options have it; 'work': how many
 * bytes are read and written at most, as far as is known.
 *
 * run_transfer() does it by 'put', shows how far of 'nbytes' it is, and tells
 * what has come of it.
 */
typedef enum tsl_status run_put(struct npyio_transfer *t, const void *context,
				struct tsl_error *err);
struct npyio_transfer run_transfer_of(struct npyio_writer *out,
				      const struct common_options *co,
				      const struct tsl_job *job,
				      const struct inputs *inputs,
				      int64_t work);
enum tsl_status TSL_MUST_USE run_transfer(struct npyio_transfer *t,
					  const struct common_options *co,
					  const struct inputs *inputs,
					  int64_t nbytes, run_put *put,
					  const void *context,
					  struct tsl_error *err);

/*
 * run_open() opens the output that the options name; run_write_bytes() makes it
 * of n bytes.
 */
enum tsl_status TSL_MUST_USE run_open(struct npyio_writer **out_new,
				      const struct common_options *co,
				      struct tsl_error *err);
enum tsl_status TSL_MUST_USE run_write_bytes(const struct common_options *co,
					     const char *bytes, size_t n,
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
 * run_portion() writes co->portion of the job to the file 'fd', 'path', unless
 * it turns out on the way that nobody wants it; see cancel.h.
 */
enum tsl_status TSL_MUST_USE run_portion(const char *path, int fd,
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
 * An output whose header comes last.  growing_output_open() opens it, and where
 * that is no file, or not what is wanted, or 'by_spool', a file without a name.
 * growing_output_writer() is the one that is written to, positional.
 * growing_output_end() goes from the spool, if there is one, to the output,
 * 'number' being the dtype's.  growing_output_close() is due on failure too.
 *
 * run_write_data() adds the data alone of a job to such a writer.
 */
struct growing_output {
	const struct common_options *co;
	struct npyio_writer *out; /* that the options name; NULL: not open */
	struct npyio_writer *spool; /* what is written instead; or NULL */
};
enum tsl_status TSL_MUST_USE
growing_output_open(struct growing_output *g, const struct common_options *co,
		    bool by_spool, struct tsl_error *err);
struct npyio_writer *growing_output_writer(const struct growing_output *g);
enum tsl_status TSL_MUST_USE growing_output_end(const struct growing_output *g,
						enum tsl_minifloat number,
						struct tsl_error *err);
enum tsl_status TSL_MUST_USE
growing_output_close(const struct growing_output *g, enum tsl_status status,
		     struct tsl_error *err);
enum tsl_status TSL_MUST_USE run_write_data(struct npyio_writer *out,
					    const struct common_options *co,
					    const struct tsl_job *job,
					    const struct inputs *inputs,
					    struct tsl_error *err);
enum tsl_status TSL_MUST_USE run_end(struct npyio_writer *out,
				     enum tsl_status status,
				     struct tsl_error *err);

#endif /* CLI_RUN_H */
