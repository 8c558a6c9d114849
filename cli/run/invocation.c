/*
 * invocation.c - what an invocation works on besides its operands
 */
#include "invocation.h"

#include "memory.h"

#include <stdlib.h>

struct substitutes *
invocation_substitutes(const struct command *command, void *request)
{
	return command->substitutes
		       ? (void *)((char *)request + command->substitutes)
		       : NULL;
}

int
invocation_count_others(const struct invocation *c, char *const *operands,
			int n)
{
	const struct command *command = c->command;

	return command->count_others
		       ? command->count_others(c->request, operands, n)
		       : command->usage->max_operands - 1 -
				 substitutes_count(invocation_substitutes(
					 command, c->request));
}

/* As much of a stream of them as would be of any other is kept in memory. */
static enum tsl_status
open_indices(struct npyio_reader **in_new, const struct invocation *c,
	     struct indices *x, const struct inputs *inputs,
	     struct tsl_error *err)
{
	const char **paths;
	enum tsl_status status;

	/* There is room for one more. */
	c->input[c->ninputs] = indices_path(x);
	paths = c->input + c->ninputs - inputs->n;
	status = inputs_make_way(inputs, c->co, paths, inputs->n, err);
	return status ? status
		      : indices_open(in_new, x,
				     memory_for(c->co, INT64_MAX) / 4, err);
}

enum tsl_status
invocation_add_indices(const struct invocation *c, struct inputs *inputs,
		       struct tsl_error *err)
{
	struct substitutes *s = invocation_substitutes(c->command, c->request);
	struct npyio_reader *in;
	int n = inputs->n;
	enum tsl_status status;

	if (!s || !s->indices.text)
		return TSL_OK;
	status = open_indices(&in, c, &s->indices, inputs, err);
	if (!status)
		status = inputs_add(inputs, in, err);
	/* An operand that comes behind them was opened before. */
	if (status ||
	    c->command->usage->max_operands - 1 == substitutes_count(s))
		return status;
	inputs->in[n] = inputs->in[n - 1];
	inputs->in[n - 1] = in;
	return TSL_OK;
}
