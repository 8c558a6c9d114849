/*
 * command.h - a command that makes data: a page of data and one function
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "cli/option/options.h"
#include "inputs.h"
#include "lib/op/job.h"

struct command {
	const struct opt *table;
	const struct usage *usage;
	struct common_options *co;
	void *request; /* of the command's own, for the functions */
	/*
	 * settle() makes of the options, and 'n' operands, what can be made
	 * without a file; returns 0, or an exit status.  compile() is for what
	 * takes more than that, but still no input.  Either may be NULL.
	 */
	int (*settle)(struct command *c, char **operands, int n);
	enum tsl_status (*compile)(void *request, struct tsl_error *err);
	/* add_inputs() adds those that are no files of arrays; may be NULL. */
	enum tsl_status (*add_inputs)(const struct command *c,
				      struct inputs *inputs,
				      struct tsl_error *err);
	/* make_job() makes the job of the inputs, which is the request's. */
	enum tsl_status (*make_job)(void *request, const struct inputs *inputs,
				    struct tsl_job **job,
				    struct tsl_error *err);
	/* run() is for what is not to do this job; NULL: it is. */
	enum tsl_status (*run)(const struct command *c,
			       const struct inputs *inputs,
			       struct tsl_error *err);
	/* The inputs: all operands, unless settle() says otherwise. */
	int ninputs;
	const char **input;
	const char *slice; /* the slice string among the operands, or NULL */
	const char *text_input; /* a file that is no operand, or NULL */
	/* line_of() is the text that an error's place is in; NULL: 'slice'. */
	const char *(*line_of)(const void *request);
};

/* command_main() is a command from end to end; returns the exit status. */
int command_main(struct command *c, int argc, char **argv);

#endif /* CLI_COMMAND_H */
