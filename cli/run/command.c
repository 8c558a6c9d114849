/*
 * command.c - a command that makes data, from end to end
 */
#include "command.h"

#include "cli/option/hint.h"
#include "cli/option/output.h"
#include "cli/report/message.h"
#include "dispatch.h"
#include "in_place.h"
#include "many.h"
#include "npyio/input/input_name.h"
#include "result_order.h"
#include "team.h"

#include <stdlib.h>
#include <string.h>

static enum tsl_status
run_one(const struct invocation *c, const struct inputs *inputs,
	struct tsl_error *err)
{
	struct result_order order = { .descr = NULL };
	struct tsl_job *job;
	enum tsl_status status =
		c->command->make_job(c->request, inputs, &job, err);

	if (!status)
		status = result_order_set(&order, c->co, job, err);
	if (!status)
		status = c->co->in_place
				 ? in_place_run(c->co, c->input[0], job, inputs,
						err)
				 : dispatch_job(c->co, job, inputs, err);
	result_order_free(&order);
	return status;
}

static enum tsl_status
run(const struct invocation *c, struct tsl_error *err)
{
	struct inputs inputs = { .n = 0 };
	enum tsl_status status = c->co->in_place
					 ? in_place_check_file(c->input[0], err)
					 : TSL_OK;

	if (!status)
		status = inputs_open(&inputs, c->co, c->input, c->ninputs,
				     c->text_input, err);
	if (!status)
		status = invocation_add_indices(c, &inputs, err);
	if (!status)
		status = c->run ? c->run(c, &inputs, err)
				: run_one(c, &inputs, err);
	inputs_blame(&inputs, status, err);
	inputs_close(&inputs, status);
	return status;
}

/* Returns 0, or an exit status. */
static int
parse_indices(struct invocation *c)
{
	struct substitutes *s = invocation_substitutes(c->command, c->request);
	struct tsl_error err;

	if (!s || !s->indices.text)
		return 0;
	c->text_input = indices_path(&s->indices);
	return indices_parse(&s->indices, &err) ? message_error(&err, NULL) : 0;
}

/* Returns 0, or an exit status. */
static int
parse(struct invocation *c, char **operands, int n)
{
	int exit_status = many_detect(c, &operands, &n);
	struct tsl_error err;

	if (exit_status)
		return exit_status;
	/* One more, for an operand that there may not be. */
	c->input = calloc((size_t)n + 1, sizeof(*c->input));
	if (!c->input)
		return message_fail(TSL_EMEMORY, "out of memory");
	for (int i = 0; i < n; i++)
		c->input[c->ninputs++] = operands[i];
	exit_status = c->command->parse ? c->command->parse(c, operands, n) : 0;
	if (!exit_status)
		exit_status = parse_indices(c);
	if (!exit_status && c->co->in_place)
		exit_status = in_place_check(c->input[0]);
	if (!exit_status)
		exit_status = output_check(c->co);
	if (!exit_status)
		exit_status = options_resolve(c->co);
	for (int i = c->co->many; i < n && !exit_status; i++)
		exit_status = npyio_input_check(operands[i], &err)
				      ? message_error(&err, NULL)
				      : 0;
	if (!exit_status)
		exit_status = dispatch_check_inputs(
			c->co, c->input + c->co->many, n - c->co->many);
	if (!exit_status && c->text_input)
		exit_status = dispatch_check_inputs(c->co, &c->text_input, 1);
	return exit_status;
}

/* What may have become of an input and a slice on the way here. */
static void
hint_operands(const struct invocation *c, struct tsl_error *err)
{
	/* The slice may have been left out, and be taken for the input. */
	if (strcmp(c->slice, "...") == 0)
		hint_pipe(err, c->input[0]);
	hint_value(err, c->co->table, c->slice);
	hint_field(err, c->input[0], c->slice);
	hint_globbed(err, c->input[0]);
}

/* Returns the exit status. */
static int
fail(const struct invocation *c, struct tsl_error *err)
{
	if (c->command->hint)
		c->command->hint(c, err);
	/* Where there are many, the operands are not of one input. */
	if (c->slice && c->ninputs > 0 && !c->co->many)
		hint_operands(c, err);
	if (c->slice)
		hint_globbed(err, c->slice);
	return message_error(err, c->command->line_of
					  ? c->command->line_of(c->request)
					  : c->slice);
}

/* Stores the exit status of what is told of already. */
static enum tsl_status
run_any(const struct invocation *c, int *exit_status, struct tsl_error *err)
{
	*exit_status = 0;
	return c->co->many ? many_run(c, exit_status, err) : run(c, err);
}

/* Whatever happens, the other processes are told. */
static enum tsl_status
run_in_team(const struct invocation *c, int *exit_status, struct tsl_error *err)
{
	enum tsl_status status = team_join(c->co, err);

	if (status)
		return status;
	status = team_end(run_any(c, exit_status, err), err);
	*exit_status = team_highest(*exit_status);
	return status;
}

/* Returns the exit status. */
static int
compile_and_run(struct invocation *c)
{
	struct tsl_error err;
	enum tsl_status status = c->command->compile
					 ? c->command->compile(c->request, &err)
					 : TSL_OK;
	int exit_status = 0;

	if (!status)
		status = c->co->launcher ? run_in_team(c, &exit_status, &err)
					 : run_any(c, &exit_status, &err);
	if (status)
		exit_status = fail(c, &err);
	team_leave();
	return launch_exit(exit_status);
}

int
command_main(const struct command *command, void *request,
	     struct common_options *co, const struct opt *table, int argc,
	     char **argv)
{
	struct invocation c = { .command = command,
				.request = request,
				.co = co,
				.run = command->run };
	struct substitutes *substitutes =
		invocation_substitutes(command, request);
	int n, exit_status;

	if (substitutes)
		substitutes_init(substitutes);
	if (options_parse(argc, argv, table, co, command->usage, &n,
			  &exit_status)) {
		exit_status = launch_exit(parse(&c, argv + 1, n));
		if (!exit_status)
			exit_status = compile_and_run(&c);
		free(c.input);
	} else {
		exit_status = launch_exit(exit_status);
	}
	if (substitutes)
		substitutes_free(substitutes);
	if (command->release)
		command->release(request);
	return exit_status;
}
