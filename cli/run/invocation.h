/*
 * invocation.h - a command as a page of functions, and as it was called
 */
#ifndef CLI_INVOCATION_H
#define CLI_INVOCATION_H

#include "cli/operand/substitutes.h"
#include "cli/option/options.h"
#include "inputs.h"
#include "lib/op/job.h"

struct invocation;

struct command {
	const struct usage *usage;
	/*
	 * parse() makes of the options, and 'n' operands, what can be made
	 * without a file; returns 0, or an exit status.  compile() is for what
	 * takes more than that, but still no input.  Either may be NULL.
	 */
	int (*parse)(struct invocation *c, char **operands, int n);
	enum tsl_status (*compile)(void *request, struct tsl_error *err);
	/*
	 * Of a command whose first operand may be many, count_others() is how
	 * many of the operands are others, which stand behind them; NULL: all
	 * but the first that there can be, less what stands for one.
	 */
	int (*count_others)(const void *request, char *const *operands, int n);
	/* Where its struct substitutes is in a request; 0: it has none. */
	size_t substitutes;
	/*
	 * make_job() makes the job of the inputs, which is the request's.  Of
	 * many inputs jobs are made of copies of the request, 'request_size'
	 * bytes, in which nothing has been made yet; what was parsed they
	 * share.  0: there cannot be many.
	 */
	enum tsl_status (*make_job)(void *request, const struct inputs *inputs,
				    struct tsl_job **job,
				    struct tsl_error *err);
	size_t request_size;
	/* run() is for what is not to do a job; NULL: it is. */
	enum tsl_status (*run)(const struct invocation *c,
			       const struct inputs *inputs,
			       struct tsl_error *err);
	/* hint() adds to an error what was probably meant; may be NULL. */
	void (*hint)(const struct invocation *c, struct tsl_error *err);
	/* line_of() is the text that an error's place is in; NULL: 'slice'. */
	const char *(*line_of)(const void *request);
	/* release() frees what was parsed; may be NULL. */
	void (*release)(void *request);
};

/* A command as it was called; parse() may change what it is to work on. */
struct invocation {
	const struct command *command;
	void *request; /* of the command's own, for its functions */
	struct common_options *co;
	enum tsl_status (*run)(const struct invocation *c,
			       const struct inputs *inputs,
			       struct tsl_error *err); /* as above */
	/* The inputs: all operands, unless parse() says otherwise. */
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

/* invocation_substitutes() finds them in a request; NULL: it has none. */
struct substitutes *invocation_substitutes(const struct command *command,
					   void *request);

/* invocation_count_others() is count_others() of the command. */
int invocation_count_others(const struct invocation *c, char *const *operands,
			    int n);

/*
 * invocation_add_indices() adds to the inputs, the last of those of 'c' or all,
 * the indices that an option gives, if it does, in their place.
 */
enum tsl_status TSL_MUST_USE invocation_add_indices(const struct invocation *c,
						    struct inputs *inputs,
						    struct tsl_error *err);

#endif /* CLI_INVOCATION_H */
