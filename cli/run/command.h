/*
 * command.h - a command that makes data, from its arguments to its exit status
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "invocation.h"

/*
 * command_main() is a command from end to end, with its options in 'table',
 * which leads into 'request'.  Returns the exit status.
 */
int command_main(const struct command *command, void *request,
		 struct common_options *co, const struct opt *table, int argc,
		 char **argv);

#endif /* CLI_COMMAND_H */
