/*
 * command.h - a command that makes data: a page of functions, and what it was
 * asked for
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "cli/option/options.h"
#include "inputs.h"
#include "lib/op/job.h"

struct invocation;

struct command {
	const struct usage *usage;
	/*
	 * settle() makes of the options, and 'n' operands, what can be made
	 * without a file; returns 0, or an exit status.  compile() is for what
	 * takes more than that, but still no input.  Either may be NULL.
	 */
	int (*settle)(struct invocation *c, char **operands, int n);
	enum tsl_status (*compile)(void *request, struct tsl_error *err);
	/*
	 * Of a command whose first operand may be many, count_behind() is how
	 * many of the operands are others, which stand behind them; else NULL.
	 */
	int (*count_behind)(const void *request, char *const *operands, int n);
	/* add_inputs() adds those that are no files of arrays; may be NULL. */
	enum tsl_status (*add_inputs)(const struct invocation *c,
				      struct inputs *inputs,
				      struct tsl_error *err);
	/*
	 * make_job() makes the job of the inputs, which is the request's.
	 * forget() frees what it has made besides; NULL: nothing.  Of many
	 * inputs jobs are made of copies of the request, 'request_size' bytes,
	 * in which nothing has been made yet; what was settled they share.
	 */
	enum tsl_status (*make_job)(void *request, const struct inputs *inputs,
				    struct tsl_job **job,
				    struct tsl_error *err);
	void (*forget)(void *request);
	size_t request_size;
	/* run() is for what is not to do a job; NULL: it is. */
	enum tsl_status (*run)(const struct invocation *c,
			       const struct inputs *inputs,
			       struct tsl_error *err);
	/* hint() adds to an error what was probably meant; may be NULL. */
	void (*hint)(const struct invocation *c, struct tsl_error *err);
	/* line_of() is the text that an error's place is in; NULL: 'slice'. */
	const char *(*line_of)(const void *request);
	/* release() frees what was settled; may be NULL. */
	void (*release)(void *request);
};

/* A command as it was called; settle() may change what it is to work on. */
struct invocation {
	const struct command *command;
	void *request; /* of the command's own, for its functions */
	struct common_options *co;
	enum tsl_status (*run)(const struct invocation *c,
			       const struct inputs *inputs,
			       struct tsl_error *err); /* as above */
	/* The inputs: all operands, unless settle() says otherwise. */
	int ninputs;
	const char **input;
	const char *slice; /* the slice string among the operands, or NULL */
	const char *text_input; /* a file that is no operand, or NULL */
	/*
	 * Where there are many, co->many, of which input[0] is any or none,
	 * these, unless they are in a list.
	 */
	char *const *many;
	int nmany;
};

/*
 * command_main() is a command from end to end, with its options in 'table',
 * which leads into 'request'.  Returns the exit status.
 */
int command_main(const struct command *command, void *request,
		 struct common_options *co, const struct opt *table, int argc,
		 char **argv);

#endif /* CLI_COMMAND_H */
