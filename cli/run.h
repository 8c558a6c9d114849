/*
 * run.h - what the commands that make data share
 */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "lib/op/job.h"
#include "npyio/file/reader.h"
#include "npyio/file/writer.h"
#include "options.h"

#define RUN_MAX_INPUTS 2

/* The arrays a command reads; in[0] is the one its job goes through. */
struct run_inputs {
	int n;
	bool drain; /* take all of an array from a stream, needed or not */
	struct npyio_reader *in[RUN_MAX_INPUTS];
};

/*
 * run_open() opens n inputs, in order; "-" given twice is read twice.  They
 * are to be closed, on failure too, with the status that came of them: what
 * follows an array that was refused can then be read as if it had not been.
 */
enum tsl_status TSL_MUST_USE run_open(struct run_inputs *inputs,
				      const struct common_options *co,
				      const char *const *paths, int n,
				      struct tsl_error *err);
void run_close(struct run_inputs *inputs, enum tsl_status status);

/*
 * run_check_stdout() is for what is printed: TSL_EIO if standard output is the
 * file that is read.
 */
enum tsl_status TSL_MUST_USE run_check_stdout(const struct npyio_reader *in,
					      struct tsl_error *err);

/*
 * run_blame() gives an error that names one of the inputs, by its number, the
 * input's name.
 */
void run_blame(const struct run_inputs *inputs, enum tsl_status status,
	       struct tsl_error *err);

/* run_array() is the array of input i. */
const struct tsl_array *run_array(const struct run_inputs *inputs, int i);

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
				     const struct run_inputs *inputs,
				     struct tsl_error *err);
enum tsl_status TSL_MUST_USE run_begin(struct npyio_writer **out_new,
				       const struct common_options *co,
				       struct tsl_error *err);
enum tsl_status TSL_MUST_USE run_write(struct npyio_writer *out,
				       const struct common_options *co,
				       const struct tsl_job *job,
				       const struct run_inputs *inputs,
				       struct tsl_error *err);
enum tsl_status TSL_MUST_USE run_end(struct npyio_writer *out,
				     enum tsl_status status,
				     struct tsl_error *err);

/* run_drain() takes what is left of streams, unless the options forbid it. */
enum tsl_status TSL_MUST_USE run_drain(const struct run_inputs *inputs,
				       struct tsl_error *err);

/*
 * run_read_file() reads the whole of a small file, "-" for standard input,
 * into '*text_new', which the caller frees.
 */
enum tsl_status TSL_MUST_USE run_read_file(const char *path, char **text_new,
					   size_t *len, struct tsl_error *err);

#endif /* CLI_RUN_H */
